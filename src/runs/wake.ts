import { controlEvent } from '../orchestration/names.ts';
import type { InstanceRow, RunRow } from '../ledger/port.ts';
import type { Engine } from './engine.ts';
import { inBatches } from './inBatches.ts';
import type { Services } from './services.ts';

const AT_ONCE = 16;
const MOST_CHILDREN = 5_000;
/** Longer than a message may be on its way again. */
const LATE_MS = 15 * 60_000;

/**
 * Raises the event of the newest control change to the run's instance and to every child that is not (or only just) ended. An event
 * only wakes (I6): one that is lost, or meets an instance that has ended or never began, costs nothing but time. The
 * event of the change before is raised too: whoever missed that one still waits for it, and for no later one.
 */
export async function wakeRun(
  services: Services,
  engine: Engine,
  run: Pick<RunRow, 'runId' | 'instanceId' | 'controlSeq'>,
): Promise<void> {
  await raise(engine, run.instanceId, run.runId, run.controlSeq);
  await wakeChildren(services, engine, run.runId, run.controlSeq);
}

/**
 * Raises the events of change `seq` and of the one before to every child that is not (or only just) ended. After the end of a run no
 * change comes any more: the event after the last one tells children that still wait to look.
 */
export async function wakeChildren(services: Services, engine: Engine, runId: string, seq: number): Promise<void> {
  const now = services.now();
  const all = await services.ledger.instancesOf(runId);
  const woken = all.filter((row) => row.state !== 'ended' || endedLately(row, now)).slice(0, MOST_CHILDREN);
  await inBatches(woken, AT_ONCE, ({ instanceId }) => raise(engine, instanceId, runId, seq));
}

/**
 * The last step of a waiting child writes that it has ended, and a second delivery of an earlier step may have been that
 * one: the child still waits, and has to be woken to find out.
 */
function endedLately({ kind, endedAt }: InstanceRow, now: number): boolean {
  return kind !== 'lane' && endedAt !== null && now - endedAt < LATE_MS;
}

/** An event that nobody waits for any more is kept by the engine and harms nothing: no number is waited for twice. */
async function raise(engine: Engine, instanceId: string, runId: string, seq: number): Promise<void> {
  if (seq > 1) await engine.wake(instanceId, controlEvent(runId, seq - 1));
  await engine.wake(instanceId, controlEvent(runId, seq));
}
