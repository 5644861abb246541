/** What the janitor does about a row and its instance: pure, so that the table can be read and tested as one. */
import type { RunStatus } from '../ledger/port.ts';

/** Whether an instance may still do something. `missing`: the engine has never heard of it, or its history was purged. */
export type Life = 'live' | 'dead' | 'missing';

const DEAD: ReadonlySet<string> = new Set(['Completed', 'Failed', 'Terminated', 'Canceled']);

/** A runtime status that we do not know counts as live: what is not understood is left alone. */
export function lifeOf(status: { readonly runtimeStatus: string } | undefined): Life {
  if (status === undefined) return 'missing';
  return DEAD.has(status.runtimeStatus) ? 'dead' : 'live';
}

/** A run that has just changed is left alone: its own instance is probably at work, ms. */
export const QUIET_MS = 10_000;
/** A start may be on its way for this long before it counts as missing, ms. */
const MISSING_MS = 60_000;
/** Instances get this long to see by themselves that their run has ended, ms. */
export const PATIENCE_MS = 10 * 60_000;

/** About a run that has not ended, by its row and its own instance. `quietMs`: since its last event. */
export function runVerdict(status: RunStatus, life: Life, quietMs: number): 'leave' | 'start' | 'end' {
  if (life === 'live' || quietMs < QUIET_MS) return 'leave';
  if (life === 'dead') return 'end';
  if (quietMs < MISSING_MS) return 'leave';
  // Only a row that nothing has touched may get a first instance: a second one would run what the first has begun.
  return status === 'accepted' ? 'start' : 'end';
}

/** About an instance of a run that has ended, `endedMs` ago. */
export function endedVerdict(life: Life, endedMs: number): 'close' | 'wake' | 'terminate' {
  if (life !== 'live') return 'close';
  return endedMs < PATIENCE_MS ? 'wake' : 'terminate';
}
