import { StoreUnavailable, TERMINAL_STATUSES, type StaleRun } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import type { JanitorPass } from './janitor.ts';
import { lifeOf, runVerdict } from './janitorRules.ts';
import { wakeRun } from './wake.ts';

/** A run without an instance gets one; a run whose instance is dead is ended from the ledger. */
export async function reconcileRun(pass: JanitorPass, stale: StaleRun): Promise<void> {
  const { services, engine, now, count } = pass;
  const { runId, instanceId } = stale;
  const status = await engine.status(instanceId);
  const verdict = runVerdict(stale.status, lifeOf(status), now - stale.updatedAt);
  if (verdict === 'leave') {
    if (lifeOf(status) === 'live') await wakeUnheard(pass, runId);
    return;
  }
  // The instance may have ended the run between the page of rows and the look at the engine.
  const run = await services.ledger.getRun(runId);
  if (run === undefined || TERMINAL_STATUSES.has(run.status)) return;
  if (verdict === 'start') {
    await engine.start(instanceId, runId);
    const event = { at: now, runId, nodeId: null, actor: 'janitor', data: { instanceId } };
    await services.ledger.appendEvent({ ...event, type: 'janitor.started' });
    count.started += 1;
    return;
  }
  await endRun(pass, runId, status === undefined ? 'is gone' : `is ${status.runtimeStatus}`);
  count.ended += 1;
}

/**
 * A run that was told to stop, or to stand still or go on, and shows no sign of it: the event may have been lost (around
 * a continue-as-new, say), and its next timer may be days away.
 */
async function wakeUnheard({ services, engine }: JanitorPass, runId: string): Promise<void> {
  const run = await services.ledger.getRun(runId);
  if (run === undefined || TERMINAL_STATUSES.has(run.status)) return;
  const told = run.control === 'cancel' || run.stopping !== null || run.held !== (run.control === 'suspend');
  if (told) await wakeRun(services, engine, run);
}

/** The status follows from the ledger (I10); when that cannot be read any more, the run has failed. */
async function endRun(pass: JanitorPass, runId: string, what: string): Promise<void> {
  const message = `The instance of this run ${what}; the run was ended from the ledger.`;
  const error = { code: 'STATE_INVALID', class: 'unexpected', message } as const;
  try {
    await pass.finish(runId, error);
  } catch (failure) {
    if (mayPass(failure)) throw failure;
    const reason = failure instanceof Error ? failure.message : String(failure);
    pass.services.log.janitorFailed({ about: runId, message: reason });
    const end = { status: 'failed', headline: null, error, now: pass.now, by: 'janitor', decisions: [] } as const;
    await pass.services.ledger.finishRun(runId, end);
  }
}

/** Worth another pass: a store that does not answer now. */
function mayPass(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof ToolError && error.class === 'transient');
}
