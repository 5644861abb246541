import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadApp } from '../../../src/local/host/core/loadApp.ts';
import type { InvocationResult, LoadedApp, TypedData } from '../../../src/local/host/core/loadApp.ts';
import { makeApp, packageJson } from './coreFixture.ts';

const app = makeApp({
  'package.json': packageJson('*.js'),
  'a.js': `
    import { app, output } from '@azure/functions';
    import * as df from 'durable-functions';
    globalThis.coreSeen = [];
    const seen = globalThis.coreSeen;
    app.hook.preInvocation((c) => { c.hookData.mark = c.invocationContext.functionName; if (c.inputs[0] === 'swap') c.inputs = ['swapped']; });
    app.hook.postInvocation((c) => { seen.push([c.hookData.mark, c.error?.message ?? null]); if (c.error?.message === 'repair me') { c.error = null; c.result = 'repaired'; } });
    app.hook.log((c) => { if (c.message === 'secret') c.message = '***'; });
    app.hook.appTerminate(async () => { seen.push(['terminate']); await new Promise(() => {}); });
    df.app.activity('echo', { handler: (input) => input });
    df.app.activity('typeOf', { handler: (input) => (input === null ? 'null' : typeof input) });
    df.app.activity('fail', { handler: (what) => { throw what === 'text' ? 'plain text' : what === 'nothing' ? undefined : new Error(what); } });
    df.app.activity('log', { handler: (_, context) => { context.log('secret'); context.warn('careful'); } });
    df.app.activity('extra', { extraOutputs: [output.generic({ type: 'blob', name: 'out' })], handler: (_, context) => { context.extraOutputs.set('out', 'written'); } });
    df.app.orchestration('answer', function* (context) { return { got: context.df.getInput() }; });
    df.app.orchestration('broken', function* () { throw new Error('boom'); });
    df.app.client.http('client', { handler: (request, client) => ({ jsonBody: { hub: client.taskHubName, q: request.query.get('x'), id: request.params.id } }) });`,
});
let loaded: LoadedApp;
beforeAll(async () => {
  loaded = await loadApp({ appDirectory: app.directory, log: app.log, terminateLimitMs: 20 });
});
afterAll(() => app.remove());

function invoke(
  name: string,
  data: TypedData,
  more: readonly { name: string; data: TypedData }[] = [],
): Promise<InvocationResult> {
  const fn = loaded.functions.find((candidate) => candidate.name === name);
  const inputs = [{ name: fn?.triggerName ?? 'none', data }, ...more];
  return loaded.invoke({ invocationId: `i-${name}`, functionName: name, inputs });
}
const value = (result: InvocationResult): unknown => (result.ok ? result.returnValue : result);
const seen = (): unknown[] => (globalThis as Record<string, unknown>)['coreSeen'] as unknown[];

describe('typed data in and out', () => {
  it.each<[TypedData, TypedData | null | undefined]>([
    [{ string: '"Tokyo"' }, { string: 'Tokyo' }],
    [{ string: 'not json' }, { string: 'not json' }],
    [{ string: '{"a":[1]}' }, { json: '{"a":[1]}' }],
    [{ json: '{"a":"2026-01-05T10:00:00Z"}' }, { json: '{"a":"2026-01-05T10:00:00Z"}' }],
    [{ string: '5' }, { int: 5 }],
    [{ int: 7 }, { int: 7 }],
    [{ double: 0.5 }, { double: 0.5 }],
    [{ string: 'True' }, { string: 'True' }],
    [{ bytes: new Uint8Array([1, 2]) }, { bytes: Buffer.from([1, 2]) }],
    [{}, undefined],
  ])('%j comes back as %j', async (input, output) => {
    expect(value(await invoke('echo', input))).toEqual(output);
  });

  it('an empty input is undefined for the handler', async () => {
    expect(value(await invoke('typeOf', {}))).toEqual({ string: 'undefined' });
  });

  it('output bindings come back by name', async () => {
    const result = await invoke('extra', {});
    expect(result.ok && [...result.outputs]).toEqual([['out', { string: 'written' }]]);
  });

  it('function names ignore case', async () => {
    const trigger = loaded.functions.find((f) => f.name === 'echo')?.triggerName ?? '';
    const result = await loaded.invoke({
      invocationId: 'c',
      functionName: 'ECHO',
      inputs: [{ name: trigger, data: { int: 1 } }],
    });
    expect(value(result)).toEqual({ int: 1 });
  });
});

