import { describe, expect, it } from 'vitest';
import { interpret, type Interpretation } from '../../../src/orchestration/interpreter.ts';
import type { Decision } from '../../../src/orchestration/messages.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { failed, scheduleOf, succeeded } from '../../support/schedules.ts';

const drive = (schedule: Schedule): HandDriven<Interpretation> => new HandDriven((verbs) => interpret(verbs, schedule));
const openIds = (hand: HandDriven<Interpretation>): string[] =>
  hand.open('node1').map((call) => (call.input as { nodeId: string }).nodeId);
const finish = (hand: HandDriven<Interpretation>, id: string): void => {
  const call = hand.open('node1').find((open) => (open.input as { nodeId: string }).nodeId === id);
  hand.answer(call, succeeded(call?.input));
};
const failNode = (hand: HandDriven<Interpretation>, id: string, errorClass: string, more = {}): void => {
  const call = hand.open('node1').find((open) => (open.input as { nodeId: string }).nodeId === id);
  hand.answer(call, failed(call?.input, errorClass, more));
};
/** Answers the call that tells the ledger of a failure; its decisions. */
const told = (hand: HandDriven<Interpretation>): readonly Decision[] => {
  const call = hand.open('stop1')[0];
  hand.answer(call, { version: 1, seq: 1 });
  return (call?.input as unknown as { decisions: Decision[] }).decisions;
};
const result = (hand: HandDriven<Interpretation>): Interpretation => {
  if (hand.ended === undefined || !('value' in hand.ended)) throw new Error('not ended well');
  return hand.ended.value;
};

