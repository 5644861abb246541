import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../src/local/host/clock.ts';
import { readHostConfig, timeSpanMs } from '../../../src/local/host/config/hostJson.ts';
import { resolveText } from '../../../src/local/host/config/settings.ts';
import { parseAnswer } from '../../../src/local/host/durable/answer.ts';
import { triggerPayload } from '../../../src/local/host/durable/payload.ts';
import { activityInput } from '../../../src/local/host/engine/activityInput.ts';
import { completionEvent, resultText } from '../../../src/local/host/engine/activityResult.ts';
import { checkInstanceId } from '../../../src/local/host/engine/instanceId.ts';
import { WorkQueue } from '../../../src/local/host/engine/workQueue.ts';

describe('activity inputs and results', () => {
  it.each([
    ['["\\"Tokyo\\""]', { string: '"Tokyo"' }],
    ['[5]', { string: '5' }],
    ['[{"a":1}]', { string: '{"a":1}' }],
    ['[true]', { string: 'True' }],
    ['[false]', { string: 'False' }],
    ['[null]', {}],
  ])('input %s', (stored, data) => expect(activityInput(stored)).toEqual(data));

  it('Q6 a result is JSON text or null, never absent', () => {
    expect([
      resultText(undefined),
      resultText({ json: 'null' }),
      resultText({ string: '5' }),
      resultText({ int: 5 }),
      resultText({ json: '{"a":1}' }),
    ]).toEqual([null, null, '"5"', '5', '{"a":1}']);
    expect(completionEvent(3, 'f', { ok: true, returnValue: null, outputs: new Map() }, 0)).toHaveProperty(
      'Result',
      null,
    );
  });

  it('a failure with structured details carries them', () => {
    const message = JSON.stringify({
      errorType: 'QuotaError',
      errorMessage: 'limit 5',
      isNonRetriable: false,
      properties: { limit: 5 },
    });
    const event = completionEvent(3, 'f', { ok: false, message, stack: 'at x' }, 0);
    expect(event).toMatchObject({
      EventType: 6,
      TaskScheduledId: 3,
      FailureDetails: { ErrorType: 'QuotaError', ErrorMessage: 'limit 5', Properties: { limit: 5 } },
    });
  });
});

describe("the SDK's answer", () => {
  it('takes the state behind the last label of a failure', () => {
    const answer = parseAnswer({
      ok: false,
      message: 'false\n\n$OutOfProcData$:{"x"}$OutOfProcData$:{"isDone":false,"actions":[[]],"error":"bad"}',
      stack: '',
    });
    expect(answer).toMatchObject({ error: 'bad', actions: [], isDone: false });
  });

  it('loses the actions of a throw without a label, and of an answer that is no state', () => {
    expect(parseAnswer({ ok: false, message: 'boom', stack: 's' })).toEqual({
      broken: expect.stringMatching(/One or more errors occurred\. \(Result: Failure\nException: boom/),
      thrown: true,
    });
    expect(parseAnswer({ ok: true, text: undefined })).toHaveProperty('broken');
  });

  it.each([
    [7, /callEntity/],
    [8, /callHttp/],
    [9, /signalEntity/],
    [10, /scheduled signalEntity/],
    [13, /lock/],
    [14, /release/],
    [99, /does not know action type 99/],
  ])('refuses action %i by name, also inside a compound', (actionType, pattern) => {
    const text = JSON.stringify({
      isDone: false,
      actions: [[{ actionType: 12, compoundActions: [{ actionType, functionName: 'x' }] }]],
    });
    expect(parseAnswer({ ok: true, text })).toEqual({ broken: expect.stringMatching(pattern) });
  });

  it('payload: history texts go in unchanged, an input that is no JSON travels as text', () => {
    const facts = { instanceId: 'i', parentInstanceId: null, isReplaying: false };
    expect(triggerPayload({ ...facts, input: '{"a":1.0}' }, ['{"n":1.0}'])).toMatch(
      /^\{"history":\[\{"n":1.0\}\],"input":\{"a":1.0\},"instanceId":"i"/,
    );
    expect(JSON.parse(triggerPayload({ ...facts, input: 'not json' }, []))).toMatchObject({
      input: 'not json',
      upperSchemaVersionNew: 3,
    });
  });
});

describe('small parts', () => {
  it.each(['@x', 'a/b', 'a\\b', 'a#b', 'a?b', 'a\nb', 'x'.repeat(257)])('Q22 refuses the instance id %j', (id) =>
    expect(() => checkInstanceId(id)).toThrow(),
  );

  it('settings: resolves names, refuses missing and empty ones', () => {
    expect(resolveText('%A%-x', { A: '1' })).toBe('1-x');
    expect(() => resolveText('%B%', {})).toThrow(/B in "%B%" has no value/);
    expect(() => resolveText('%B%', { B: '' })).toThrow();
  });

  it('host.json: defaults when missing, names resolved, bad JSON refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'host-config-'));
    try {
      expect(readHostConfig(folder, {})).toMatchObject({
        routePrefix: 'api',
        hubName: 'TestHubName',
        rpcEnabled: true,
        functionTimeoutMs: 1_800_000,
      });
      writeFileSync(
        join(folder, 'host.json'),
        JSON.stringify({
          functionTimeout: '00:01:00',
          extensions: {
            http: { routePrefix: '' },
            durableTask: { hubName: '%HUB%', maxConcurrentActivityFunctions: 3 },
          },
        }),
      );
      expect(readHostConfig(folder, { HUB: 'Mine' })).toMatchObject({
        routePrefix: '',
        hubName: 'Mine',
        maxActivities: 3,
        functionTimeoutMs: 60_000,
      });
      expect(() => readHostConfig(folder, {})).toThrow(/HUB/);
      writeFileSync(join(folder, 'host.json'), '{');
      expect(() => readHostConfig(folder, {})).toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('time spans', () => {
    expect([timeSpanMs('00:10:00'), timeSpanMs('1.00:00:00'), timeSpanMs('-1'), timeSpanMs('ten')]).toEqual([
      600_000,
      86_400_000,
      Infinity,
      undefined,
    ]);
  });

  it('manual clock: fires in order of time, shows each timer its own time, and cancels', () => {
    const clock = manualClock(0);
    const seen: string[] = [];
    clock.setTimer(20, () => seen.push(`b${clock.now()}`));
    clock.setTimer(10, () => {
      seen.push(`a${clock.now()}`);
      clock.setTimer(15, () => seen.push(`c${clock.now()}`));
    });
    clock.setTimer(12, () => seen.push('never'))();
    clock.advance(50);
    expect([seen, clock.now(), clock.nextTimer()]).toEqual([['a10', 'c15', 'b20'], 50, undefined]);
  });

  it('work queue: at most the limit at once, never a key twice at once, once more when added while it runs', async () => {
    let running = 0;
    let most = 0;
    const runs: string[] = [];
    const open = new Set<string>();
    const queue = new WorkQueue<string>(2, async (key) => {
      expect(open.has(key)).toBe(false);
      open.add(key);
      most = Math.max(most, (running += 1));
      runs.push(key);
      if (runs.filter((k) => k === 'a').length === 1 && key === 'a') queue.add('a');
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      open.delete(key);
    });
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    while (queue.size > 0) await new Promise((resolve) => setImmediate(resolve));
    expect([most, [...runs].sort()]).toEqual([2, ['a', 'a', 'b', 'c', 'd']]);
    await queue.close();
    queue.add('late');
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).not.toContain('late');
  });
});
