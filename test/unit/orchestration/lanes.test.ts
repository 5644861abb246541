import { describe, expect, it } from 'vitest';
import { laneChunks, laneInstanceId } from '../../../src/orchestration/lanes.ts';
import { expanded, held, scheduleOf } from '../../support/schedules.ts';
import { childId, Driver, inputOf, nameOf } from './driver.ts';

const WINDOW = 4;
const start = (count: number, more: Parameters<typeof scheduleOf>[1] = {}): Driver => {
  const run = new Driver(
    scheduleOf(
      { a: [], b: ['a'], end: ['b'], x: [] },
      { groups: [['a', 'b']], window: WINDOW, seconds: { x: 0.1 }, ...more },
    ),
  );
  return run.expand('a', count, 'lanes');
};
const lanes = (run: Driver): ReturnType<Driver['call']>[] => run.hand.open().filter((call) => nameOf(call) === 'lane1');
const idOf = (from: number, attempt = 1): string =>
  laneInstanceId('run-1', { nodeId: 'a', item: from, revision: 0, attempt });

describe('lanes', () => {
  it('one after another per chunk: each holds a slot of the window; ids are those the ledger has recorded', () => {
    const run = start(120);
    const chunks = laneChunks(120, WINDOW, 2);
    expect(run.open).toEqual(['x', 'lane1', 'lane1', 'lane1']);
    run.finish('x');
    const begun: string[] = [];
    for (const { from, to } of chunks) {
      const call = run.hand.open().find((open) => childId(open) === idOf(from));
      begun.push(childId(call));
      expect(lanes(run).length).toBeLessThanOrEqual(WINDOW);
      expect(call?.input).toEqual({ version: 1, runId: 'run-1', instanceId: idOf(from) });
      run.hand.answer(call, { version: 1, ok: true, from, to });
    }
    expect(begun).toEqual(chunks.map(({ from }) => idOf(from)));
    run.finish('gather a', 'gather b', 'end');
    expect(run.result.error).toBeNull();
  });

  it('a lane whose child was lost is recorded under its next attempt before it is started again', () => {
    const run = start(8);
    const [first] = lanes(run);
    run.hand.lose(first, 'terminated');
    run.hand.advance(1_300);
    run.finish('x');
    const call = run.call('expand a');
    expect(inputOf(call)).toMatchObject({ again: { from: 0, attempt: 2 }, attempt: 2, inlineLeft: 0 });
    run.answer('expand a', (input) => expanded(input, 8, 'lanes'));
    expect(lanes(run).map(childId)).toContain(idOf(0, 2));
    expect(idOf(0, 2)).not.toBe(childId(first));
  });

  it('gives a lane up after losing it four times more, and tells the ledger', () => {
    const run = new Driver(scheduleOf({ a: [] }, { groups: [['a']], window: 1 }));
    run.expand('a', 60, 'lanes');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const from0 = (): ReturnType<Driver['call']> | undefined =>
        run.hand.open().find((call) => childId(call) === idOf(0, attempt));
      for (let i = 0; i < 20 && from0() === undefined; i += 1) {
        const other = run.hand.open()[0];
        if (other?.kind === 'child') {
          const chunk = laneChunks(60, 1, 1).find(({ from }) => idOf(from) === childId(other));
          run.hand.answer(other, { version: 1, ok: true, ...chunk });
        } else if (other !== undefined) run.hand.answer(other, expanded(other.input, 60, 'lanes'));
        else run.hand.advance(60_000);
      }
      run.hand.lose(from0(), 'terminated');
    }
    run.told();
    expect(run.result.error).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('terminated') });
  });

  it('I4 refuses a lane that answers for other items', () => {
    const run = start(120);
    run.hand.answer(lanes(run)[0], { version: 1, ok: true, from: 1, to: 16 });
    run.told();
    run.finish('x');
    for (const call of lanes(run)) run.hand.lose(call, 'ended');
    expect(run.result.error).toMatchObject({ code: 'DETERMINISM_VIOLATION' });
  });

  it('I7 a failure inside a lane stops the run; the other lanes are awaited, no new one starts', () => {
    const run = start(120);
    run.finish('x');
    const [first, ...others] = lanes(run);
    const chunks = laneChunks(120, WINDOW, 2);
    const error = { code: 'TOOL_FAILED', class: 'permanent', message: 'a[3]: broken' };
    run.hand.answer(first, { version: 1, ok: false, ...chunks[0], error });
    expect(run.told().map(({ nodeId, item }) => [nodeId, item])).toEqual([
      ['a', -1],
      ['b', -1],
      ['end', -1],
    ]);
    expect(run.ended).toBe(false);
    others.forEach((call) => {
      const chunk = chunks.find(({ from }) => idOf(from) === childId(call));
      run.hand.answer(call, { version: 1, ok: true, ...chunk });
    });
    expect(run.result.error).toMatchObject(error);
  });

  it('takes over decisions that no activity of the lane has carried, under numbers of its own', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, { groups: [['a', 'b']], window: 1 }));
    run.expand('a', 1, 'lanes');
    const decision = { seq: 7, nodeId: 'b', item: 0, kind: 'skippedByFailure', attempt: 0, reason: 'needs a[0]' };
    run.hand.answer(run.call('lane1'), { version: 1, ok: true, from: 0, to: 1, decisions: [decision] });
    expect(inputOf(run.call('gather a')).decisions).toEqual([{ ...decision, seq: 1 }]);
  });

  it('a failure that a lane told the ledger first reaches the run by the event; the lane’s own answer names it', () => {
    const run = start(120);
    run.finish('x');
    run.control('none', 1, { stopping: 'TOOL_FAILED' });
    expect(run.open.filter((name) => name === 'stop1')).toEqual([]);
    const chunks = laneChunks(120, WINDOW, 2);
    const error = { code: 'TOOL_FAILED', class: 'permanent', message: 'a[3]: broken' };
    lanes(run).forEach((call, i) => {
      const chunk = chunks.find(({ from }) => idOf(from) === childId(call));
      run.hand.answer(call, i === 0 ? { version: 1, ok: false, ...chunk, error } : { version: 1, ok: true, ...chunk });
    });
    expect(run.result.error).toMatchObject(error);
    expect(run.result.decisions.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'end']);
  });

  it('a lane that was not let in because the run was cancelled is read from the flag, not believed (I6)', () => {
    const run = start(1);
    run.finish('x');
    const error = { code: 'CANCELLED', class: 'permanent', message: 'The lane may not run: stopped' };
    run.hand.answer(run.call('lane1'), { version: 1, ok: false, from: -1, to: -1, error });
    run.hand.answer(run.call('control1'), { version: 1, control: 'cancel', seq: 1 });
    expect(run.result.error).toMatchObject({ code: 'CANCELLED', message: 'The run was cancelled.' });
  });

  it('an expansion that the suspended run gives back is asked again with the same attempt', () => {
    const run = new Driver(scheduleOf({ a: [] }, { groups: [['a']] }));
    run.answer('expand a', held);
    run.hand.answer(run.call('control1'), { version: 1, control: 'suspend', seq: 1 });
    expect(run.open).toEqual([]);
    run.control('none', 2);
    expect(inputOf(run.call('expand a')).attempt).toBe(1);
  });
});

describe('chunks', () => {
  it.each([
    [10_000, 10, 1, 50],
    [10_000, 10, 3, 33],
    [120, 8, 2, 50],
    [1, 8, 1, 50],
  ])('%i items, window %i, %i members: whole, in order, none above %i items', (count, window, members, most) => {
    const chunks = laneChunks(count, window, members);
    expect(chunks[0]?.from).toBe(0);
    expect(chunks.at(-1)?.to).toBe(count);
    chunks.forEach((chunk, i) => {
      expect(chunk.to - chunk.from).toBeLessThanOrEqual(most);
      if (i > 0) expect(chunk.from).toBe(chunks[i - 1]?.to);
    });
  });
});
