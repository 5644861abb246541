/**
 * What a reservation meets, decided from the rows alone, so that every store decides alike (design §6; O-11, O-14,
 * O-20). The store then carries the verdict out with a conditional update.
 */
import { isStopped } from './outcome.ts';
import { TERMINAL_STATUSES, type OperationRow, type ReserveRequest, type RunRow } from './port.ts';

export type Verdict =
  /** No row yet: insert it. */
  | { readonly do: 'insert' }
  /** Become the owner of the row, with the next fencing token. */
  | { readonly do: 'take'; readonly attempt: number; readonly reopened: boolean }
  | { readonly do: 'answer'; readonly outcome: 'completed' | 'failed' | 'conflict' | 'stopped' }
  | { readonly do: 'wait'; readonly ownerUntil: number }
  /** The run is suspended: what would start waits until it is resumed. */
  | { readonly do: 'hold' };

/** A waiting caller asks again no sooner than this, ms. */
const ASK_AGAIN_MS = 1_000;
const RETRYABLE = new Set(['transient', 'throttled']);

/**
 * Order of the questions: same operation? already settled? somebody at work? may anything start? The answer about a
 * settled row stands even in a cancelled run, since giving it starts nothing.
 */
export function judge(request: ReserveRequest, run: RunRow, row: OperationRow | undefined): Verdict {
  const terminal = TERMINAL_STATUSES.has(run.status);
  const stopped = isStopped(run);
  const held = run.control === 'suspend' && request.system !== true;
  if (row === undefined) {
    if (stopped) return { do: 'answer', outcome: 'stopped' };
    return held ? { do: 'hold' } : { do: 'insert' };
  }
  if (!sameOperation(request, row)) return { do: 'answer', outcome: 'conflict' };

  switch (row.state) {
    case 'completed':
      return { do: 'answer', outcome: 'completed' };
    case 'failed': {
      const again = request.attempt > row.attempt && row.errorClass !== null && RETRYABLE.has(row.errorClass);
      if (!again) return { do: 'answer', outcome: 'failed' };
      if (stopped) return { do: 'answer', outcome: 'stopped' };
      if (held) return { do: 'hold' };
      return { do: 'take', attempt: request.attempt, reopened: true };
    }
    case 'unknown':
    case 'needsDecision':
      // Never retried by itself: the effect may have happened.
      return { do: 'answer', outcome: 'failed' };
    case 'submitted':
    case 'adopted':
    case 'resubmitted':
      // A remote job lives on without its owner; whoever follows it settles the row. The child of a later attempt, whose
      // earlier one was lost, follows it on.
      if (followsOn(request, row) && !terminal) return { do: 'take', attempt: row.attempt, reopened: false };
      return { do: 'wait', ownerUntil: Math.max(row.ownerUntil, request.now + ASK_AGAIN_MS) };
    case 'reserved':
      break;
  }
  if (terminal) return { do: 'answer', outcome: 'stopped' };
  if (row.ownerUntil > request.now) return { do: 'wait', ownerUntil: row.ownerUntil };
  if (stopped) return { do: 'answer', outcome: 'stopped' };
  // A late delivery of an earlier attempt starts nothing: the newer attempt's own delivery will.
  if (request.attempt < row.attempt) return { do: 'wait', ownerUntil: request.now + ASK_AGAIN_MS };
  // What had started before the suspension goes on: only its worker was lost.
  // A job may have been submitted under the key of the row's attempt: that stays the one it is looked for under.
  const attempt = request.child?.kind === 'job' ? row.attempt : request.attempt;
  return { do: 'take', attempt, reopened: false };
}

function followsOn(request: ReserveRequest, row: OperationRow): boolean {
  return request.child?.kind === 'job' && request.attempt > row.attempt && row.ownerUntil <= request.now;
}

export function sameOperation(request: ReserveRequest, row: OperationRow): boolean {
  return (
    request.argsDigest === row.argsDigest &&
    request.planDigest === row.planDigest &&
    request.tool === row.tool &&
    request.runId === row.runId &&
    request.nodeId === row.nodeId &&
    request.item === row.item
  );
}
