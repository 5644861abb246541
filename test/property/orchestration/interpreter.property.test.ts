import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpret, type Interpretation } from '../../../src/orchestration/interpreter.ts';
import type { Decision } from '../../../src/orchestration/messages.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { failed, scheduleOf, succeeded } from '../../support/schedules.ts';

/** Random acyclic graphs: a node may follow any node before it. */
const graphs = fc.integer({ min: 1, max: 24 }).chain((size) =>
  fc
    .tuple(
      ...Array.from({ length: size }, (_, i) =>
        fc.subarray(
          Array.from({ length: i }, (_unused, j) => j),
          { maxLength: Math.min(i, 4) },
        ),
      ),
    )
    .map((edges) =>
      Object.fromEntries(
        edges.map((before, i) => [
          `n${String(i).padStart(2, '0')}`,
          before.map((j) => `n${String(j).padStart(2, '0')}`),
        ]),
      ),
    ),
);

interface Started {
  readonly id: string;
  readonly openBefore: number;
  readonly done: ReadonlySet<string>;
}

/** Drives a run: picks open calls by `picks`, fails those whose id is in `bad`, and notes what was true at each start. */
function drive(
  graph: Record<string, string[]>,
  window: number,
  picks: readonly number[],
  bad: ReadonlySet<string>,
): { hand: HandDriven<Interpretation>; starts: Started[] } {
  const hand = new HandDriven<Interpretation>((verbs) => interpret(verbs, scheduleOf(graph, { window })));
  const starts: Started[] = [];
  const done = new Set<string>();
  let seen = 0;
  const note = (): void => {
    for (const stop of hand.open('stop1')) hand.answer(stop, { version: 1, seq: 1 });
    for (; seen < hand.calls.length; seen += 1) {
      if (hand.calls[seen]?.name !== 'node1') continue;
      const { nodeId } = hand.calls[seen]?.input as { nodeId: string };
      starts.push({ id: nodeId, openBefore: hand.open('node1').length, done: new Set(done) });
    }
  };
  note();
  for (let step = 0; hand.ended === undefined && step < 1_000; step += 1) {
    const open = hand.open('node1');
    const call = open[(picks[step % picks.length] ?? 0) % open.length];
    const { nodeId } = call?.input as { nodeId: string };
    if (bad.has(nodeId)) hand.answer(call, failed(call?.input, 'permanent'));
    else {
      done.add(nodeId);
      hand.answer(call, succeeded(call?.input));
    }
    note();
  }
  return { hand, starts };
}

describe('any graph, any order of completions', () => {
  it('runs every node exactly once, after its predecessors, within the window, without waves', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        (graph, window, picks) => {
          const { hand, starts } = drive(graph, window, picks, new Set());
          expect(hand.ended).toEqual({ value: { error: null, decisions: [], holds: [] } });
          expect(starts.map((start) => start.id).sort()).toEqual(Object.keys(graph).sort());
          for (const start of starts) {
            expect(start.openBefore).toBeLessThanOrEqual(window);
            for (const before of graph[start.id] ?? []) expect(start.done.has(before)).toBe(true);
          }
          expect(hand.openTimers()).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('after a failure starts nothing, accounts for every node, and leaves nothing open', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        fc.nat(),
        (graph, window, picks, which) => {
          const ids = Object.keys(graph).sort();
          const bad = ids[which % ids.length] ?? '';
          const { hand, starts } = drive(graph, window, picks, new Set([bad]));
          const end = hand.ended as { value: Interpretation };
          expect(end.value.error?.message).toContain(bad);
          const stop = hand.calls.find(({ name }) => name === 'stop1')?.input as unknown as { decisions: Decision[] };
          const closed = stop.decisions.map((decision) => decision.nodeId);
          expect([...starts.map((start) => start.id), ...closed].sort()).toEqual(ids);
          expect(hand.openTimers()).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('starts the same nodes in the same order however often it is replayed', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        (graph, window, picks) => {
          const order = (): string[] => drive(graph, window, picks, new Set()).starts.map((start) => start.id);
          expect(order()).toEqual(order());
        },
      ),
      { numRuns: 100 },
    );
  });
});
