import { describe, expect, it } from 'vitest';
import { becomesJob, failed, scheduleOf, succeeded, waits } from '../../support/schedules.ts';
import { childId, Driver, inputOf } from './driver.ts';

const NOW = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FAR = { deadlineAt: NOW + 60 * DAY };
const end = (reason: string): unknown => ({ version: 1, state: 'end', reason });
const wait = (run: Driver, name: string, until: number): Driver =>
  run.answer(name, (input) => waits(input, until, `run-1-sleep-${name}`));

describe('waits', () => {
  it('sleeps on a timer, then completes the same attempt; holds no slot meanwhile (I3)', () => {
    const run = new Driver(scheduleOf({ a: [], b: [] }, { window: 1 }));
    wait(run, 'a', NOW + HOUR / 2);
    expect(run.open).toEqual(['b']);
    run.finish('b');
    run.hand.advance(HOUR / 2 - 1);
    expect(run.open).toEqual([]);
    run.hand.advance(1);
    expect(inputOf(run.call('a'))).toMatchObject({ phase: 'end', attempt: 1 });
    run.finish('a');
    expect(run.result.error).toBeNull();
    expect(run.hand.openTimers()).toEqual([]);
  });

  it('O-04 (2) a wait longer than any timer sleeps in the recorded child', () => {
    const run = new Driver(scheduleOf({ a: [] }, FAR));
    wait(run, 'a', NOW + 30 * DAY);
    const child = run.call('sleep1');
    expect(childId(child)).toBe('run-1-sleep-a');
    expect(child.input).toEqual({ version: 1, runId: 'run-1', instanceId: 'run-1-sleep-a' });
    run.hand.advance(30 * DAY);
    run.hand.answer(child, end('due'));
    expect(inputOf(run.call('a')).phase).toBe('end');
    run.finish('a');
    expect(run.result.error).toBeNull();
  });

  it('I11 a short wait late in the life of the run sleeps in its child too', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, FAR));
    run.hand.advance(5 * DAY + HOUR);
    run.finish('a');
    wait(run, 'b', run.hand.now + 60_000);
    expect(run.open).toEqual(['sleep1']);
    expect(run.hand.openTimers()).toEqual([]);
  });

  it('looks again when the ledger’s clock is behind, no sooner than a second later', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    wait(run, 'a', NOW + 5_000);
    run.hand.advance(5_000);
    wait(run, 'a', NOW + 5_000);
    expect(run.open).toEqual([]);
    run.hand.advance(1_000);
    expect(inputOf(run.call('a'))).toMatchObject({ phase: 'end', attempt: 1 });
  });

  it('a lost sleep child makes a new attempt with a child of its own: ids are never used twice', () => {
    const run = new Driver(scheduleOf({ a: [] }, { ...FAR, attempts: 1 }));
    wait(run, 'a', NOW + 10 * DAY);
    run.lose('sleep1', 'terminated');
    run.hand.advance(2_000);
    expect(inputOf(run.call('a'))).toMatchObject({ phase: 'do', attempt: 2 });
  });

  it.each([
    ['unexpected', 'do', 2],
    ['due', 'end', 1],
  ])('a sleep child that ends with %s leads to phase %s, attempt %i', (reason, phase, attempt) => {
    const run = new Driver(scheduleOf({ a: [] }, FAR));
    wait(run, 'a', NOW + 10 * DAY);
    run.hand.answer(run.call('sleep1'), end(reason));
    run.hand.advance(2_000);
    expect(inputOf(run.call('a'))).toMatchObject({ phase, attempt });
  });

  it('I7 ends at once when the run stops: the timer is cancelled, the child awaited, both closed with a decision', () => {
    const run = new Driver(scheduleOf({ a: [], b: [], c: [] }, FAR));
    wait(run, 'a', NOW + HOUR);
    wait(run, 'b', NOW + 10 * DAY);
    run.fail('c');
    expect(run.told().map(({ nodeId, kind }) => [nodeId, kind])).toEqual([
      ['a', 'skippedByFailure'],
      ['b', 'skippedByFailure'],
    ]);
    expect(run.hand.openTimers()).toEqual([]);
    expect(run.ended).toBe(false);
    run.hand.answer(run.call('sleep1'), end('stopped'));
    expect(run.result.error).toMatchObject({ code: 'TOOL_FAILED' });
  });

  it('a wait that is answered after the stop is closed with a decision and starts no child', () => {
    const run = new Driver(scheduleOf({ a: [], b: [] }, FAR));
    run.fail('b');
    run.told();
    wait(run, 'a', NOW + 10 * DAY);
    expect(run.result.decisions).toMatchObject([{ nodeId: 'a', kind: 'skippedByFailure', attempt: 1 }]);
  });
});

