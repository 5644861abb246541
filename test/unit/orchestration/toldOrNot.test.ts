import { describe, expect, it } from 'vitest';
import { scheduleOf, waits } from '../../support/schedules.ts';
import { Driver, nameOf } from './driver.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 5);
const FAR = { deadlineAt: NOW + 60 * DAY };
const end = (reason: string): object => ({ version: 1, state: 'end', reason });

describe('a refusal that the flag does not explain', () => {
  it('stops the run like any failure: the ledger is told, so that waits elsewhere end; nobody has cancelled', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.fail('a', 'permanent', { code: 'CANCELLED' });
    run.hand.answer(run.call('control1'), { version: 1, control: 'none', seq: 0 });
    const decisions = run.told();
    expect(decisions.map(({ kind }) => kind)).toEqual(['skippedByFailure', 'skippedByFailure']);
    expect(run.result.error).toMatchObject({ code: 'CANCELLED' });
    expect(run.hand.calls.map(nameOf)).toEqual(['a', 'control1', 'stop1']);
  });
});

describe('the deadline on the ledger’s clock', () => {
  // The worker that asked the ledger was ahead of the engine's clock; late in a run no timer is left to make up for it.
  it('a hold child that ended at the deadline ends the suspended run', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, FAR));
    run.control('suspend', 1, { hold: { instanceId: 'run-1-hold-1' } }).finish('a');
    run.hand.answer(run.call('sleep1'), end('deadline'));
    run.told();
    expect(run.result.error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('a wait that ended at the deadline is not over: the run is', () => {
    const run = new Driver(scheduleOf({ w: [], b: ['w'] }, FAR));
    run.answer('w', (input) => waits(input, NOW + 60 * DAY, 'run-1-w'));
    run.hand.answer(run.call('sleep1'), end('deadline'));
    run.told();
    expect(run.result.error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(run.hand.calls.filter((call) => nameOf(call) === 'w')).toHaveLength(1);
  });
});
