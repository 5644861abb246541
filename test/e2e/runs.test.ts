import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, output, startRun, waitFor, type Loose } from '../support/system/api.ts';
import { BARE_PLAN, EXAMPLE_PLAN, ITALIAN_GOAL } from '../support/system/plans.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startProcess({ state: temporaryState() });
});
afterAll(() => system.stop());

describe('runs that succeed', () => {
  it('executes the plan of the design document and answers on the durable status link', async () => {
    const { status, body, headers } = await call(system.baseUrl, 'POST', '/runs', { plan: EXAMPLE_PLAN });
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`${system.baseUrl}/api/runs/${body.runId}`);
    const durable = await fetch(body.durable.statusQueryGetUri);
    expect([200, 202]).toContain(durable.status);
    expect(await durable.json()).toMatchObject({ name: 'run1', instanceId: body.runId });

    const run = await waitFor(system.baseUrl, body.runId);
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(run.nodes.map((node: { state: string }) => node.state)).toEqual(run.nodes.map(() => 'succeeded'));
    expect(run.outputs.map.mediaType).toMatch('text/html');
    const ended = await fetch(body.durable.statusQueryGetUri);
    expect(ended.status).toBe(200);
    expect(await ended.json()).toMatchObject({ runtimeStatus: 'Completed', output: { status: 'succeeded' } });
  });

  it('binds the bare plan by itself and executes it', async () => {
    const runId = await startRun(system.baseUrl, { plan: BARE_PLAN });
    const run = await waitFor(system.baseUrl, runId);
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    const { body } = await call(system.baseUrl, 'GET', `/runs/${runId}/plan`);
    expect(
      body.plan.nodes.filter((node: { insertedBy?: string }) => node.insertedBy === 'normalise').length,
    ).toBeGreaterThan(0);
    expect(body.warrant.planDigest).toBe(body.planDigest);
  });

  it('plans, executes, verifies and reports a goal in plain Italian', async () => {
    const runId = await startRun(system.baseUrl, { goal: ITALIAN_GOAL, locale: 'it' });
    const run = await waitFor(system.baseUrl, runId);
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(run.headline).toMatch(/^Almeno \d+ e fino a \d+ elementi su \d+ sopra/);
    const { body: report } = await call(system.baseUrl, 'GET', `/runs/${runId}/report`);
    expect(report).toMatchObject({ runId, status: 'succeeded', verified: true, synthetic: true, locale: 'it' });
    expect(report.checks.length).toBeGreaterThan(5);
    expect(report.checks.every((check: { passed: boolean }) => check.passed)).toBe(true);
    expect(report.text).toContain('DATI SINTETICI');
    const png = await output(system.baseUrl, runId, 'map', 'png');
    expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it('equal requests give byte-identical artifacts except for what depends on the time of the run', async () => {
    const runs = await Promise.all([1, 2].map(() => startRun(system.baseUrl, { plan: EXAMPLE_PLAN })));
    const ended = await Promise.all(runs.map((runId) => waitFor(system.baseUrl, runId)));
    const digest = (run: Loose): string =>
      run.nodes.find((node: { id: string }) => node.id === 'assets').outputs.features.sha256;
    expect(digest(ended[0])).toBe(digest(ended[1]));
  });

  it('says what is missing when no plan reaches the goal, and ends the run rejected', async () => {
    const { status, body } = await call(system.baseUrl, 'POST', '/plans', { goal: 'bake a cake' });
    expect(status).toBe(422);
    expect(body.code).toBe('NO_PLAN');
    const runId = await startRun(system.baseUrl, { goal: 'bake a cake' });
    expect(await waitFor(system.baseUrl, runId)).toMatchObject({ status: 'rejected', error: { code: 'NO_PLAN' } });
  });

  it('keeps a gap-free record of what happened', async () => {
    const runId = await startRun(system.baseUrl, { plan: EXAMPLE_PLAN });
    await waitFor(system.baseUrl, runId);
    const { body } = await call(system.baseUrl, 'GET', `/runs/${runId}/events?limit=200`);
    expect(body.items.map((event: { seq: number }) => event.seq)).toEqual(
      body.items.map((_: unknown, i: number) => i + 1),
    );
    const tail = await call(system.baseUrl, 'GET', `/runs/${runId}/events?after=3&limit=2`);
    expect(tail.body.items.map((event: { seq: number }) => event.seq)).toEqual([4, 5]);
    expect(tail.body.nextCursor).toBe('5');
  });
});

describe('cancel', () => {
  it('O-14 starts no node after a cancel and ends the run cancelled; a second cancel answers 409', async () => {
    const runId = await startRun(system.baseUrl, { plan: EXAMPLE_PLAN });
    const cancelled = await call(system.baseUrl, 'POST', `/runs/${runId}/cancel`, {});
    expect(cancelled.status).toBe(202);
    const run = await waitFor(system.baseUrl, runId);
    expect(run.status).toBe('cancelled');
    const { body } = await call(system.baseUrl, 'GET', `/runs/${runId}/events?limit=200`);
    const types = body.items.map((event: { type: string; nodeId?: string }) => event.type);
    const at = types.indexOf('run.control');
    expect(at).toBeGreaterThan(-1);
    expect(types.slice(at).filter((type: string) => type === 'operation.reserved')).toEqual([]);
    const again = await call(system.baseUrl, 'POST', `/runs/${runId}/cancel`, {});
    expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } });
  });
});

describe('starting once', () => {
  it('O-07 20 parallel requests with one key make one run, and another body under it is a conflict', async () => {
    const key = { 'idempotency-key': `test.${String(Date.now())}` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(system.baseUrl, 'POST', '/runs', { plan: BARE_PLAN }, key)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 202));
    expect(new Set(answers.map((answer) => answer.body.runId)).size).toBe(1);
    const other = await call(system.baseUrl, 'POST', '/runs', { plan: EXAMPLE_PLAN }, key);
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
    const run = await waitFor(system.baseUrl, answers[0]?.body.runId as string);
    expect(run.status).toBe('succeeded');
    const late = await call(system.baseUrl, 'POST', '/runs', { plan: BARE_PLAN }, key);
    expect(late).toMatchObject({ status: 202, body: { runId: run.runId, status: 'succeeded' } });
  });
});

describe('the service itself', () => {
  it('answers health, tools, the API description and the page', async () => {
    expect(await call(system.baseUrl, 'GET', '/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { ledger: 'ok', artifacts: 'ok' } },
    });
    const tools = await call(system.baseUrl, 'GET', '/tools');
    expect(tools.body.items.map((tool: { name: string }) => tool.name)).toContain('gis.overlayExposure');
    const api = await call(system.baseUrl, 'GET', '/openapi.json');
    expect(api.body.openapi).toBe('3.1.0');
    const page = await call(system.baseUrl, 'GET', '/ui');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  });

  it('O-40 no answer carries a key of the platform', async () => {
    const runId = await startRun(system.baseUrl, { plan: EXAMPLE_PLAN });
    await waitFor(system.baseUrl, runId);
    for (const path of ['', '/durable', '/plan', '/report', '/events', '/artifacts']) {
      const answer = await call(system.baseUrl, 'GET', `/runs/${runId}${path}`);
      expect(JSON.stringify(answer.body)).not.toMatch(/[?&](code|sig|token)=/i);
      expect(JSON.stringify(answer.body)).not.toMatch(/AccountKey|devstoreaccount|127\.0\.0\.1:\d+\/devstore/i);
    }
  });
});
