/** The runs, lanes and waiting children whose histories are kept as golden files. */
import { laneOrchestration } from '../../../src/orchestration/lane.ts';
import { laneChunks } from '../../../src/orchestration/lanes.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { runOrchestration } from '../../../src/orchestration/run.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { jobOrchestration, sleepOrchestration } from '../../../src/orchestration/waitingChild.ts';
import { START } from '../../unit/orchestration/sdkReplay.ts';
import { becomesJob, expanded, failed, scheduleOf, succeeded, waits } from '../schedules.ts';
import type { Said, Script } from './scriptedEngine.ts';

const DAY = 86_400_000;
const ok = (result: unknown): Said => ({ result });
interface Input {
  readonly nodeId: string;
  readonly item?: number;
  readonly attempt: number;
  readonly phase?: string;
}
type Answer = (name: string, input: Input, now: number, id: string) => Said | undefined;

/** What surrounds every run; `answer` says the rest, and a node that it says nothing of succeeds. */
function run(schedule: Schedule, answer: Answer, events?: Script['events']): Script {
  return {
    body: runOrchestration,
    instanceId: 'run-1',
    input: { version: 1, runId: 'run-1' },
    ...(events === undefined ? {} : { events }),
    answer: ({ functionName, input, id }, now) => {
      const own = answer(functionName, input as Input, now, id);
      if (own !== undefined) return own;
      switch (functionName) {
        case 'begin1':
          return ok({ version: 1, go: true, reason: 'expected' });
        case 'plan1':
          return ok({ version: 1, ok: true });
        case 'validate1':
          return ok({ version: 1, ok: true, schedule, controlSeq: 0 });
        case 'node1':
        case 'gather1':
          return ok(succeeded(input));
        case 'stop1':
          return ok({ version: 1, seq: 1 });
        case 'verify1':
          return ok({ version: 1, passed: true });
        case 'finish1':
          return ok({ version: 1, status: 'ended' });
        case 'sleep1':
          return ok({ version: 1, state: 'end', reason: 'due' });
        default:
          throw new Error(`the script says nothing of ${functionName}`);
      }
    },
  };
}

const deadline = { deadlineAt: START + 3_600_000 };
const far = { deadlineAt: START + 40 * DAY };
const diamond = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] };
const loop = { src: [], a: ['src'], b: ['a'], end: ['b'] };

function lanes(): Script {
  const chunks = laneChunks(12, 2, 2);
  let begun = 0;
  return run(scheduleOf(loop, { ...deadline, window: 2, groups: [['a', 'b']] }), (name, input) => {
    if (name === 'expand1') return ok(expanded(input, 12, 'lanes'));
    if (name !== 'lane1') return undefined;
    const chunk = chunks[begun];
    begun += 1;
    return ok({ version: 1, ok: true, ...chunk });
  });
}

/** Suspended while b and c run, resumed when c has ended: d starts only then. */
function suspended(): Script {
  let seq = 0;
  return run(
    scheduleOf(diamond, deadline),
    (name, { nodeId }) => {
      if (name === 'control1') {
        seq = Math.min(2, seq + 1);
        const hold = { hold: { instanceId: 'run-1-000000000001' } };
        return ok({ version: 1, control: seq === 1 ? 'suspend' : 'none', seq, ...(seq === 1 ? hold : {}) });
      }
      if (name === 'sleep1') return seq === 2 ? ok({ version: 1, state: 'end', reason: 'resumed' }) : null;
      return name === 'node1' && nodeId !== 'a' && seq === 0 ? null : undefined;
    },
    { 5: [controlEvent('run-1', 1)], 9: [controlEvent('run-1', 2)] },
  );
}

