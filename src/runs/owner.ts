import type { Ledger, ReserveOutcome, ReserveRequest } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';

const POLL_MS = 250;

/** Resolves after `ms`, or rejects with CANCELLED when the signal aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(new ToolError('CANCELLED', 'The run was stopped.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Reserves an operation; while another execution of it is alive, waits for its owner lease to run out (a redelivered
 * message, or one after a crash) and asks again. Gives up after `patienceMs` with a transient error.
 */
export async function reserveWhenFree(
  ledger: Ledger,
  request: Omit<ReserveRequest, 'now'>,
  options: { readonly now: () => number; readonly patienceMs: number },
): Promise<Exclude<ReserveOutcome, { outcome: 'busy' }>> {
  const giveUpAt = options.now() + options.patienceMs;
  for (;;) {
    const outcome = await ledger.reserve({ ...request, now: options.now() });
    if (outcome.outcome !== 'busy') return outcome;
    const now = options.now();
    if (now >= giveUpAt) {
      throw new ToolError('STORE_UNAVAILABLE', 'Another execution of this node is still alive.', {
        class: 'transient',
        retryAfterMs: 5_000,
      });
    }
    // Mostly the other execution completes well before its lease ends: look often rather than wait it out.
    await pause(Math.max(10, Math.min(POLL_MS, outcome.ownerUntil - now + 10)));
  }
}
