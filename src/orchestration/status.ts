import type { Board } from './board.ts';
import type { Json } from './verbs.ts';

/** Custom status stays below this many UTF-16 units of JSON whatever the plan (I9, O-10). */
export const MAX_STATUS_UNITS = 4096;
const SHOWN = 10;

export function customStatus(phase: string): Json {
  return { phase };
}

/** Counts and the first few running and failed tasks: bounded, and building it never throws. */
export function boardStatus(phase: string, board: Board, running: Iterable<string>): Json {
  const { nodes, items } = board.counts();
  const shown: string[] = [];
  for (const label of running) {
    if (shown.length === SHOWN) break;
    shown.push(label);
  }
  return {
    phase,
    nodes: { ...nodes },
    ...(items.all === 0 ? {} : { items: { ...items } }),
    running: shown,
    failed: [...board.failures(SHOWN)],
  };
}
