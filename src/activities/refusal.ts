import { mayRetry, NOT_THE_NODES } from '../orchestration/retry.ts';
import type { NodeInput } from '../orchestration/messages.ts';
import type { NodeError } from '../plan/errors.ts';
import { argsDigest } from '../plan/operationKey.ts';
import { reserveWhenFree } from '../runs/owner.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';
import { shortError } from './result.ts';

/**
 * Records the failure of a node whose inputs were refused before anything was reserved, where the run may go on without
 * it (`onFailure: continue`) or it is one item of many: the run's status and report are computed from the ledger alone.
 * `held`: the run is suspended, nothing was recorded, and the node has to be asked again when it goes on.
 */
export async function recordRefusal(
  services: Services,
  context: NodeContext,
  request: Pick<NodeInput, 'by' | 'decisions'>,
  failure: NodeError,
): Promise<'held' | 'told'> {
  const { node, tool, ids, operationKey, warranted } = context;
  if (node.onFailure !== 'continue' && ids.item === -1) return 'told';
  if (mayRetry(failure) || NOT_THE_NODES.has(failure.code)) return 'told';
  const reserved = await reserveWhenFree(
    services.ledger,
    {
      operationKey,
      runId: ids.runId,
      nodeId: ids.nodeId,
      item: ids.item,
      planDigest: warranted.planDigest,
      argsDigest: argsDigest({ tool: tool.name, version: tool.version, refused: true }),
      tool: tool.name,
      effect: tool.effect,
      attempt: ids.attempt,
      ownerMs: 0,
      by: request.by,
      decisions: request.decisions,
    },
    { now: () => services.now(), patienceMs: 0 },
  );
  if (reserved.outcome !== 'reserved') return reserved.outcome === 'held' ? 'held' : 'told';
  const { fencingToken } = reserved;
  await services.ledger.fail(operationKey, fencingToken, {
    error: shortError(failure),
    checks: [],
    now: services.now(),
  });
  return 'told';
}
