import { controlEvent } from '../orchestration/names.ts';
import { isLive } from './instanceLife.ts';
import type { OperatorEngine } from './operatorEngine.ts';
import type { Services } from './services.ts';

/** Children get this long to see by themselves that their run has ended, ms. */
const PATIENCE_MS = 10 * 60_000;
const MOST = 500;

/**
 * Children of an ended run: those that never began or have ended are closed in the ledger; those that live are woken,
 * and terminated when that did not help. Answers how many rows were closed.
 */
export async function closeChildren(
  services: Services,
  engine: OperatorEngine,
  runId: string,
  now: number,
): Promise<number> {
  const { ledger } = services;
  const run = await ledger.getRun(runId);
  if (run === undefined) return 0;
  let closed = 0;
  for (const { instanceId, nodeId } of await ledger.openInstances(runId, MOST)) {
    const found = await engine.status(instanceId);
    if (found !== undefined && isLive(found.runtimeStatus)) {
      if (now - (run.endedAt ?? now) < PATIENCE_MS) {
        await engine.wake(instanceId, controlEvent(runId, run.controlSeq));
        continue;
      }
      await engine.terminate(instanceId, 'The run has ended.');
      const data = { instanceId, runtimeStatus: found.runtimeStatus };
      await ledger.appendEvent({ at: now, runId, type: 'janitor.terminated', nodeId, actor: 'janitor', data });
    }
    if (await ledger.moveInstance(instanceId, 'ended', now)) closed += 1;
  }
  return closed;
}
