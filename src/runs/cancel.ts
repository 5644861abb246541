import { controlEvent } from '../orchestration/names.ts';
import type { Engine } from './engine.ts';
import { HttpProblem } from './http/problem.ts';
import { runLinks } from './links.ts';
import { ownRun } from './read.ts';
import type { Caller } from './access.ts';
import type { Services } from './services.ts';

/** Rounds an orchestration may have gone through when the event is raised: one is enough for a cancel. */
const ROUND = 0;

/**
 * `POST /runs/{id}/cancel`: sets the flag in the ledger, then wakes the instance (I6). The flag is what counts: nothing
 * starts after it, whether or not the event arrives (O-14). A run that has ended answers 409 with its state (O-06).
 */
export async function cancelRun(
  services: Services,
  engine: Engine,
  caller: Caller,
  runId: string,
  origin: string,
): Promise<Record<string, unknown>> {
  const run = await ownRun(services, caller, runId);
  const { accepted, run: after } = await services.ledger.setControl(
    runId,
    'cancel',
    caller.principal.oid,
    services.now(),
  );
  if (!accepted) throw new HttpProblem('WRONG_STATE', `The run has ended: ${after.status}.`);
  await engine.wake(run.instanceId, controlEvent(runId, ROUND));
  return { runId, status: after.status, control: after.control, links: runLinks(origin, runId) };
}
