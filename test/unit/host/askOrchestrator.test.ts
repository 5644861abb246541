/** The host's question to the code: what it can see of the SDK, and what it does when it sees nothing. */
import type { OrchestrationContext } from 'durable-functions';
import { describe, expect, it } from 'vitest';
import type { LoadedApp, RegisteredFunction } from '../../../src/local/host/core/types.ts';
import { readSdkNumbers } from '../../../src/local/host/durable/sdkNumbers.ts';
import { askOrchestrator } from '../../../src/local/host/engine/askOrchestrator.ts';
import { OnceLog } from '../../../src/local/host/engine/onceLog.ts';
import type { InstanceRecord } from '../../../src/local/host/store/instanceTable.ts';
import { triggerPayload } from '../../../src/local/host/durable/payload.ts';
import { askSdk } from '../../support/hostModel/sdk.ts';

const record: InstanceRecord = {
  instanceId: 'i',
  executionId: 'e',
  name: 'f',
  version: '',
  status: 'Running',
  createdMs: 0,
  updatedMs: 0,
  input: null,
  output: null,
  customStatus: null,
  parent: null,
};
const fn = { name: 'f', id: 'f', triggerName: 'trigger', clientInputs: [] } as unknown as RegisteredFunction;

/** An app that answers these texts in turn, and shows this as its context. */
function scopeOf(
  answers: readonly string[],
  options: { readonly strict?: boolean; readonly twice?: boolean; readonly context?: unknown } = {},
): { scope: Parameters<typeof askOrchestrator>[0]; lines: string[]; asked: () => number } {
  const lines: string[] = [];
  let asked = 0;
  const app = {
    invoke: (invocation: Parameters<LoadedApp['invoke']>[0]) => {
      const json = answers[Math.min(asked, answers.length - 1)] ?? '';
      asked += 1;
      invocation.observe?.(options.context);
      return Promise.resolve({ ok: true as const, returnValue: { json }, outputs: new Map() });
    },
  } as unknown as LoadedApp;
  const scope = {
    app,
    functions: {
      http: [],
      timers: [],
      activity: () => undefined,
      orchestrator: (name: string) => (name === 'f' ? fn : undefined),
      orchestratorNames: ['f'],
    },
    log: new OnceLog((level, text) => lines.push(`${level} ${text}`)),
    strict: options.strict === true,
    repeatEpisodes: options.twice === true,
  };
  return { scope, lines, asked: () => asked };
}
const STATE = '{"isDone":false,"actions":[[]]}';

describe('reading the SDK', () => {
  it.each([
    ['nothing', undefined],
    ['no df', {}],
    ['no executor', { df: {} }],
    ['an executor of another version', { df: { taskOrchestratorExecutor: { sequenceNumber: 1 } } }],
    [
      'numbers of another type',
      {
        df: {
          taskOrchestratorExecutor: {
            sequenceNumber: '1',
            actions: [],
            openTasks: {},
            openEvents: {},
            deferredTasks: {},
          },
        },
      },
    ],
  ])('%s: says nothing instead of something wrong', (_what, context) =>
    expect(readSdkNumbers(context)).toBeUndefined(),
  );

  it('durable-functions as installed: numbers, kinds, places, waiting and early events', async () => {
    const event = (fields: Record<string, unknown>): string =>
      JSON.stringify({ EventId: -1, IsPlayed: false, Timestamp: '2026-01-05T10:00:00.000Z', ...fields });
    const payload = triggerPayload({ instanceId: 'i', parentInstanceId: null, input: null, isReplaying: false }, [
      event({ EventType: 12 }),
      event({ EventType: 0, Name: 'f', Input: null }),
      event({ EventType: 15, Name: 'early', Input: '1' }),
    ]);
    const { sdk } = await askSdk(function* (context: OrchestrationContext) {
      const { df } = context;
      const at = (days: number): Date => new Date(df.currentUtcDateTime.getTime() + days * 86_400_000);
      yield df.Task.any([
        df.callActivity('a'),
        df.Task.all([df.callSubOrchestrator('c'), df.createTimer(at(1))]),
        df.waitForExternalEvent('later'),
        df.createTimer(at(20)),
      ]);
    }, payload);
    expect(sdk).toMatchObject({ next: 4, ended: false, listedTwice: [], waiting: ['later'], early: ['early'] });
    expect([...(sdk?.open ?? [])]).toEqual([
      [0, { place: '0.0', kind: 'activity', what: 'a', fireAt: undefined }],
      [1, { place: '0.1.0', kind: 'child', what: 'c', fireAt: undefined }],
      [
        2,
        { place: '0.1.1', kind: 'timer', what: '2026-01-06T10:00:00.000Z', fireAt: Date.parse('2026-01-06T10:00:00Z') },
      ],
      // A slice: the host alone decides when it fires.
      [3, { place: '0.3', kind: 'timer', what: '2026-01-25T10:00:00.000Z', fireAt: undefined }],
    ]);
  });
});

describe('a host that cannot see the numbers of the SDK', () => {
  it('says so once, and goes on', async () => {
    const { scope, lines } = scopeOf([STATE]);
    for (let i = 0; i < 2; i += 1)
      expect((await askOrchestrator(scope, record, [], false)).answer).toMatchObject({ isDone: false });
    expect(lines).toEqual([
      expect.stringMatching(/^error i: the inside of durable-functions is not as in version 3\.5/),
    ]);
  });

  it('fails a strict instance: strict mode promises what it then could not hold', async () => {
    const { scope } = scopeOf([STATE], { strict: true });
    expect((await askOrchestrator(scope, record, [], false)).answer).toEqual({
      broken: expect.stringMatching(/drift detector/),
    });
  });
});

describe('an episode asked for twice', () => {
  it('takes the answer when both are equal', async () => {
    const { scope, asked } = scopeOf([STATE], { twice: true });
    expect((await askOrchestrator(scope, record, [], false)).answer).toMatchObject({ isDone: false });
    expect(asked()).toBe(2);
  });

  it('refuses two answers and shows where they part', async () => {
    const { scope } = scopeOf(['{"isDone":true,"output":1}', '{"isDone":true,"output":2}'], { twice: true });
    expect((await askOrchestrator(scope, record, [], false)).answer).toEqual({
      broken:
        'Non-deterministic: the same history gave two answers, "Done":true,"output":1}" and "Done":true,"output":2}"',
    });
  });

  it('an unknown orchestrator is refused without asking', async () => {
    const { scope, asked } = scopeOf([STATE], { twice: true });
    const { answer } = await askOrchestrator(scope, { ...record, name: 'gone' }, [], false);
    expect(answer).toEqual({
      broken: expect.stringMatching(
        /^The function 'gone' doesn't exist, is disabled, or is not an orchestrator function\. .*known orchestrator functions: /,
      ),
    });
    expect(asked()).toBe(0);
  });
});