function lane(): Script {
  const ids = { version: 1, runId: 'run-1', instanceId: 'run-1-0123456789ab' };
  const schedule = scheduleOf(
    { a: [], b: ['a'] },
    { ...deadline, window: 1, nodes: { a: { soft: true }, b: { needs: ['a'] } } },
  );
  return {
    body: laneOrchestration,
    instanceId: ids.instanceId,
    input: ids,
    answer: ({ functionName, input }) => {
      if (functionName === 'lanePart1')
        return ok({ version: 1, go: true, schedule, from: 4, to: 8, controlSeq: 0, attempt: 1 });
      const { nodeId, item } = input as Input;
      return ok(nodeId === 'a' && item === 5 ? failed(input, 'permanent') : succeeded(input));
    },
  };
}

/** One generation of a waiting child. */
function child(kind: 'sleep' | 'job', rounds: number, until: (now: number) => number): Script {
  const ids = { version: 1, runId: 'run-1', instanceId: 'run-1-0123456789ab' };
  let round = 0;
  const result = { version: 1, nodeId: 'j', item: -1, attempt: 1, state: 'done', outputs: { out: 'art_j' } };
  return {
    body: kind === 'sleep' ? sleepOrchestration : jobOrchestration,
    instanceId: ids.instanceId,
    input: ids,
    answer: (_call, now) => {
      round += 1;
      if (round <= rounds) return ok({ version: 1, state: 'wait', until: until(now), seq: 0 });
      return ok(
        kind === 'sleep'
          ? { version: 1, state: 'end', reason: 'due' }
          : { version: 1, state: 'end', reason: 'settled', result },
      );
    },
  };
}

/** By name of the golden file; each call makes a fresh script, because scripts count. */
export const goldenScripts: Readonly<Record<string, () => Script>> = {
  'run-plain': () => run(scheduleOf(diamond, deadline), () => undefined),
  'run-retry': () =>
    run(scheduleOf(diamond, deadline), (name, input) =>
      name === 'node1' && input.nodeId === 'b' && input.attempt < 3 ? ok(failed(input, 'transient')) : undefined,
    ),
  'run-lost-answer': () =>
    run(scheduleOf(diamond, deadline), (name, input) =>
      name === 'node1' && input.nodeId === 'c' && input.attempt === 1 ? { lost: 'the worker is gone' } : undefined,
    ),
  'run-wait': () =>
    run(scheduleOf({ ...diamond, e: [] }, far), (name, input) => {
      if (name !== 'node1' || input.phase === 'end') return undefined;
      if (input.nodeId === 'a') return ok(waits(input, START + 60_000, 'run-1-00000000000a'));
      return input.nodeId === 'e' ? ok(waits(input, START + 30 * DAY, 'run-1-00000000000e')) : undefined;
    }),
  'run-job': () =>
    run(scheduleOf(diamond, deadline), (name, input) => {
      if (name === 'job1') {
        const result = succeeded({ nodeId: 'b', item: -1, attempt: 1 });
        return ok({ version: 1, state: 'end', reason: 'settled', result });
      }
      return name === 'node1' && input.nodeId === 'b' ? ok(becomesJob(input, 'run-1-00000000000b')) : undefined;
    }),
  'run-inline': () =>
    run(scheduleOf(loop, { ...deadline, window: 3, groups: [['a', 'b']] }), (name, input) =>
      name === 'expand1' ? ok(expanded(input, 4, 'inline')) : undefined,
    ),
  'run-lanes': lanes,
  'run-cancel': () =>
    run(
      scheduleOf(diamond, deadline),
      (name) => (name === 'control1' ? ok({ version: 1, control: 'cancel', seq: 1 }) : undefined),
      { 5: [controlEvent('run-1', 1)] },
    ),
  'run-suspend': suspended,
  'run-failure': () =>
    run(scheduleOf(diamond, deadline), (name, input) =>
      name === 'node1' && input.nodeId === 'b' ? ok(failed(input, 'permanent')) : undefined,
    ),
  lane: lane,
  'sleep-again': () => child('sleep', 99, () => START + 30 * DAY),
  'sleep-due': () => child('sleep', 1, (now) => now + 3_600_000),
  'job-again': () => child('job', 99, (now) => now + 30_000),
  'job-settled': () => child('job', 3, (now) => now + 30_000),
};
