import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
let host: Awaited<ReturnType<typeof startTestHost>>;
beforeAll(async () => {
  host = await startTestHost(state.path);
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

interface Answer {
  readonly ok: boolean;
  readonly value?: never;
  readonly message?: string;
}
/** Calls a method of the SDK's durable client inside the app. */
async function client(method: string, ...args: unknown[]): Promise<Answer> {
  const answer = await fetch(`${host.baseUrl}/api/client/${method}`, { method: 'POST', body: JSON.stringify(args) });
  return (await answer.json()) as Answer;
}
async function start(name: string, options: Record<string, unknown> = {}): Promise<string> {
  const answer = await client('startNew', name, options);
  if (!answer.ok) throw new Error(answer.message);
  return String(answer.value);
}
/** The management API by its webhooks. */
function webhook(path: string, init?: RequestInit): Promise<Response> {
  const url = new URL(`${host.baseUrl}/runtime/webhooks/durabletask/${path}`);
  url.searchParams.set('code', host.keys.durable);
  return fetch(url, init);
}
const post = (path: string, body?: string): Promise<Response> =>
  webhook(path, {
    method: 'POST',
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });

describe("every call of the SDK's durable client", () => {
  it('startNew with a given id and input; getStatus while it runs and when it is finished', async () => {
    const id = await start('eventThenActivity', { instanceId: 'given-id', input: { a: 1 } });
    expect(id).toBe('given-id');
    expect((await client('getStatus', id)).value).toMatchObject({
      instanceId: id,
      name: 'eventThenActivity',
      input: { a: 1 },
    });
    expect((await client('raiseEvent', id, 'go', { b: 2 })).ok).toBe(true);
    await host.waitFor(id);
    expect((await client('getStatus', id)).value).toMatchObject({ runtimeStatus: 'Completed', output: { b: 2 } });
  });

  it('Q8 a start without input gives the empty string', async () => {
    const id = await start('waitForever');
    expect((await client('getStatus', id)).value).toMatchObject({ input: '' });
  });

  it('refuses unknown functions, bad ids, and Q28 an id in use', async () => {
    expect(await client('startNew', 'noSuchThing')).toMatchObject({ ok: false });
    expect(await client('startNew', 'chain', { instanceId: '@x' })).toMatchObject({ ok: false });
    await start('waitForever', { instanceId: 'taken' });
    expect((await client('startNew', 'waitForever', { instanceId: 'taken' })).message).toMatch(/already exists/);
    expect((await post('orchestrators/chain/taken')).status).toBe(409);
  });

  it('suspend, resume, terminate; an ended instance takes no more and does not throw', async () => {
    const id = await start('waitForever');
    await host.waitFor(id, (r) => r.status === 'Running');
    expect((await client('suspend', id, 'pause')).ok).toBe(true);
    await host.waitFor(id, (r) => r.status === 'Suspended');
    expect((await post(`instances/${id}/suspend`)).status).toBe(500);
    expect((await client('resume', id, 'on')).ok).toBe(true);
    await host.waitFor(id, (r) => r.status === 'Running');
    expect((await client('terminate', id, 'enough')).ok).toBe(true);
    await host.waitFor(id);
    expect((await client('terminate', id, 'again')).ok).toBe(true);
    expect((await post(`instances/${id}/terminate`)).status).toBe(410);
    expect((await client('getStatus', 'nobody')).ok).toBe(false);
  });

  it('getStatusAll pages through everything; getStatusBy filters', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => start('chain')));
    await Promise.all(ids.map((id) => host.waitFor(id)));
    const all = (await client('getStatusAll')).value as unknown as { instanceId: string }[];
    expect(all.map((s) => s.instanceId)).toEqual(expect.arrayContaining(ids));
    const done = (await client('getStatusBy', { runtimeStatus: ['Completed'] })).value as unknown as {
      runtimeStatus: string;
    }[];
    expect(new Set(done.map((s) => s.runtimeStatus))).toEqual(new Set(['Completed']));
    const page = await webhook('instances/?top=1');
    expect(((await page.json()) as unknown[]).length).toBe(1);
    const token = page.headers.get('x-ms-continuation-token') ?? '';
    const next = await webhook('instances/?top=1', { headers: { 'x-ms-continuation-token': token } });
    expect(((await next.json()) as { instanceId: string }[])[0]?.instanceId).toBe(all[1]?.instanceId);
  });

  it('purges by id and by filter', async () => {
    const id = await start('chain');
    await host.waitFor(id);
    expect((await client('purgeInstanceHistory', id)).value).toEqual({ instancesDeleted: 1 });
    expect((await client('purgeInstanceHistory', id)).value).toEqual({ instancesDeleted: 0 });
    const other = await start('chain');
    await host.waitFor(other);
    const filter = { createdTimeFrom: '2020-01-01T00:00:00Z', runtimeStatus: ['Completed'] };
    const purged = (await client('purgeInstanceHistoryBy', filter)).value as unknown as { instancesDeleted: number };
    expect(purged.instancesDeleted).toBeGreaterThan(0);
    expect(host.client.status(other)).toBeUndefined();
    expect((await webhook('instances/', { method: 'DELETE' })).status).toBe(400);
  });

  it('createCheckStatusResponse gives links that work', async () => {
    const answer = await fetch(`${host.baseUrl}/api/start/chain`, { method: 'POST', body: 'null' });
    expect(answer.status).toBe(202);
    const links = (await answer.json()) as { id: string; statusQueryGetUri: string };
    await host.waitFor(links.id);
    expect(await (await fetch(links.statusQueryGetUri)).json()).toMatchObject({
      runtimeStatus: 'Completed',
      output: 3,
    });
  });

  it('refuses entities and rewind by name', async () => {
    expect((await post('entities/counter/a?op=add')).status).toBe(501);
    expect(await (await webhook('entities/counter/a')).text()).toMatch(/durable entities/);
    const id = await start('chain');
    await host.waitFor(id);
    expect((await client('rewind', id, 'why')).message).toMatch(/only orchestrations in the "Failed" state/);
    const failed = await start('escape');
    await host.waitFor(failed);
    expect((await client('rewind', failed, 'why')).message).toMatch(/does not support rewind/);
  });
});

