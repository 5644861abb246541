import { describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { held, scheduleOf, waits } from '../../support/schedules.ts';
import { childId, Driver, inputOf, nameOf } from './driver.ts';

const NOW = Date.UTC(2026, 0, 5);
const end = (reason: string): unknown => ({ version: 1, state: 'end', reason });
const hold = (n: number): { hold: { instanceId: string } } => ({ hold: { instanceId: `run-1-hold-${String(n)}` } });

describe('suspend and resume', () => {
  it('starts nothing new while suspended; what runs goes on; resume starts the rest', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.control('suspend', 1, hold(1));
    run.finish('a');
    expect(run.open).toEqual(['sleep1']);
    run.control('none', 2);
    expect(run.open).toEqual(['sleep1', 'b']);
    run.hand.answer(run.call('sleep1'), end('resumed'));
    run.hand.answer(run.call('control1'), { version: 1, control: 'none', seq: 2 });
    run.finish('b');
    expect(run.result).toEqual({ error: null, decisions: [], holds: [] });
  });

  it('an attempt that the ledger held back is not consumed and goes back among the ready', () => {
    const run = new Driver(scheduleOf({ a: [], b: [] }));
    run.answer('a', held);
    run.hand.answer(run.call('control1'), { version: 1, control: 'suspend', seq: 1, ...hold(1) });
    run.answer('b', held);
    run.hand.answer(run.call('control1'), { version: 1, control: 'suspend', seq: 1, ...hold(1) });
    expect(run.open).toEqual(['sleep1']);
    run.control('none', 2);
    expect(['a', 'b'].map((name) => inputOf(run.call(name)).attempt)).toEqual([1, 1]);
  });

  it('a resume that came before the question starts the held task again at once', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.answer('a', held);
    run.hand.answer(run.call('control1'), { version: 1, control: 'none', seq: 2 });
    expect(run.open).toEqual(['a']);
  });

  it('waits go on while suspended: they fall due and complete', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.answer('a', (input) => waits(input, NOW + 10_000, 'run-1-sleep'));
    run.control('suspend', 1, hold(1));
    run.hand.advance(10_000);
    expect(inputOf(run.call('a')).phase).toBe('end');
    run.finish('a');
    expect(run.open).toEqual(['sleep1']);
  });

  it('a completion that is held back itself is not asked again and again', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.answer('a', (input) => waits(input, NOW + 10_000, 'run-1-sleep'));
    run.control('suspend', 1, hold(1));
    run.hand.advance(10_000);
    run.answer('a', held);
    run.hand.answer(run.call('control1'), { version: 1, control: 'suspend', seq: 1, ...hold(1) });
    expect(run.open).toEqual(['sleep1']);
    run.control('none', 2);
    expect(inputOf(run.call('a'))).toMatchObject({ phase: 'end', attempt: 1 });
  });

  it('each suspension has one hold child, under the id that the ledger recorded', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.control('suspend', 1, hold(1)).control('none', 2).control('suspend', 3, hold(3));
    const holds = run.hand.calls.filter((call) => nameOf(call) === 'sleep1').map(childId);
    expect(holds).toEqual(['run-1-hold-1', 'run-1-hold-3']);
  });

  it('a lost event costs time only: the hold child ends and the flag is read', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.control('suspend', 1, hold(1)).finish('a');
    run.hand.answer(run.call('sleep1'), end('resumed'));
    run.hand.answer(run.call('control1'), { version: 1, control: 'none', seq: 2 });
    expect(run.open).toEqual(['b']);
  });

  it('cancel works while held', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.control('suspend', 1, hold(1)).finish('a').control('cancel', 2);
    expect(run.result.error).toMatchObject({ code: 'CANCELLED' });
    expect(run.result.holds).toHaveLength(1);
    expect(run.result.decisions).toMatchObject([{ nodeId: 'b', kind: 'cancelled' }]);
  });

  it('all work done while suspended: the run goes on to its end and hands over the open hold child', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.control('suspend', 1, hold(1)).finish('a');
    expect(run.result).toMatchObject({ error: null, decisions: [] });
    expect(run.result.holds).toHaveLength(1);
  });

  it('without a hold child it stays suspended until its event comes, and is not taken for stalled', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.control('suspend', 1).finish('a');
    expect(run.ended).toBe(false);
    run.control('none', 2).finish('b');
    expect(run.result.error).toBeNull();
  });

  it('the deadline counts while suspended', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, { deadlineAt: NOW + 60_000 }));
    run.control('suspend', 1, hold(1)).finish('a');
    run.hand.advance(60_000);
    run.told();
    expect(run.result.error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });
});

describe('numbered changes (I6)', () => {
  it('waits for the change after the one it has read, however far that is', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.hand.raise(controlEvent('run-1', 1));
    run.hand.answer(run.call('control1'), { version: 1, control: 'suspend', seq: 5, ...hold(5) });
    for (const seq of [2, 3, 4, 5]) run.hand.raise(controlEvent('run-1', seq));
    expect(run.open).toEqual(['a', 'sleep1']);
    run.control('none', 6);
    expect(run.hand.events.map(({ name }) => name)).toEqual([1, 6, 7].map((seq) => controlEvent('run-1', seq)));
  });

  it('a repeated or forged event reads the flag and changes nothing', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.control('none', 1);
    run.hand.raise(controlEvent('run-1', 1));
    run.hand.raise(controlEvent('run-1', 2));
    run.hand.answer(run.call('control1'), { version: 1, control: 'none', seq: 1 });
    expect(run.open).toEqual(['a']);
    run.control('cancel', 2).finish('a');
    expect(run.result.error).toMatchObject({ code: 'CANCELLED' });
  });

  it('O-14 a node that was refused because of a cancel ends the run as cancelled, not as failed', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.fail('a', 'permanent', { code: 'CANCELLED' });
    run.hand.answer(run.call('control1'), { version: 1, control: 'cancel', seq: 1 });
    expect(run.result.error).toMatchObject({ code: 'CANCELLED', message: 'The run was cancelled.' });
    expect(run.hand.calls.map(nameOf)).toEqual(['a', 'control1']);
  });
});
