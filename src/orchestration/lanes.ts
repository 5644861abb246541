import { childInstanceId } from '../plan/operationKey.ts';

/** Most `forEach` instances that one run executes inside its own history; the rest runs in lanes (I9). */
export const MOST_INLINE = 50;

/** Most instances (items × members) of one lane: bounds the history of the child. */
const MOST_A_LANE = 100;
const MOST_ITEMS_A_LANE = 50;

export interface Chunk {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * Chunks that lanes take one after another: clamp(ceil(remaining / 2 · window), 1, 50) items each, so that the last ones
 * are small and no lane ends long after the others (guided self-scheduling, Polychronopoulos and Kuck 1987). Depends on
 * the numbers alone, so that the activity that records the children and the orchestrator that starts them agree.
 */
export function laneChunks(count: number, window: number, members: number): readonly Chunk[] {
  const most = Math.max(1, Math.min(MOST_ITEMS_A_LANE, Math.floor(MOST_A_LANE / members)));
  const chunks: Chunk[] = [];
  for (let from = 0; from < count;) {
    const size = Math.min(most, Math.max(1, Math.ceil((count - from) / (2 * window))));
    chunks.push({ from, to: Math.min(count, from + size) });
    from += size;
  }
  return chunks;
}

/**
 * Instance id of a lane; `item` is its first item. Made from a name that no node has: the head's own wait or job for that
 * item is a child of the same node, item and attempt, and must have another id.
 */
export function laneInstanceId(
  runId: string,
  lane: { readonly nodeId: string; readonly item: number; readonly revision: number; readonly attempt: number },
): string {
  return childInstanceId(runId, { ...lane, nodeId: `$lane:${lane.nodeId}` });
}
