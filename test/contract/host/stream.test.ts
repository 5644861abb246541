import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
let host: Awaited<ReturnType<typeof startTestHost>>;
beforeAll(async () => {
  const appDirectory = fileURLToPath(new URL('../../support/hostStreamApp/', import.meta.url));
  host = await startTestHost(state.path, { appDirectory, entryFiles: ['functions.ts'] });
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

describe('HTTP triggers in stream mode', () => {
  it('passes URL, route values, query and headers; answers status, headers and cookies', async () => {
    const url = `${host.baseUrl}/api/info/7?x=1%202`;
    const answer = await fetch(url, { headers: { 'x-test': 'here' } });
    expect(answer.status).toBe(201);
    expect([answer.headers.get('x-own'), answer.headers.get('set-cookie')]).toEqual(['yes', 'a=1']);
    expect(await answer.json()).toEqual({ url, id: '7', header: 'here', x: '1 2' });
  });

  it('streams a large upload through', async () => {
    const answer = await fetch(`${host.baseUrl}/api/count`, { method: 'POST', body: new Uint8Array(20_000_000) });
    expect(await answer.text()).toBe('20000000');
  });

  it('takes a chunked body without a length', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('abc'));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await (await fetch(`${host.baseUrl}/api/count`, init)).text()).toBe('3');
  });

  it('delivers events as they come, not at the end', async () => {
    const answer = await fetch(`${host.baseUrl}/api/ticks`);
    const times: number[] = [];
    let text = '';
    for await (const chunk of answer.body ?? []) {
      times.push(Date.now());
      text += new TextDecoder().decode(chunk as Uint8Array);
    }
    expect(text).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\n');
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(200);
  });

  it('500 with an empty body for a handler that throws, also with an unread upload', async () => {
    const failed = await fetch(`${host.baseUrl}/api/throws`);
    expect([failed.status, await failed.text()]).toEqual([500, '']);
    const upload = await fetch(`${host.baseUrl}/api/throws`, { method: 'POST', body: 'x'.repeat(1000) });
    expect(upload.status).toBe(500);
  });

  it('204 for a handler that returns nothing; 404 for an unknown route', async () => {
    expect((await fetch(`${host.baseUrl}/api/nothing`)).status).toBe(204);
    expect((await fetch(`${host.baseUrl}/api/unknown`)).status).toBe(404);
  });
});
