import { describe, expect, it } from 'vitest';
import { runOrchestration, type RunEnd } from '../../../src/orchestration/run.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { scheduleOf, succeeded } from '../../support/schedules.ts';

const start = (): HandDriven<RunEnd> =>
  new HandDriven((verbs) => runOrchestration(verbs, { version: 1, runId: 'run-1' }, 'run-1'));
const answer = (hand: HandDriven<RunEnd>, name: string, value: unknown): void => hand.answer(hand.open(name)[0], value);

describe('run1', () => {
  it('goes begin → plan → validate → nodes → verify → finish and hands on ids only', () => {
    const hand = start();
    answer(hand, 'begin1', { version: 1, go: true, reason: 'expected' });
    answer(hand, 'plan1', { version: 1, ok: true });
    answer(hand, 'validate1', { version: 1, ok: true, schedule: scheduleOf({ a: [] }) });
    hand.answer(hand.open('node1')[0], succeeded(hand.open('node1')[0]?.input));
    answer(hand, 'verify1', { version: 1, passed: true });
    answer(hand, 'finish1', { version: 1, status: 'succeeded' });
    expect(hand.ended).toEqual({ value: { runId: 'run-1', status: 'succeeded' } });
    expect(JSON.stringify(hand.calls.map((call) => call.input)).length).toBeLessThan(1200);
  });

  it('ends at once when the ledger does not expect this instance', () => {
    const hand = start();
    answer(hand, 'begin1', { version: 1, go: false, reason: 'unexpectedInstance' });
    expect(hand.ended).toEqual({ value: { runId: 'run-1', status: 'unexpectedInstance' } });
    expect(hand.calls).toHaveLength(1);
  });

  it.each(['plan1', 'validate1'])('goes straight to finish when %s says no', (name) => {
    const hand = start();
    answer(hand, 'begin1', { version: 1, go: true, reason: '' });
    if (name === 'validate1') answer(hand, 'plan1', { version: 1, ok: true });
    answer(hand, name, { version: 1, ok: false, error: { code: 'NO_PLAN', class: 'permanent', message: 'no' } });
    expect(hand.open('finish1')[0]?.input).toMatchObject({ error: { code: 'NO_PLAN' } });
  });

  it('asks an activity again with growing waits while a store is away, then fails the instance by name', () => {
    const hand = start();
    for (let attempt = 1; attempt < 8; attempt += 1) {
      hand.lose(hand.open('begin1')[0], 'STORE_UNAVAILABLE');
      hand.advance(80_000);
    }
    expect(hand.calls).toHaveLength(8);
    hand.lose(hand.open('begin1')[0], 'STORE_UNAVAILABLE');
    expect(hand.ended).toMatchObject({ error: { message: expect.stringContaining('begin1 did not answer 8 times') } });
    expect(hand.openTimers()).toEqual([]);
  });

  it('refuses an input in an unknown shape', () => {
    const hand = new HandDriven<RunEnd>((verbs) => runOrchestration(verbs, { runId: '../x' }, 'i'));
    expect(hand.ended).toHaveProperty('error');
  });
});
