import { describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { Again, type Json } from '../../../src/orchestration/verbs.ts';
import { jobOrchestration, sleepOrchestration } from '../../../src/orchestration/waitingChild.ts';
import { HandDriven } from '../../support/handDriven.ts';

const ID = 'run-1-0123456789ab';
const ids = { version: 1, runId: 'run-1', instanceId: ID };
const NOW = Date.UTC(2026, 0, 5);
const DAY = 86_400_000;
type Hand = HandDriven<Json | Again>;

const sleep = (input: unknown = ids, now = NOW): Hand =>
  new HandDriven((verbs) => sleepOrchestration(verbs, input, ID), now);
const job = (input: unknown = ids, now = NOW): Hand =>
  new HandDriven((verbs) => jobOrchestration(verbs, input, ID), now);
const wait = (hand: Hand, until: number, seq = 0): void =>
  hand.answer(hand.open()[0], { version: 1, state: 'wait', until, seq });
const endOf = (hand: Hand): Json | Again => {
  if (hand.ended === undefined || 'error' in hand.ended) throw new Error('not ended well');
  return hand.ended.value;
};

describe('waiting children', () => {
  it.each([
    ['sleepStep1', sleep],
    ['jobStep1', job],
  ])('ask %s first in each round, with ids alone, and end with what it says', (step, start) => {
    const hand = start();
    expect(hand.open().map(({ name, input }) => [name, input])).toEqual([[step, ids]]);
    wait(hand, NOW + 60_000);
    expect(hand.open()).toEqual([]);
    hand.advance(60_000);
    hand.answer(hand.open(step)[0], { version: 1, state: 'end', reason: 'due' });
    expect(endOf(hand)).toEqual({ version: 1, state: 'end', reason: 'due' });
    expect(hand.openTimers()).toEqual([]);
  });

  it('hand on the result of a job as it is', () => {
    const hand = job();
    const result = { version: 1, nodeId: 'j', item: -1, attempt: 1, state: 'done', outputs: { out: 'art_1' } };
    hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'settled', result });
    expect(endOf(hand)).toMatchObject({ result });
  });

  it('O-13 (3) the event after the change that was seen wakes them at once; the timer that lost is cancelled (I11)', () => {
    const hand = sleep();
    wait(hand, NOW + DAY, 3);
    hand.raise(controlEvent('run-1', 3));
    expect(hand.open()).toEqual([]);
    hand.raise(controlEvent('run-1', 4));
    expect(hand.open()).toHaveLength(1);
    expect(hand.openTimers()).toEqual([]);
    hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'stopped' });
    expect(endOf(hand)).toMatchObject({ reason: 'stopped' });
  });

  it('track each event once over many rounds: a second waiter would eat the next event of that name', () => {
    const hand = sleep();
    for (let i = 0; i < 10; i += 1) {
      wait(hand, hand.now + 60_000, 2);
      hand.advance(60_000);
    }
    expect(hand.events).toHaveLength(1);
  });

  it('I11 never set a timer longer than 2 days', () => {
    const hand = sleep();
    wait(hand, NOW + 30 * DAY);
    expect(hand.openTimers().map(({ dueAt }) => dueAt)).toEqual([NOW + 2 * DAY]);
  });

  it('look again no sooner than a second later when the time has come by their own clock only', () => {
    const hand = sleep();
    wait(hand, NOW - 5_000);
    expect(hand.openTimers().map(({ dueAt }) => dueAt)).toEqual([NOW + 1_000]);
  });

  it.each([
    ['nothing', null],
    ['ids of another instance', { ...ids, instanceId: 'run-1-ffffffffffff' }],
    ['more than ids', { ...ids, until: 5 }],
  ])('given %s they end before they call anything', (_name, input) => {
    const hand = sleep(input);
    expect(hand.ended).toMatchObject({ error: { message: expect.stringContaining('STATE_INVALID') } });
    expect(hand.calls).toEqual([]);
  });

  it('an answer in an unknown shape, as of a forged event, is asked again after a pause', () => {
    const hand = sleep();
    hand.answer(hand.open()[0], { version: 1, state: 'later' });
    expect(hand.open()).toEqual([]);
    hand.advance(1_300);
    expect(hand.open()).toHaveLength(1);
  });
});

