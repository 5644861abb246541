/**
 * The janitor: makes ledger and engine agree again after crashes and after what operators did behind the product's back
 * (O-07, O-14), and removes what has outlived its retention. Everything it changes is an audit event with actor
 * `janitor`. Each pass is bounded and may be repeated or run twice at once: every step is conditional.
 */
import { TERMINAL_STATUSES, type RunStatus, type StaleRun } from '../ledger/port.ts';
import type { ResultError } from '../orchestration/messages.ts';
import { isLive } from './instanceLife.ts';
import type { OperatorEngine } from './operatorEngine.ts';
import { closeChildren } from './janitorChildren.ts';
import { purgeOld } from './janitorPurge.ts';
import type { Services } from './services.ts';
import { wakeRun } from './wake.ts';

export interface JanitorWorld {
  readonly services: Services;
  readonly engine: OperatorEngine;
  /** Ends a run from the ledger (`finish1`); the error is recorded for people. */
  readonly finish: (runId: string, error: ResultError) => Promise<string>;
  readonly retentionDays: number;
}

/** What one pass did. */
export interface JanitorReport {
  readonly started: number;
  readonly ended: number;
  readonly children: number;
  readonly expired: number;
  readonly purged: number;
  /** Runs that could not be dealt with this time; the next pass tries again. */
  readonly failed: number;
}

/** A run that has just changed is left alone: its own instance is probably at work. */
const QUIET_MS = 10_000;
/** A start may be on its way for this long before it counts as missing. */
const MISSING_MS = 60_000;
const BATCH = 200;
const DAY_MS = 86_400_000;

export async function janitorPass(world: JanitorWorld): Promise<JanitorReport> {
  const { services } = world;
  const now = services.now();
  const count = { started: 0, ended: 0, failed: 0 };
  const guarded = async <T>(runId: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      count.failed += 1;
      const message = error instanceof Error ? error.message : String(error);
      services.log.janitorFailed({ runId, message });
      return undefined;
    }
  };

  for (const stale of await services.ledger.staleRuns(now - QUIET_MS, BATCH)) {
    const did = await guarded(stale.runId, () => reconcile(world, stale, now));
    if (did !== undefined && did !== 'left') count[did] += 1;
  }
  let children = 0;
  for (const { runId } of await services.ledger.endedRunsWithInstances(BATCH))
    children += (await guarded(runId, () => closeChildren(services, world.engine, runId, now))) ?? 0;
  const expired = await services.ledger.expireOwners(now, BATCH);
  let purged = 0;
  for (const { runId } of await services.ledger.purgeable(now - world.retentionDays * DAY_MS, PURGED_A_PASS))
    purged += (await guarded(runId, () => purgeOld(services, world.engine, runId, now))) ?? 0;
  return { ...count, children, expired, purged };
}

/** Purging is slow (blobs, histories): a pass takes some and leaves the rest to the next. */
const PURGED_A_PASS = 20;

/** A run without an instance gets one; a run whose instance is dead is ended from the ledger. */
async function reconcile(world: JanitorWorld, stale: StaleRun, now: number): Promise<'started' | 'ended' | 'left'> {
  const { services, engine } = world;
  const { runId, instanceId } = stale;
  const found = await engine.status(instanceId);
  if (found !== undefined && isLive(found.runtimeStatus)) return 'left';
  if (found === undefined && now - stale.updatedAt < MISSING_MS) return 'left';
  if (found === undefined && stale.status === 'accepted') {
    await engine.start(instanceId, runId);
    await audit(services, runId, 'janitor.started', now, { instanceId });
    return 'started';
  }
  const what = found === undefined ? 'is gone' : `is ${found.runtimeStatus}`;
  const status = await world.finish(runId, {
    code: 'STATE_INVALID',
    class: 'unexpected',
    message: `The instance of this run ${what}; the run was ended from the ledger.`,
  });
  const run = await services.ledger.getRun(runId);
  if (run === undefined || !TERMINAL_STATUSES.has(status as RunStatus)) return 'left';
  await audit(services, runId, 'janitor.ended', now, { instance: found?.runtimeStatus ?? null, status });
  await wakeRun(services, engine, run);
  return 'ended';
}

async function audit(
  services: Services,
  runId: string,
  type: string,
  now: number,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await services.ledger.appendEvent({ at: now, runId, type, nodeId: null, actor: 'janitor', data });
}