describe('jobs', () => {
  const started = (): Driver =>
    new Driver(scheduleOf({ j: [], k: ['j'], l: [] }, { window: 1 })).answer('j', (input) =>
      becomesJob(input, 'run-1-job-j'),
    );
  const settled = (run: Driver, result: (input: unknown) => unknown): void => {
    const own = { nodeId: 'j', item: -1, attempt: 1 };
    run.hand.answer(run.call('job1'), { ...(end('settled') as object), result: result(own) });
  };

  it('is followed by its recorded child, holds no slot, and its result counts as the node’s', () => {
    const run = started();
    expect(run.open).toEqual(['job1', 'l']);
    run.finish('l');
    settled(run, succeeded);
    run.finish('k');
    expect(run.result.error).toBeNull();
  });

  it('a transient failure of the job is another attempt with another child', () => {
    const run = started();
    settled(run, (input) => failed(input, 'transient'));
    run.finish('l');
    run.hand.advance(1_300);
    expect(inputOf(run.call('j')).attempt).toBe(2);
  });

  it('I4 refuses a job that answers for another attempt', () => {
    const run = started();
    settled(run, () => succeeded({ nodeId: 'j', item: -1, attempt: 3 }));
    run.told();
    run.finish('l');
    expect(run.result.error).toMatchObject({ code: 'DETERMINISM_VIOLATION' });
  });

  it('I7 is awaited after the run has stopped, and gets no decision where the ledger knows its end', () => {
    const run = started();
    run.fail('l');
    expect(run.told().map(({ nodeId }) => nodeId)).toEqual(['k']);
    settled(run, (input) => failed(input, 'unknown', { code: 'CANCELLED' }));
    expect(run.result.decisions).toEqual([]);
  });

  it('a follower that ended without a result is lost: the next attempt asks the ledger what is there', () => {
    const run = started();
    run.finish('l');
    run.hand.answer(run.call('job1'), end('unexpected'));
    run.hand.advance(1_300);
    expect(inputOf(run.call('j')).attempt).toBe(2);
  });
});

describe('I9 back-offs from the third failed attempt on', () => {
  it('sleep in the child that the activity has recorded', () => {
    const run = new Driver(scheduleOf({ a: [] }, { attempts: 5 }));
    run.fail('a', 'transient', { backoff: { instanceId: 'run-1-backoff', until: NOW + 4_000 } });
    expect(run.open).toEqual(['sleep1']);
    run.hand.answer(run.call('sleep1'), end('due'));
    expect(inputOf(run.call('a')).attempt).toBe(2);
  });

  it('a lost back-off child costs no attempt', () => {
    const run = new Driver(scheduleOf({ a: [] }, { attempts: 2 }));
    run.fail('a', 'transient', { backoff: { instanceId: 'run-1-backoff', until: NOW + 4_000 } });
    run.lose('sleep1');
    expect(inputOf(run.call('a')).attempt).toBe(2);
  });

  it('one that would end after the deadline is not begun', () => {
    const run = new Driver(scheduleOf({ a: [] }));
    run.fail('a', 'throttled', { backoff: { instanceId: 'run-1-backoff', until: NOW + 2 * HOUR } });
    run.told();
    expect(run.result.error).toMatchObject({ class: 'throttled' });
  });
});

describe('I11 deadlines of up to 90 days', () => {
  it('are watched by timers of at most 2 days, none later than 5 days after the start, and then by every settlement', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, FAR));
    const fired: number[] = [];
    for (let i = 0; i < 200 && run.hand.openTimers().length > 0; i += 1) {
      const [timer] = run.hand.openTimers();
      fired.push(((timer?.dueAt ?? 0) - NOW) / DAY);
      run.hand.advance((timer?.dueAt ?? 0) - run.hand.now);
    }
    expect(Math.max(...fired)).toBeLessThanOrEqual(5);
    expect(Math.max(...fired)).toBeGreaterThan(4.9);
    expect(fired.length).toBeLessThan(12);
    run.hand.advance(60 * DAY);
    run.finish('a');
    run.told();
    expect(run.result.error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('a deadline within reach is one timer; work that ends in time leaves none', () => {
    const run = new Driver(scheduleOf({ a: [] }, { deadlineAt: NOW + DAY }));
    expect(run.hand.openTimers().map(({ dueAt }) => dueAt)).toEqual([NOW + DAY]);
    run.finish('a');
    expect(run.hand.openTimers()).toEqual([]);
  });

  it('the last settlement wins over a deadline that has passed with it: the run is done', () => {
    const run = new Driver(scheduleOf({ a: [] }, FAR));
    for (let i = 0; i < 61; i += 1) run.hand.advance(DAY);
    run.finish('a');
    expect(run.result.error).toBeNull();
  });
});
