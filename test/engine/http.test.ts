/** The app itself over the real engine: HTTP, streams, runs and the management API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost } from '../support/hosts/start.ts';
import type { TestHost } from '../support/hosts/types.ts';
import { call, startRun, waitFor } from '../support/system/api.ts';
import { EXAMPLE_PLAN } from '../support/system/plans.ts';
import { engineMissing } from './dotnet.ts';

const missing = engineMissing();
if (missing !== undefined) console.warn(`engine tests skipped: ${missing}`);

describe.skipIf(missing !== undefined)('the app on the real engine', () => {
  let host: TestHost;
  let runId: string;
  beforeAll(async () => {
    host = await startTestHost('engine');
  });
  afterAll(async () => {
    await (host as TestHost | undefined)?.stop();
  });

  it('answers health with 200', async () => {
    expect(await call(host.baseUrl, 'GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('takes an upload of 8 MB as a stream, without a length', async () => {
    const header = 'id,x,y,rain_mm\n';
    const row = Buffer.from('1,600000,200000,12.5\n'.repeat(50_000));
    const chunks = [Buffer.from(header), ...Array.from({ length: 8 }, () => row)];
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${host.baseUrl}/api/uploads?name=rain.csv`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/octet-stream' },
    });
    const answer = (await response.json()) as { bytes: number };
    expect(response.status, JSON.stringify(answer)).toBe(201);
    expect(answer.bytes).toBe(header.length + 8 * row.length);
  });

  it('runs the example plan to its end', async () => {
    runId = await startRun(host.baseUrl, { plan: EXAMPLE_PLAN });
    const run = await waitFor(host.baseUrl, runId);
    expect(run, host.log()).toMatchObject({ status: 'succeeded', progress: { failed: 0 } });
    const map = await call(host.baseUrl, 'GET', `/runs/${runId}/artifacts`);
    expect(JSON.stringify(map.body)).toContain('text/html');
  });

  it('tells the state of its instance through the webhooks, history included', async () => {
    const status = await host.waitForEnd(runId);
    expect(status).toMatchObject({ instanceId: runId, runtimeStatus: 'Completed' });
    expect(status.historyEvents ?? []).toEqual([]);
    const { historyEvents = [] } = await host.client.status(runId, { showHistory: true, showHistoryOutput: true });
    expect(historyEvents[0]).toMatchObject({ EventType: 'ExecutionStarted' });
    expect(historyEvents.at(-1)).toMatchObject({ EventType: 'ExecutionCompleted', OrchestrationStatus: 'Completed' });
  });

  it('knows no foreign instance and opens the webhooks with their key only', async () => {
    expect(await host.client.find('never-started')).toBeUndefined();
    const address = `${host.baseUrl}/runtime/webhooks/durabletask/instances/${runId}`;
    expect((await fetch(address)).status).toBe(401);
    expect((await fetch(`${address}?code=guessed`)).status).toBe(401);
  });

  it.each(['crashRunner', 'crashEngine', 'crash'] as const)(
    'a run survives %s: it succeeds after the restart',
    async (kill) => {
      const killed = await startRun(host.baseUrl, { plan: EXAMPLE_PLAN, goal: kill });
      await waitFor(host.baseUrl, killed, (run) =>
        run.nodes.some((node: { state: string }) => node.state === 'running'),
      );
      await host[kill]();
      await host.restart();
      const run = await waitFor(host.baseUrl, killed, undefined, 240_000);
      const errors = run.nodes.map(
        (node: { id: string; error?: unknown }) => `${node.id}: ${JSON.stringify(node.error)}`,
      );
      expect(run, `${errors.join('\n')}\n${host.log()}`).toMatchObject({
        status: 'succeeded',
        progress: { failed: 0 },
      });
    },
  );

  it('purges the instance', async () => {
    await host.client.purge(runId);
    expect(await host.client.find(runId)).toBeUndefined();
  });
});
