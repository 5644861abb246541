/** Runs and children that last for days, on the SDK's own executor: timers obey I11 in every generation. */
import { describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { runOrchestration } from '../../../src/orchestration/run.ts';
import { sleepOrchestration } from '../../../src/orchestration/waitingChild.ts';
import { scheduleOf, succeeded, waits } from '../../support/schedules.ts';
import { flat, record, type Recording, type Said, type Script } from '../../support/orchestration/scriptedEngine.ts';
import { START, type Action } from './sdkReplay.ts';

const DAY = 86_400_000;
const ids = { version: 1, runId: 'run-1', instanceId: 'run-1-0123456789ab' };
type Ends = (input: unknown, now: number) => Said;

/** A run of a → wait → c with a deadline of 40 days; `sleep` says when the child of the wait ends. */
const longRun = (sleep: Ends, more: Partial<Script> & { control?: string } = {}): Script => ({
  body: runOrchestration,
  instanceId: 'run-1',
  input: { version: 1, runId: 'run-1' },
  answer: ({ functionName, input }, now) => {
    const { nodeId, phase } = input as { nodeId?: string; phase?: string };
    const schedule = scheduleOf({ a: [], w: ['a'], c: ['w'] }, { deadlineAt: START + 40 * DAY });
    const results: Record<string, unknown> = {
      begin1: { version: 1, go: true, reason: 'expected' },
      plan1: { version: 1, ok: true },
      validate1: { version: 1, ok: true, schedule, controlSeq: 0 },
      control1: { version: 1, control: more.control ?? 'none', seq: 1 },
      verify1: { version: 1, passed: true },
      finish1: { version: 1, status: 'ended' },
    };
    if (functionName === 'sleep1') return sleep(input, now);
    if (functionName === 'node1')
      return {
        result:
          nodeId === 'w' && phase === 'do' ? waits(input, START + 30 * DAY, 'run-1-00000000000a') : succeeded(input),
      };
    return { result: results[functionName] };
  },
  ...more,
});

const timers = ({ end }: Recording): { readonly at: number; readonly open: boolean }[] =>
  flat(end.actions)
    .filter(({ actionType }) => actionType === 5)
    .map((action: Action & { readonly fireAt?: string }) => ({
      at: Date.parse(action.fireAt ?? '') - START,
      open: action.isCanceled !== true,
    }));
const called = ({ end }: Recording): string[] => flat(end.actions).flatMap(({ functionName }) => functionName ?? []);

describe('a wait of 30 days', () => {
  it('O-04 (2) ends well; the history is bounded; no timer fires later than 5 days after the start (I11)', async () => {
    const recording = await record(
      longRun((_input, now) =>
        now < START + 4.9 * DAY
          ? null
          : { result: { version: 1, state: 'end', reason: 'due' }, afterMs: START + 30 * DAY - now },
      ),
    );
    expect(called(recording).slice(-4)).toEqual(['node1', 'node1', 'verify1', 'finish1']);
    expect(recording.end.output).toEqual({ runId: 'run-1', status: 'ended' });
    const all = timers(recording);
    expect(all.length).toBeGreaterThan(2);
    expect(all.length).toBeLessThan(12);
    for (const { at } of all) expect(at).toBeLessThanOrEqual(5 * DAY);
    expect(recording.digests.length).toBeLessThan(30);
  });

  it('cancelled on day 4: the child is awaited, the armed timer is cancelled, the run ends cancelled', async () => {
    const recording = await record(
      longRun(
        (_input, now) => (now < START + 4 * DAY ? null : { result: { version: 1, state: 'end', reason: 'stopped' } }),
        // Episodes 1 to 5: begin, plan, validate, a, the wait; 6 and 7: the deadline's timers of 2 days each.
        { control: 'cancel', events: { 8: [controlEvent('run-1', 1)] } },
      ),
    );
    expect(called(recording)).toContain('control1');
    expect(called(recording).at(-1)).toBe('finish1');
    expect(called(recording)).not.toContain('verify1');
    expect(timers(recording).filter(({ open }) => open).length).toBe(2);
  });
});

describe('generations of a sleep of 30 days', () => {
  it('each one begins its five days anew and hands on nothing but ids', async () => {
    let begun = START;
    let input: unknown = ids;
    let generations = 0;
    for (; generations < 20; generations += 1) {
      const start = begun;
      let last = start;
      const recording = await record({
        body: sleepOrchestration,
        instanceId: ids.instanceId,
        input,
        answer: (_call, now) => {
          // Every history starts at START: the wall clock of this generation is shifted by `start`.
          last = start + (now - START);
          if (last >= START + 30 * DAY) return { result: { version: 1, state: 'end', reason: 'due' } };
          return { result: { version: 1, state: 'wait', until: now + (START + 30 * DAY - last), seq: 0 } };
        },
      });
      for (const { at, open } of timers(recording)) {
        expect(at).toBeLessThanOrEqual(5 * DAY);
        expect(open).toBe(true);
      }
      if (recording.end.isDone && recording.end.output !== null) break;
      const again = flat(recording.end.actions).find(({ actionType }) => actionType === 4);
      input = again?.input;
      expect(input).toEqual(ids);
      begun = last;
    }
    expect(generations).toBeGreaterThan(5);
    expect(generations).toBeLessThan(12);
  });
});