describe('starting nodes (I1, I2, I3)', () => {
  it('starts a node the moment its last predecessor succeeds, without waiting for a wave', () => {
    const hand = drive(scheduleOf({ a: [], b: ['a'], slow: [], c: ['b'] }));
    expect(openIds(hand).sort()).toEqual(['a', 'slow']);
    finish(hand, 'a');
    expect(openIds(hand).sort()).toEqual(['b', 'slow']);
    finish(hand, 'b');
    expect(openIds(hand).sort()).toEqual(['c', 'slow']);
  });

  it('O-36 runs the tip of a diamond once, after both sides', () => {
    const hand = drive(scheduleOf({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }));
    finish(hand, 'a');
    finish(hand, 'c');
    expect(openIds(hand)).toEqual(['b']);
    finish(hand, 'b');
    expect(openIds(hand)).toEqual(['d']);
    finish(hand, 'd');
    expect(result(hand)).toEqual({ error: null, decisions: [], holds: [] });
    expect(hand.calls.filter((call) => call.name === 'node1')).toHaveLength(4);
  });

  it('O-02 never opens more than the window and orders by critical path, then id', () => {
    const graph = { a: [], b: [], c: [], d: ['c'], e: [], f: [] };
    const hand = drive(scheduleOf(graph, { window: 2, seconds: { d: 10 } }));
    expect(openIds(hand)).toEqual(['c', 'a']);
    finish(hand, 'a');
    expect(openIds(hand)).toEqual(['c', 'b']);
    finish(hand, 'c');
    expect(openIds(hand)).toEqual(['b', 'd']);
  });

  it('O-02 schedules each node exactly once when two finish in one batch', () => {
    const hand = drive(scheduleOf({ a: [], b: [], c: ['a', 'b'], d: [], e: [], f: [] }, { window: 2 }));
    for (const id of ['b', 'a']) finish(hand, id);
    while (openIds(hand).length > 0) finish(hand, openIds(hand)[0] ?? '');
    const started = hand.calls
      .filter((call) => call.name === 'node1')
      .map((call) => (call.input as { nodeId: string }).nodeId);
    expect([...started].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('O-34 runs nodes named like members of Object.prototype', () => {
    const hand = drive(scheduleOf({ constructor: [], toString: ['constructor'], valueOf: ['toString'] }));
    for (const id of ['constructor', 'toString', 'valueOf']) finish(hand, id);
    expect(result(hand).error).toBeNull();
  });
});

describe('failures (I7) and retries (O-11)', () => {
  it('starts nothing after a terminal failure, awaits what runs, and says why the rest was skipped', () => {
    const hand = drive(scheduleOf({ a: [], b: ['a'], c: [], d: ['c'] }));
    failNode(hand, 'a', 'permanent');
    const decisions = told(hand);
    expect(hand.ended).toBeUndefined();
    finish(hand, 'c');
    const { error } = result(hand);
    expect(error).toMatchObject({ code: 'TOOL_FAILED', class: 'permanent' });
    expect(decisions.map(({ nodeId, kind }) => [nodeId, kind])).toEqual([
      ['b', 'skippedByFailure'],
      ['d', 'skippedByFailure'],
    ]);
    expect(hand.openTimers()).toEqual([]);
  });

  it.each(['permanent', 'denied', 'unexpected', 'unknown'])('never retries class %s', (errorClass) => {
    const hand = drive(scheduleOf({ a: [] }));
    failNode(hand, 'a', errorClass);
    told(hand);
    expect(result(hand).error).toMatchObject({ class: errorClass });
    expect(hand.calls.map((call) => call.name)).toEqual(['node1', 'stop1']);
  });

  it('retries transient failures with growing delays up to the most attempts, telling the attempt each time', () => {
    const hand = drive(scheduleOf({ a: [] }, { attempts: 3 }));
    failNode(hand, 'a', 'transient');
    expect(openIds(hand)).toEqual([]);
    hand.advance(1_200);
    failNode(hand, 'a', 'transient');
    hand.advance(1_500);
    expect(openIds(hand)).toEqual([]);
    hand.advance(900);
    failNode(hand, 'a', 'transient');
    told(hand);
    expect(result(hand).error).toMatchObject({ class: 'transient' });
    expect(
      hand.calls.filter(({ name }) => name === 'node1').map((call) => (call.input as { attempt: number }).attempt),
    ).toEqual([1, 2, 3]);
  });

  it('honours Retry-After', () => {
    const hand = drive(scheduleOf({ a: [] }));
    failNode(hand, 'a', 'throttled', { retryAfterMs: 30_000 });
    hand.advance(29_000);
    expect(openIds(hand)).toEqual([]);
    hand.advance(1_001);
    expect(openIds(hand)).toEqual(['a']);
  });

  it('gives the slot of a node that waits for its retry to another node (I3)', () => {
    const hand = drive(scheduleOf({ a: [], b: [] }, { window: 1 }));
    failNode(hand, 'a', 'transient');
    expect(openIds(hand)).toEqual(['b']);
    expect((hand.open('node1')[0]?.input as { decisions: { kind: string }[] }).decisions.map((d) => d.kind)).toEqual([
      'retryWait',
    ]);
  });

  it('fails rather than start a retry that could not begin before the deadline', () => {
    const hand = drive(scheduleOf({ a: [] }, { deadlineAt: Date.UTC(2026, 0, 5) + 10_000 }));
    failNode(hand, 'a', 'throttled', { retryAfterMs: 60_000 });
    told(hand);
    expect(result(hand).error).toMatchObject({ class: 'throttled' });
  });

  it('asks again, as a new attempt, when the platform lost the answer', () => {
    const hand = drive(scheduleOf({ a: [] }, { attempts: 1 }));
    hand.lose(hand.open('node1')[0], 'worker gone');
    hand.advance(2_000);
    expect((hand.open('node1')[0]?.input as { attempt: number }).attempt).toBe(2);
    finish(hand, 'a');
    expect(result(hand).error).toBeNull();
  });
});

describe('guards', () => {
  it('I4 refuses a result that names another node', () => {
    const hand = drive(scheduleOf({ a: [], b: [] }));
    const [first] = hand.open('node1');
    hand.answer(first, succeeded({ nodeId: 'zzz', item: -1, attempt: 1 }));
    told(hand);
    hand.answer(hand.open('node1')[0], succeeded(hand.open('node1')[0]?.input));
    expect(result(hand).error).toMatchObject({ code: 'DETERMINISM_VIOLATION' });
  });

  it('I4 refuses a result that names another attempt', () => {
    const hand = drive(scheduleOf({ a: [] }));
    hand.answer(hand.open('node1')[0], succeeded({ nodeId: 'a', item: -1, attempt: 7 }));
    told(hand);
    expect(result(hand).error).toMatchObject({ code: 'DETERMINISM_VIOLATION' });
  });

  it('O-03 a run that can never go on says SCHEDULER_STALLED and names the nodes', () => {
    const schedule = scheduleOf({ a: [], b: ['a'] }, { window: 0 });
    expect(result(drive(schedule)).error).toMatchObject({ code: 'SCHEDULER_STALLED', message: 'never started: a, b' });
  });
});

describe('cancel and deadline', () => {
  const cancel = (hand: HandDriven<Interpretation>, control: string): void => {
    hand.raise(controlEvent('run-1', 1));
    hand.answer(hand.open('control1')[0], { version: 1, control, seq: 1 });
  };

  it('O-14 starts nothing after a cancel and ends when the open activity has ended', () => {
    const hand = drive(scheduleOf({ a: [], b: ['a'] }));
    cancel(hand, 'cancel');
    finish(hand, 'a');
    const { error, decisions } = result(hand);
    expect(error).toMatchObject({ code: 'CANCELLED' });
    expect(decisions).toMatchObject([{ nodeId: 'b', kind: 'cancelled' }]);
    expect(openIds(hand)).toEqual([]);
  });

  it('I6 does not believe the event: without the flag the run goes on', () => {
    const hand = drive(scheduleOf({ a: [], b: ['a'] }));
    cancel(hand, 'none');
    finish(hand, 'a');
    finish(hand, 'b');
    expect(result(hand).error).toBeNull();
  });

  it('O-05 a cancel raised before the run waits is not lost', () => {
    const hand = new HandDriven<Interpretation>(function* (verbs) {
      const begin = verbs.activity('begin1', null);
      yield* verbs.firstOf([begin]);
      return yield* interpret(verbs, scheduleOf({ a: [] }));
    });
    hand.raise(controlEvent('run-1', 1));
    hand.answer(hand.open('begin1')[0], null);
    hand.answer(hand.open('control1')[0], { version: 1, control: 'cancel', seq: 1 });
    finish(hand, 'a');
    expect(result(hand).error).toMatchObject({ code: 'CANCELLED' });
  });

  it('ends retry waits at once on a cancel and leaves no timer open (O-04, I11)', () => {
    const hand = drive(scheduleOf({ a: [] }));
    failNode(hand, 'a', 'throttled', { retryAfterMs: 60_000 });
    cancel(hand, 'cancel');
    expect(result(hand).error).toMatchObject({ code: 'CANCELLED' });
    expect(hand.openTimers()).toEqual([]);
  });

  it('cancels the deadline timer when the run is done (O-04)', () => {
    const hand = drive(scheduleOf({ a: [] }));
    expect(hand.openTimers()).toHaveLength(1);
    finish(hand, 'a');
    expect(hand.openTimers()).toEqual([]);
  });

  it('stops at the deadline, also one that has passed already (O-04)', () => {
    const late = drive(scheduleOf({ a: [], b: ['a'] }, { deadlineAt: Date.UTC(2026, 0, 5) + 5_000 }));
    late.advance(5_001);
    told(late);
    finish(late, 'a');
    expect(result(late).error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const past = drive(scheduleOf({ a: [], b: ['a'] }, { deadlineAt: Date.UTC(2025, 0, 1) }));
    expect(told(past).map(({ nodeId }) => nodeId)).toEqual(['a', 'b']);
    expect(openIds(past)).toEqual([]);
    expect(result(past).error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });
});
