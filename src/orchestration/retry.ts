import { sha256Hex } from '../plan/sha256.ts';
import type { ResultError } from './messages.ts';

const FIRST_MS = 1_000;
const CAP_MS = 60_000;

/** Only these are ever tried again (design §5 "Errors"). */
export function mayRetry(error: ResultError): boolean {
  return error.class === 'transient' || error.class === 'throttled';
}

/**
 * Faults of ours, of a call that came too early, and ends that are not a node's own: they stop the run even where the plan
 * tolerates the node's failure, and are not recorded as one.
 */
export const NOT_THE_NODES: ReadonlySet<string> = new Set([
  'WARRANT_MISMATCH',
  'STATE_INVALID',
  'UPSTREAM_NOT_COMPLETED',
  'TOOL_REMOVED',
  'DEADLINE_EXCEEDED',
]);

/** Key of the jitter of a node or item: orchestrator and activity compute the same delay from it. */
export function retryKey(runId: string, nodeId: string, item: number): string {
  return item < 0 ? `${runId}:${nodeId}` : `${runId}:${nodeId}:${String(item)}`;
}

/**
 * Delay before the next attempt, ms: capped exponential back-off (1 s, 2 s, 4 s … 60 s) with a jitter of ±20 % derived
 * from the key, so that a replay computes the same; never earlier than the service asked for (`Retry-After`).
 */
export function retryDelay(key: string, attempt: number, error: ResultError): number {
  const backoff = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  const unit = Number.parseInt(sha256Hex(`jitter.v1:${key}:${String(attempt)}`).slice(0, 8), 16) / 0xffffffff;
  return Math.max(Math.round(backoff * (0.8 + 0.4 * unit)), error.retryAfterMs ?? 0);
}
