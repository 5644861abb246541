import { TERMINAL_STATUSES } from '../ledger/port.ts';
import type { Caller } from './access.ts';
import type { Engine } from './engine.ts';
import { HttpProblem } from './http/problem.ts';
import { ownRun } from './read.ts';
import type { Services } from './services.ts';
import { newRunId, started, type Started } from './start.ts';
import { requestOf } from './storedRequest.ts';
import { uploadsIn } from './validationContext.ts';

/**
 * `POST /runs/{id}/retry`: a new run of the same request, as of the same time, that takes over what the ended one has
 * completed without effect. Once a run by default, so that an impatient second click starts nothing. The ended run stays
 * as it is: terminal never changes (I10), and nothing is rewound (O-14).
 */
export async function retryRun(
  services: Services,
  engine: Engine,
  caller: Caller,
  input: { readonly runId: string; readonly key: string | null; readonly origin: string },
): Promise<Started> {
  const first = await ownRun(services, caller, input.runId);
  if (!TERMINAL_STATUSES.has(first.status) || first.status === 'succeeded') {
    const why = first.status === 'succeeded' ? 'The run succeeded; start a new one.' : 'The run has not ended.';
    throw new HttpProblem('WRONG_STATE', why);
  }
  // A purged or erased run has nothing left to try again: its request reads as empty.
  if (requestOf(first).plan === undefined && first.goal === '')
    throw new HttpProblem('WRONG_STATE', 'What this run was asked for has been removed; start a new run.');
  const { principal } = caller;
  const now = services.now();
  const runId = newRunId(now);
  const { outcome, run } = await services.ledger.createRun({
    runId,
    tenant: principal.tenant,
    requester: principal.oid,
    goal: first.goal,
    locale: first.locale,
    request: first.request,
    requestDigest: first.requestDigest,
    idempotencyKey: input.key ?? `retry:${first.runId}`,
    roles: principal.roles,
    instanceId: runId,
    now,
    uploads: uploadsIn(JSON.parse(first.request) as never),
    retryOf: first.runId,
    asOf: first.asOf,
  });
  if (outcome === 'conflict' || (outcome === 'exists' && run.retryOf !== first.runId)) {
    throw new HttpProblem(
      'IDEMPOTENCY_CONFLICT',
      `The key was used for run ${run.runId}, which is another request. Use a new key for a new request.`,
    );
  }
  if (!TERMINAL_STATUSES.has(run.status)) await engine.start(run.instanceId, run.runId);
  return started(run, input.origin);
}
