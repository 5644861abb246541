import type { Board } from './board.ts';
import type { Json } from './verbs.ts';

/** Custom status stays below this many UTF-16 units of JSON whatever the plan (I9, O-10). */
export const MAX_STATUS_UNITS = 4096;
const SHOWN = 10;

/** Counts and the first few running and failed nodes: bounded, and building it never throws. */
export function customStatus(phase: string, board?: Board): Json {
  if (board === undefined) return { phase };
  const counts = board.counts();
  return {
    phase,
    nodes: { ...counts },
    running: board.idsIn('running').slice(0, SHOWN),
    failed: board.idsIn('failed').slice(0, SHOWN),
  };
}
