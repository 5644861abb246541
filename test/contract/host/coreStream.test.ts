import { afterAll, expect, it } from 'vitest';
import { loadApp } from '../../../src/local/host/core/loadApp.ts';
import { makeApp, packageJson } from './coreFixture.ts';

const app = makeApp({
  'package.json': packageJson('a.js'),
  'a.js': `import { app } from '@azure/functions';
    app.setup({ enableHttpStream: true });
    app.post('echo', { handler: async (request) => ({ body: 'got ' + (await request.text()) }) });`,
});
afterAll(() => app.remove());

it('stream mode announces the address of the library server, and an invocation answers through it', async () => {
  const loaded = await loadApp({ appDirectory: app.directory, log: app.log });
  const uri = loaded.capabilities['HttpUri'];
  expect(uri).toMatch(/^http:\/\/.+:\d+\/?$/);
  const response = fetch(new URL('/api/echo', uri), {
    method: 'POST',
    body: 'rain',
    headers: { 'x-ms-invocation-id': 'i1', 'x-forwarded-host': 'localhost:7071', 'x-forwarded-proto': 'http' },
  });
  const [echo] = loaded.functions;
  const result = await loaded.invoke({
    invocationId: 'i1',
    functionName: 'echo',
    inputs: [{ name: echo?.triggerName ?? '', data: { http: {} } }],
    triggerMetadata: { Headers: { json: '{}' }, Query: { json: '{}' } },
  });
  expect(result).toMatchObject({ ok: true });
  expect(await (await response).text()).toBe('got rain');
});
