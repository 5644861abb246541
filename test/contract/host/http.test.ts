import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
let host: Awaited<ReturnType<typeof startTestHost>>;
const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${host.baseUrl}${path}`, init);

/** A request whose path is sent as it is, and whose headers are ours alone. */
function raw(path: string, headers: Record<string, string> = {}, port = host.port): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end();
  });
}

beforeAll(async () => {
  host = await startTestHost(state.path, { enableAuth: true });
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

describe('HTTP triggers in buffered mode', () => {
  it('passes method, route values, joined query values and body; answers JSON and cookies', async () => {
    const key = { 'x-functions-key': host.keys.function };
    const answer = await get('/api/ITEMS/7/Part%20A?x=1&x=2', { method: 'POST', body: 'hello', headers: key });
    expect(await answer.json()).toEqual({
      method: 'POST',
      id: '7',
      part: 'Part A',
      x: ['1,2'],
      body: 'hello',
      url: `${host.baseUrl}/api/ITEMS/7/Part%20A?x=1&x=2`,
    });
    expect(answer.headers.get('set-cookie')).toBe('seen=a%20b; HttpOnly; SameSite=Strict');
  });

  it('leaves out an absent optional value, and refuses one that its constraint refuses', async () => {
    const code = `?code=${host.keys.function}`;
    expect(await (await get(`/api/items/7${code}`)).json()).toMatchObject({ part: null });
    expect((await get(`/api/items/seven${code}`)).status).toBe(404);
  });

  it('serves a catch-all with its slashes', async () => {
    expect(await (await get('/api/files/a/b%20c/d.txt')).text()).toBe('a/b c/d.txt');
  });

  it('401 with an empty body without the key, 404 for a wrong method and an unknown path', async () => {
    const denied = await get('/api/items/7');
    expect([denied.status, await denied.text()]).toEqual([401, '']);
    expect((await get('/api/items/7', { headers: { 'x-functions-key': 'guess' } })).status).toBe(401);
    expect((await get(`/api/secret?code=${host.keys.function}`)).status).toBe(401);
    expect((await get(`/api/secret?code=${host.keys.master}`)).status).toBe(200);
    expect((await get('/api/items/7', { method: 'DELETE' })).status).toBe(404);
    expect((await get('/api/nowhere')).status).toBe(404);
    expect(await raw('/api/files/%E0%A4%A')).toBe(404);
  });

  it('204 for a handler that returns nothing, 500 with an empty body for one that throws', async () => {
    expect((await get('/api/nothing')).status).toBe(204);
    const failed = await get('/api/throws');
    expect([failed.status, await failed.text()]).toEqual([500, '']);
    expect(host.log.join('\n')).toMatch(/throws a handler failed/);
  });

  it('carries bytes unchanged', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
    const answer = await get('/api/binary', { method: 'POST', body: bytes });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  it('answers GET / with a landing page', async () => {
    expect((await get('/')).status).toBe(200);
  });
});

describe('who may reach the durable endpoints', () => {
  it('webhooks need their key, RPC answers to its own name only and never to a browser', async () => {
    expect((await get('/runtime/webhooks/durabletask/instances/')).status).toBe(401);
    expect((await get(`/runtime/webhooks/durabletask/instances/?code=${host.keys.function}`)).status).toBe(401);
    expect((await get(`/runtime/webhooks/durabletask/instances/?code=${host.keys.durable}`)).status).toBe(200);
    expect(await raw('/durabletask/instances/', { host: `127.0.0.1:${host.rpcPort}` }, host.rpcPort)).toBe(200);
    expect(await raw('/durabletask/instances/', { host: `evil.example:${host.rpcPort}` }, host.rpcPort)).toBe(403);
    const browser = { host: `127.0.0.1:${host.rpcPort}`, origin: 'http://evil.example' };
    expect(await raw('/durabletask/instances/', browser, host.rpcPort)).toBe(403);
  });
});
