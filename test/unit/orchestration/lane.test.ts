import { describe, expect, it } from 'vitest';
import { laneOrchestration } from '../../../src/orchestration/lane.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import type { Json } from '../../../src/orchestration/verbs.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { failed, held, scheduleOf, skipped, succeeded, waits } from '../../support/schedules.ts';
import { inputOf, nameOf } from './driver.ts';

const ID = 'run-1-0123456789ab';
const ids = { version: 1, runId: 'run-1', instanceId: ID };

/** A lane over items 10, 11, 12 of the chain a → b. */
function lane(more: Parameters<typeof scheduleOf>[1] = {}): HandDriven<Json> {
  const hand = new HandDriven<Json>((verbs) => laneOrchestration(verbs, ids, ID));
  const schedule = scheduleOf({ a: [], b: ['a'] }, { window: 1, ...more });
  hand.answer(hand.open('lanePart1')[0], { version: 1, go: true, schedule, from: 10, to: 13, controlSeq: 4 });
  return hand;
}
const names = (hand: HandDriven<Json>): string[] => hand.open().map(nameOf);
const answer = (hand: HandDriven<Json>, value: (input: unknown) => unknown): void => {
  const call = hand.open('node1')[0];
  hand.answer(call, value(call?.input));
};

describe('lane1', () => {
  it('goes through its items one by one, chain by chain, with window 1, and says which', () => {
    const hand = lane();
    const order: string[] = [];
    while (hand.ended === undefined) {
      expect(hand.open()).toHaveLength(1);
      order.push(names(hand)[0] ?? '');
      answer(hand, succeeded);
    }
    expect(order).toEqual(['a[10]', 'b[10]', 'a[11]', 'b[11]', 'a[12]', 'b[12]']);
    expect(hand.ended).toEqual({ value: { version: 1, ok: true, from: 10, to: 13 } });
    expect(hand.openTimers()).toEqual([]);
  });

  it('decides under its own name and asks the flag under its own name', () => {
    const hand = lane({ nodes: { a: { soft: true }, b: { needs: ['a'] } } });
    answer(hand, (input) => failed(input, 'permanent'));
    expect(inputOf(hand.open('node1')[0])).toMatchObject({
      by: ID,
      decisions: [{ seq: 1, nodeId: 'b', item: 10, kind: 'skippedByFailure' }],
    });
    hand.raise(controlEvent('run-1', 5));
    expect(hand.open('control1')[0]?.input).toMatchObject({ by: ID });
  });

  it('hands decisions that no activity has carried to its parent', () => {
    const hand = lane({ nodes: { b: { needs: ['a'] } } });
    while (hand.ended === undefined)
      answer(hand, (input) => (inputOf({ input } as never).item === 12 ? skipped(input) : succeeded(input)));
    expect(hand.ended).toMatchObject({
      value: { ok: true, decisions: [{ nodeId: 'b', item: 12, kind: 'skippedByCondition' }] },
    });
  });

  it('I7 a failure is told to the ledger at once, for its siblings; nothing starts after it', () => {
    const hand = lane();
    answer(hand, (input) => failed(input, 'permanent'));
    expect(hand.open('stop1')[0]?.input).toMatchObject({
      by: ID,
      error: { message: 'a[10]: a failed' },
      decisions: [],
    });
    hand.answer(hand.open('stop1')[0], { version: 1, seq: 5 });
    expect(hand.ended).toMatchObject({ value: { ok: false, from: 10, to: 13, error: { code: 'TOOL_FAILED' } } });
  });

  it('stops when it hears that the run was stopped elsewhere, without telling it again', () => {
    const hand = lane();
    hand.raise(controlEvent('run-1', 5));
    hand.answer(hand.open('control1')[0], { version: 1, control: 'none', seq: 5, stopping: 'TOOL_FAILED' });
    answer(hand, succeeded);
    expect(hand.ended).toMatchObject({ value: { ok: false, error: { code: 'TOOL_FAILED' } } });
    expect(hand.calls.filter(({ name }) => name === 'stop1')).toEqual([]);
  });

  it('a wait of one item lets the next item go on; the lane ends when all have', () => {
    const hand = lane();
    answer(hand, (input) => waits(input, Date.UTC(2026, 0, 5) + 60_000, 'run-1-sleep'));
    expect(names(hand)).toEqual(['a[11]']);
    for (let i = 0; i < 4; i += 1) answer(hand, succeeded);
    expect(hand.ended).toBeUndefined();
    hand.advance(60_000);
    answer(hand, succeeded);
    answer(hand, succeeded);
    expect(hand.ended).toMatchObject({ value: { ok: true } });
  });

  it('is suspended and resumed like the run, with a hold child of its own that it awaits', () => {
    const hand = lane();
    answer(hand, held);
    hand.answer(hand.open('control1')[0], {
      version: 1,
      control: 'suspend',
      seq: 5,
      hold: { instanceId: 'run-1-hold' },
    });
    expect(names(hand)).toEqual(['sleep1']);
    hand.raise(controlEvent('run-1', 6));
    hand.answer(hand.open('control1')[0], { version: 1, control: 'none', seq: 6 });
    while (hand.open('node1').length > 0) answer(hand, succeeded);
    expect(hand.ended).toBeUndefined();
    hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'resumed' });
    expect(hand.ended).toMatchObject({ value: { ok: true } });
  });

  it('ends at once when the ledger does not let it in', () => {
    const hand = new HandDriven<Json>((verbs) => laneOrchestration(verbs, ids, ID));
    hand.answer(hand.open('lanePart1')[0], { version: 1, go: false, reason: 'unexpectedInstance' });
    expect(hand.ended).toMatchObject({ value: { ok: false, from: -1, error: { code: 'CANCELLED' } } });
    expect(hand.calls).toHaveLength(1);
  });

  it.each([
    ['nothing', null],
    ['ids of another instance', { ...ids, instanceId: 'run-1-ffffffffffff' }],
    ['more than ids', { ...ids, items: [1, 2, 3] }],
    ['a hostile run id', { ...ids, runId: '../x' }],
  ])('given %s it ends before it calls anything', (_name, input) => {
    const hand = new HandDriven<Json>((verbs) => laneOrchestration(verbs, input, ID));
    expect(hand.ended).toMatchObject({ error: { message: expect.stringContaining('STATE_INVALID') } });
    expect(hand.calls).toEqual([]);
  });
});

describe('I9 the history of one lane is bounded', () => {
  it('100 instances are 100 activities, one for its part, and one timer', () => {
    const hand = new HandDriven<Json>((verbs) => laneOrchestration(verbs, ids, ID));
    const schedule = scheduleOf({ a: [], b: ['a'] }, { window: 1 });
    hand.answer(hand.open('lanePart1')[0], { version: 1, go: true, schedule, from: 0, to: 50, controlSeq: 0 });
    while (hand.ended === undefined) answer(hand, succeeded);
    expect(hand.calls).toHaveLength(101);
    expect(hand.timers).toHaveLength(1);
    expect(hand.events).toHaveLength(1);
  });
});
