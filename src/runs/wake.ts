import { controlEvent } from '../orchestration/names.ts';
import type { RunRow } from '../ledger/port.ts';
import type { Engine } from './engine.ts';
import type { Services } from './services.ts';

const AT_ONCE = 16;
const MOST_CHILDREN = 5_000;

/**
 * Raises the event of the newest control change to the run's instance and to every child that is not ended. An event
 * only wakes (I6): one that is lost, or meets an instance that has ended or never began, costs nothing but time.
 */
export async function wakeRun(
  services: Services,
  engine: Engine,
  run: Pick<RunRow, 'runId' | 'instanceId' | 'controlSeq'>,
): Promise<void> {
  const event = controlEvent(run.runId, run.controlSeq);
  await engine.wake(run.instanceId, event);
  const open = await services.ledger.openInstances(run.runId, MOST_CHILDREN);
  for (let from = 0; from < open.length; from += AT_ONCE)
    await Promise.all(open.slice(from, from + AT_ONCE).map(({ instanceId }) => engine.wake(instanceId, event)));
}
