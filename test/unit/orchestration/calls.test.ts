import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Calls } from '../../../src/orchestration/answer.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { childId } from './driver.ts';

const DAY = 86_400_000;
const answer = z.strictObject({ ok: z.literal(true) });
const asking = (by = 'run-1'): HandDriven<unknown> =>
  new HandDriven(function* (verbs) {
    const wait = verbs.activity('wait', null);
    yield* verbs.firstOf([wait]);
    const calls = new Calls(verbs, { runId: 'run-1', instanceId: by });
    yield* calls.untilAnswered('finish1', {}, answer);
    return yield* calls.untilAnswered('finish1', {}, answer);
  });

describe('calls that are asked until they answer', () => {
  it('late in the life of an instance the pause is a child that nobody recorded, a new one each time (I11)', () => {
    const hand = asking();
    hand.advance(6 * DAY);
    hand.answer(hand.open('wait')[0], null);
    const pauses: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 3; i += 1) {
        hand.lose(hand.open('finish1')[0], 'STORE_UNAVAILABLE');
        const [pause] = hand.open();
        expect(pause?.name).toMatch(/^sleep1:run-1-[0-9a-f]{12}$/);
        pauses.push(childId(pause));
        hand.answer(pause, { version: 1, state: 'end', reason: 'unexpected' });
      }
      hand.answer(hand.open('finish1')[0], { ok: true });
    }
    expect(hand.ended).toEqual({ value: { ok: true } });
    expect(new Set(pauses).size).toBe(6);
    expect(hand.timers).toEqual([]);
  });

  it('a lane of the same run pauses under other ids', () => {
    const ids = ['run-1', 'run-1-0123456789ab'].map((by) => {
      const hand = asking(by);
      hand.advance(6 * DAY);
      hand.answer(hand.open('wait')[0], null);
      hand.lose(hand.open('finish1')[0], 'x');
      return childId(hand.open()[0]);
    });
    expect(new Set(ids).size).toBe(2);
  });

  it('a pause that is lost too counts as over', () => {
    const hand = asking();
    hand.advance(6 * DAY);
    hand.answer(hand.open('wait')[0], null);
    hand.lose(hand.open('finish1')[0], 'x');
    hand.lose(hand.open()[0], 'terminated');
    expect(hand.open('finish1')).toHaveLength(1);
  });

  it('an unknown shape, as of a forged event, is asked again and in the end fails the instance by name', () => {
    const hand = asking();
    hand.advance(6 * DAY);
    hand.answer(hand.open('wait')[0], null);
    hand.answer(hand.open('finish1')[0], { forged: true });
    hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'unexpected' });
    hand.answer(hand.open('finish1')[0], { ok: true });
    for (let i = 1; i <= 8; i += 1) {
      hand.answer(hand.open('finish1')[0], { ok: false });
      if (i < 8) hand.answer(hand.open()[0], { version: 1, state: 'end', reason: 'unexpected' });
    }
    expect(hand.ended).toMatchObject({
      error: { message: 'finish1 did not answer 8 times: STATE_INVALID: an answer in an unknown shape' },
    });
  });
});
