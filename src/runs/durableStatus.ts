import type { Engine } from './engine.ts';
import { HttpProblem } from './http/problem.ts';
import { ownRun } from './read.ts';
import type { Caller } from './access.ts';
import type { Services } from './services.ts';

/** `GET /runs/{id}/durable`: Durable's status JSON for the run's instance, without inputs, links or keys (O-40). */
export async function durableStatus(
  services: Services,
  engine: Engine,
  caller: Caller,
  runId: string,
): Promise<{ readonly running: boolean; readonly body: Record<string, unknown> }> {
  const run = await ownRun(services, caller, runId);
  const status = await engine.status(run.instanceId);
  if (status === undefined)
    throw new HttpProblem('NOT_FOUND', `The engine does not know the instance of run ${runId} (yet).`);
  const running = ['Running', 'Pending', 'ContinuedAsNew', 'Suspended'].includes(status.runtimeStatus);
  return {
    running,
    body: {
      name: 'run1',
      instanceId: run.instanceId,
      runtimeStatus: status.runtimeStatus,
      input: null,
      customStatus: status.customStatus,
      output: running ? null : { runId, status: run.status },
      createdTime: status.createdTime,
      lastUpdatedTime: status.lastUpdatedTime,
    },
  };
}
