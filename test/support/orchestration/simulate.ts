/** Simulated time: how long a schedule takes when every node takes exactly as long as the caller says. */
import { interpret } from '../../../src/orchestration/interpreter.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { HandDriven } from '../handDriven.ts';
import { succeeded } from '../schedules.ts';

export const START = Date.UTC(2026, 0, 5);

/** Makespan of the interpreter, ms; completions at the same moment arrive in order of their starts. */
export function interpreted(schedule: Schedule, msOf: (nodeId: string) => number): number {
  const hand = new HandDriven((verbs) => interpret(verbs, schedule), START);
  const ends = new Map<(typeof hand.calls)[number], number>();
  while (hand.ended === undefined) {
    for (const call of hand.open())
      if (!ends.has(call)) ends.set(call, hand.now + msOf((call.input as unknown as { nodeId: string }).nodeId));
    const [next] = hand.open().sort((a, b) => (ends.get(a) ?? 0) - (ends.get(b) ?? 0));
    if (next === undefined) throw new Error('nothing is open');
    hand.advance((ends.get(next) ?? 0) - hand.now);
    hand.answer(next, succeeded(next.input));
  }
  if ('error' in hand.ended) throw hand.ended.error;
  return hand.now - START;
}

/** Makespan of a wave scheduler, ms: what is ready starts together, and the next wave after the whole one before. */
export function inWaves(schedule: Schedule, msOf: (nodeId: string) => number): number {
  const done = new Set<number>();
  let total = 0;
  while (done.size < schedule.nodes.length) {
    const wave = schedule.nodes.flatMap((node, index) =>
      !done.has(index) && node.after.every((before) => done.has(before)) ? [index] : [],
    );
    for (let from = 0; from < wave.length; from += schedule.window) {
      const batch = wave.slice(from, from + schedule.window);
      total += Math.max(...batch.map((index) => msOf(schedule.nodes[index]?.id ?? '')));
      for (const index of batch) done.add(index);
    }
  }
  return total;
}