describe('failures are values', () => {
  it('an Error keeps message and stack', async () => {
    const result = await invoke('fail', { string: 'disk full' });
    expect(result).toMatchObject({ ok: false, message: 'disk full' });
    expect(result.ok ? '' : result.stack).toContain('Error: disk full');
  });

  it('a thrown text is its own message; a thrown undefined counts as success', async () => {
    expect(await invoke('fail', { string: 'text' })).toEqual({ ok: false, message: 'plain text', stack: '' });
    expect(value(await invoke('fail', { string: 'nothing' }))).toBeNull();
  });

  it('an unknown function and an unknown input name', async () => {
    expect(await loaded.invoke({ invocationId: 'u', functionName: 'nobody', inputs: [] })).toMatchObject({ ok: false });
    const result = await invoke('echo', {}, [{ name: 'ghost', data: {} }]);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('ghost') as string });
  });

  it('a post hook can replace error and result, and sees failures', async () => {
    seen().length = 0;
    expect(value(await invoke('fail', { string: 'repair me' }))).toEqual({ string: 'repaired' });
    expect(seen()).toEqual([['fail', 'repair me']]);
  });
});

describe('hooks and logs', () => {
  it('a pre hook can replace the inputs', async () => {
    expect(value(await invoke('echo', { string: 'swap' }))).toEqual({ string: 'swapped' });
  });

  it('log lines carry level, category and function, and pass the log hooks', async () => {
    app.lines.length = 0;
    await invoke('log', {});
    expect(app.lines).toEqual([
      { level: 'information', category: 'user', message: '***', functionName: 'log' },
      { level: 'warning', category: 'user', message: 'careful', functionName: 'log' },
    ]);
  });
});

describe('durable functions through the same door', () => {
  const history = [
    { EventType: 12, EventId: -1, IsPlayed: false, Timestamp: '2026-01-05T10:00:00.1Z' },
    { EventType: 0, EventId: -1, IsPlayed: false, Timestamp: '2026-01-05T10:00:00Z', Name: 'answer', Input: '{}' },
  ];
  const payload = (input: unknown): TypedData => ({
    string: JSON.stringify({
      history,
      input,
      instanceId: 'p1',
      isReplaying: false,
      parentInstanceId: null,
      upperSchemaVersion: 1,
      upperSchemaVersionNew: 3,
    }),
  });

  it('an orchestrator answers with its state as JSON', async () => {
    const result = await invoke('answer', payload({ city: 'Rome' }));
    const json = result.ok ? (result.returnValue?.json ?? '') : '';
    expect(JSON.parse(json)).toEqual({
      isDone: true,
      actions: [[]],
      output: { got: { city: 'Rome' } },
      schemaVersion: 3,
    });
  });

  it('a failing orchestrator keeps the state in its message and has no stack', async () => {
    const result = await invoke('broken', payload(null));
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('$OutOfProcData$:') as string });
  });

  it('a client binding reaches getClient', async () => {
    const fn = loaded.functions.find((candidate) => candidate.name === 'client');
    const base = 'http://localhost:7071/x';
    const client = {
      taskHubName: 'hub1',
      creationUrls: { createNewInstancePostUri: base },
      managementUrls: { id: 'INSTANCEID', statusQueryGetUri: base },
      baseUrl: base,
      requiredQueryStringParameters: '',
      rpcBaseUrl: 'http://127.0.0.1:17071/durabletask/',
    };
    const http = {
      method: 'GET',
      url: 'http://localhost:7071/api/client?x=1',
      nullableHeaders: {},
      nullableQuery: { x: { value: '1' } },
      nullableParams: { id: { value: '7' } },
    };
    const result = await invoke('client', { http }, [
      { name: fn?.clientInputs[0] ?? '', data: { string: JSON.stringify(client) } },
    ]);
    expect(result).toMatchObject({ ok: true });
    const answer = result.ok ? (result.returnValue?.http as { body: { bytes: Uint8Array } }) : undefined;
    expect(JSON.parse(Buffer.from(answer?.body.bytes ?? []).toString())).toEqual({ hub: 'hub1', q: '1', id: '7' });
  });
});

it('stop runs the terminate hooks once and does not wait for ever', async () => {
  seen().length = 0;
  app.lines.length = 0;
  await Promise.all([loaded.stop(), loaded.stop()]);
  expect(seen()).toEqual([['terminate']]);
  expect(app.lines.map((line) => line.level)).toEqual(['warning']);
});
