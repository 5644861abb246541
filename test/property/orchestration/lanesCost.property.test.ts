import { describe, expect, it } from 'vitest';
import { interpret, type Interpretation } from '../../../src/orchestration/interpreter.ts';
import { laneOrchestration } from '../../../src/orchestration/lane.ts';
import { laneChunks, laneInstanceId } from '../../../src/orchestration/lanes.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { expanded, scheduleOf, succeeded } from '../../support/schedules.ts';

const WINDOW = 10;
const schedule = scheduleOf({ src: [], a: ['src'], b: ['a'], end: ['b'] }, { groups: [['a', 'b']], window: WINDOW });
const own = scheduleOf({ a: [], b: ['a'] }, { window: 1 });

interface Cost {
  readonly activities: number;
  /** Calls, timers and events of the longest history. */
  readonly longest: number;
  readonly run: number;
  readonly ms: number;
  readonly status: number;
}

/** Runs a group of two members over `count` items, lanes included, every answer at once. */
function runItems(count: number): Cost {
  const began = performance.now();
  const chunks = new Map(
    laneChunks(count, WINDOW, 2).map((chunk) => [
      laneInstanceId('run-1', { nodeId: 'a', item: chunk.from, revision: 0, attempt: 1 }),
      chunk,
    ]),
  );
  const size = (hand: HandDriven<unknown>): number => hand.calls.length + hand.timers.length + hand.events.length;
  const hand = new HandDriven<Interpretation>((verbs) => interpret(verbs, schedule));
  let activities = 0;
  let longest = 0;
  let seen = 0;
  while (hand.ended === undefined) {
    const call = hand.calls[seen++];
    if (call === undefined) throw new Error('nothing is open');
    if (call.kind === 'activity') {
      activities += 1;
      hand.answer(call, call.name === 'expand1' ? expanded(call.input, count, 'lanes') : succeeded(call.input));
      continue;
    }
    const id = call.name.slice('lane1:'.length);
    const chunk = chunks.get(id);
    if (chunk === undefined) throw new Error(`lane ${id} is not one of the chunks`);
    chunks.delete(id);
    const lane = new HandDriven<unknown>((verbs) => laneOrchestration(verbs, call.input, id));
    lane.answer(lane.open()[0], { version: 1, go: true, schedule: own, ...chunk, controlSeq: 0 });
    for (let i = 1; lane.ended === undefined; i += 1) lane.answer(lane.calls[i], succeeded(lane.calls[i]?.input));
    activities += lane.calls.length;
    longest = Math.max(longest, size(lane));
    hand.answer(call, (lane.ended as { value: unknown }).value);
  }
  expect((hand.ended as { value: Interpretation }).value.error).toBeNull();
  expect(chunks.size).toBe(0);
  const status = Math.max(...hand.statuses.map((value) => JSON.stringify(value).length));
  return { activities, longest: Math.max(longest, 0), run: size(hand), ms: performance.now() - began, status };
}

describe('I9 cost of a fan-out over two members', () => {
  it.each([100, 1_000, 10_000])('%i items: bounded histories, two activities an item and one a lane', (count) => {
    const cost = runItems(count);
    const lanes = laneChunks(count, WINDOW, 2).length;
    expect(cost.activities).toBe(2 * count + lanes + 5);
    expect(cost.longest).toBeLessThanOrEqual(2 * 50 + 3);
    expect(cost.run).toBe(lanes + 7);
    expect(cost.run).toBeLessThanOrEqual(300);
    expect(cost.status).toBeLessThan(4_096);
  });

  it('work grows with the items, not with their square: 10 000 cost less than 4 times as much an item as 1 000', () => {
    runItems(1_000);
    const least = (count: number): number => Math.min(...Array.from({ length: 3 }, () => runItems(count).ms)) / count;
    expect(least(10_000) / least(1_000)).toBeLessThan(4);
  });
});