/** Runs generations one after another as the registration does; `round` answers each step. */
function generations(
  start: typeof sleep,
  round: (hand: Hand, n: number) => void,
  most = 100_000,
): { ended: Json; rounds: number; histories: number[]; openAtRestart: number; ends: number[] } {
  let rounds = 0;
  let openAtRestart = 0;
  const histories: number[] = [];
  const ends: number[] = [];
  let input: Json = ids;
  let now = NOW;
  for (;;) {
    const hand = start(input, now);
    const began = now;
    while (hand.ended === undefined && rounds < most) {
      if (hand.open().length > 0) round(hand, rounds++);
      else hand.advance((hand.openTimers()[0]?.dueAt ?? 0) - hand.now);
    }
    histories.push(hand.calls.length + hand.timers.length);
    for (const timer of hand.timers) ends.push(timer.dueAt - began);
    openAtRestart += hand.open().length + hand.openTimers().length;
    now = hand.now;
    const end = endOf(hand);
    if (!(end instanceof Again)) return { ended: end, rounds, histories, openAtRestart, ends };
    input = end.input;
  }
}

describe('O-13 generations', () => {
  it('(1) 10 000 polls keep every history bounded; (2) nothing is open when it begins again', () => {
    const { ended, rounds, histories, openAtRestart } = generations(job, (hand, n) => {
      if (n === 9_999) hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'settled' });
      else wait(hand, hand.now + 30_000, Math.floor(n / 1_000));
    });
    expect(ended).toMatchObject({ reason: 'settled' });
    expect(rounds).toBe(10_000);
    expect(Math.max(...histories)).toBeLessThanOrEqual(100);
    expect(histories).toHaveLength(200);
    expect(openAtRestart).toBe(0);
  });

  it('(3) a change raised exactly between two generations takes effect in the first round of the next', () => {
    let cancelled = false;
    const { ended, rounds } = generations(job, (hand, n) => {
      if (n === 49) cancelled = true;
      if (n === 50 && cancelled) hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'stopped' });
      else wait(hand, hand.now + 30_000);
    });
    expect(ended).toMatchObject({ reason: 'stopped' });
    expect(rounds).toBe(51);
  });

  it('O-04 (2) a sleep of 90 days: no timer above 2 days or 5 days after the start of its generation', () => {
    const { ended, rounds, ends, histories } = generations(sleep, (hand) => {
      if (hand.now >= NOW + 90 * DAY) hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'due' });
      else wait(hand, NOW + 90 * DAY);
    });
    expect(ended).toMatchObject({ reason: 'due' });
    expect(Math.max(...ends)).toBeLessThanOrEqual(5 * DAY);
    expect(rounds).toBeLessThan(100);
    expect(Math.max(...histories)).toBeLessThan(10);
  });

  it('a store that is away for an hour is waited for, with growing pauses, over generations', () => {
    const { ended, rounds } = generations(sleep, (hand) => {
      if (hand.now < NOW + 3_600_000) hand.lose(hand.open()[0], 'STORE_UNAVAILABLE');
      else hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'due' });
    });
    expect(ended).toMatchObject({ reason: 'due' });
    expect(rounds).toBeGreaterThan(50);
    expect(rounds).toBeLessThan(90);
  });

  it('one that never answers ends by itself, so that its parent can decide', () => {
    expect(() =>
      generations(
        sleep,
        (hand) => {
          hand.lose(hand.open()[0], 'broken');
        },
        2_000,
      ),
    ).toThrow('not ended well');
  });
});