describe('the management API by its webhooks', () => {
  it('start answers 202 with links and headers; with a timeout it waits for the output', async () => {
    const started = await post('orchestrators/chain/by-hook', '{"x":1}');
    expect([started.status, started.headers.get('retry-after')]).toEqual([202, '10']);
    expect(Object.keys((await started.json()) as object).sort()).toEqual(
      [
        'id',
        'statusQueryGetUri',
        'sendEventPostUri',
        'terminatePostUri',
        'purgeHistoryDeleteUri',
        'restartPostUri',
        'suspendPostUri',
        'resumePostUri',
      ].sort(),
    );
    const waited = await post('orchestrators/chain?timeout=30&pollingInterval=1');
    expect([waited.status, await waited.json()]).toEqual([200, 3]);
    expect((await post('orchestrators/chain', '{bad')).status).toBe(400);
    expect((await post('orchestrators/nothing')).status).toBe(400);
  });

  it('raiseEvent checks in its order: 404, 410, content type, JSON', async () => {
    const id = await start('waitForever');
    expect((await post('instances/nobody/raiseEvent/e', '1')).status).toBe(404);
    expect((await webhook(`instances/${id}/raiseEvent/e`, { method: 'POST', body: '1' })).status).toBe(400);
    expect((await post(`instances/${id}/raiseEvent/e`, '{')).status).toBe(400);
    expect((await post(`instances/${id}/raiseEvent/never`, '5')).status).toBe(202);
    await host.waitFor(id);
    expect((await post(`instances/${id}/raiseEvent/e`, '1')).status).toBe(410);
  });

  it('shows history with schedules folded into completions, results only when asked', async () => {
    const id = await start('chain');
    await host.waitFor(id);
    const plain = (await (await webhook(`instances/${id}?showHistory=true`)).json()) as {
      historyEvents: Record<string, unknown>[];
    };
    expect(plain.historyEvents.map((e) => e['EventType'])).toEqual([
      'ExecutionStarted',
      'TaskCompleted',
      'TaskCompleted',
      'TaskCompleted',
      'ExecutionCompleted',
    ]);
    expect(plain.historyEvents[1]).toMatchObject({ FunctionName: 'echo', ScheduledTime: expect.any(String) });
    expect(plain.historyEvents[1]).not.toHaveProperty('Result');
    const full = (await (await webhook(`instances/${id}?showHistory=true&showHistoryOutput=true`)).json()) as {
      historyEvents: Record<string, unknown>[];
    };
    expect(full.historyEvents.at(-1)).toMatchObject({ OrchestrationStatus: 'Completed', Result: 3 });
  });

  it('answers 404 for unknown paths and verbs, 500 for a failed instance when asked', async () => {
    expect((await webhook('nothing/here')).status).toBe(404);
    const id = await start('escape');
    await host.waitFor(id);
    expect((await webhook(`instances/${id}`)).status).toBe(200);
    expect((await webhook(`instances/${id}?returnInternalServerErrorOnFailure=true`)).status).toBe(500);
    expect((await webhook(`instances/${id}`, { method: 'PUT' })).status).toBe(404);
    expect((await post(`instances/${id}/restart?restartWithNewInstanceId=false`)).status).toBe(202);
    await host.waitFor(id);
  });
});
