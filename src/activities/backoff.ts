import { mayRetry, retryDelay, retryKey } from '../orchestration/retry.ts';
import type { NodeError } from '../plan/errors.ts';
import { childInstanceId } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';

/** Later attempts wait in a child, so that the history of the run stays bounded (I9). */
const FIRST_IN_A_CHILD = 3;
/** Beyond these no timer of the orchestrator may reach (I11), whatever its history began with. */
const LONG_DELAY_MS = 12 * 3_600_000;
const OLD_RUN_MS = 4 * 24 * 3_600_000;

/**
 * Records the sleep child for the back-off after a failed attempt; undefined when a timer will do or nothing is tried
 * again. A delivery that comes again meets the row that stands.
 */
export async function backoffOf(
  services: Services,
  context: NodeContext,
  error: NodeError,
): Promise<{ readonly instanceId: string; readonly until: number } | undefined> {
  const { ids, run, attempts } = context;
  if (!mayRetry(error) || ids.attempt >= attempts) return undefined;
  const now = services.now();
  const delay = retryDelay(retryKey(ids.runId, ids.nodeId, ids.item), ids.attempt, error);
  const old = now - (run.startedAt ?? run.createdAt) > OLD_RUN_MS;
  if (ids.attempt < FIRST_IN_A_CHILD && delay < LONG_DELAY_MS && !old) return undefined;
  const child = { nodeId: `$backoff:${ids.nodeId}`, item: ids.item, revision: ids.revision, attempt: ids.attempt };
  const row = await services.ledger.planInstance(
    {
      ...child,
      instanceId: childInstanceId(ids.runId, child),
      runId: ids.runId,
      kind: 'sleep',
      until: now + delay,
      to: null,
    },
    now,
  );
  return { instanceId: row.instanceId, until: row.until ?? now + delay };
}
