import type { EndedRun, InstanceRow } from '../ledger/port.ts';
import { controlEvent } from '../orchestration/names.ts';
import { inBatches } from './inBatches.ts';
import type { JanitorPass } from './janitor.ts';
import { endedVerdict, lifeOf } from './janitorRules.ts';

const MOST = 2_000;
const AT_ONCE = 16;
const REASON = 'run-ended';

/**
 * Children of an ended run: those that never began or have ended are closed in the ledger; those that live are woken,
 * and terminated when that did not help.
 */
export async function closeChildren(pass: JanitorPass, { runId, endedAt }: EndedRun): Promise<void> {
  const { ledger } = pass.services;
  const run = await ledger.getRun(runId);
  if (run === undefined) return;
  const open = await ledger.openInstances(runId, MOST);
  await inBatches(open, AT_ONCE, (child) => closeChild(pass, child, endedAt, run.controlSeq));
}

async function closeChild(pass: JanitorPass, child: InstanceRow, endedAt: number, seq: number): Promise<void> {
  const { services, engine, now, count } = pass;
  const { runId, instanceId, kind, nodeId } = child;
  const status = await engine.status(instanceId);
  const verdict = endedVerdict(lifeOf(status), now - endedAt);
  if (verdict === 'wake') {
    // The event of the last change may have been lost; after that one a child waits for the next, which never comes.
    await engine.wake(instanceId, controlEvent(runId, seq));
    await engine.wake(instanceId, controlEvent(runId, seq + 1));
    return;
  }
  if (verdict === 'terminate') await engine.terminate(instanceId, REASON);
  if (!(await services.ledger.moveInstance(instanceId, 'ended', now))) return;
  count.closed += 1;
  if (verdict === 'terminate') count.terminated += 1;
  const type = verdict === 'terminate' ? 'janitor.terminated' : 'janitor.closed';
  const data = { instanceId, kind, runtimeStatus: status?.runtimeStatus ?? null };
  await services.ledger.appendEvent({ at: now, runId, type, nodeId, actor: 'janitor', data });
}

/** The own instance of a run that has ended for longer than the janitor's patience: terminated when it still lives. */
export async function closeOwn(pass: JanitorPass, { runId, instanceId, endedAt }: EndedRun): Promise<boolean> {
  const { services, engine, now, count } = pass;
  const status = await engine.status(instanceId);
  if (status === undefined || endedVerdict(lifeOf(status), now - endedAt) !== 'terminate') return false;
  await engine.terminate(instanceId, REASON);
  count.terminated += 1;
  const data = { instanceId, kind: 'run', runtimeStatus: status.runtimeStatus };
  await services.ledger.appendEvent({
    at: now,
    runId,
    type: 'janitor.terminated',
    nodeId: null,
    actor: 'janitor',
    data,
  });
  return true;
}
