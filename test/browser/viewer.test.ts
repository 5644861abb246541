import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { generateMapTool } from '../../src/tools/gis/map/tool.ts';
import { chromiumPath, launchChromium, NO_CHROMIUM, watchPage, type Witness } from '../support/chromium.ts';
import { mapRun } from '../support/mapData.ts';
import { startViewerStub, STUB_PLAN, stubRunAt, type ViewerStub } from '../support/viewerStub.ts';

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const FINDING = {
  code: 'CRS_MISMATCH',
  severity: 'error',
  path: '/nodes/0/args',
  nodeId: 'a',
  message: 'Assets and hazard are in different systems.',
  hint: 'Bring both into one.',
  fix: [{ op: 'add', path: '/nodes/0/args/crs', value: 'EPSG:2056' }],
};

describe.skipIf(chromiumPath === undefined)(`viewer${chromiumPath === undefined ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let stub: ViewerStub;
  beforeAll(async () => {
    [browser, stub] = await Promise.all([launchChromium(), startViewerStub()]);
    const map = await generateMapTool.run!(mapRun({}, true));
    stub.artifacts.set('art_map', { mediaType: 'text/html; charset=utf-8', bytes: map.outputs.get('html')!.bytes });
  });
  afterAll(async () => {
    await browser.close();
    await stub.close();
  });

  async function open(hash = ''): Promise<{ page: Page; witness: Witness }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const witness = watchPage(page);
    await page.goto(`${stub.origin}/api/ui${hash}`);
    return { page, witness };
  }

  it('starts a run from an example goal with the headers the API asks for, and opens it', async () => {
    stub.runs.set('run_start', { states: [stubRunAt('run_start', 1, 'A goal')], plan: STUB_PLAN });
    stub.starts.splice(0, Infinity, { status: 202, body: { runId: 'run_start', status: 'accepted', links: {} } });
    const { page, witness } = await open();
    await page.getByRole('button', { name: 'Infrastrutture e pioggia' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForSelector('.run[data-status=running]');
    expect(page.url()).toContain('#/runs/run_start');
    const sent = stub.requests.findLast((one) => one.method === 'POST' && one.path === '/api/runs')!;
    expect(JSON.parse(sent.body).goal).toMatch(/^Analizza le precipitazioni delle ultime 24 ore/);
    expect(sent.headers['x-geoagent']).toBe('1');
    expect(sent.headers['content-type']).toBe('application/json');
    expect(witness.errors).toEqual([]);
    await page.close();
  });

  it('follows the states of the steps until the run is over, then shows map, report and files', async () => {
    const states = [0, 2, 4, 5, 6].map((done) => stubRunAt('run_live', done, 'Rain and roads'));
    const checks = [{ nodeId: 'map', name: 'counts agree', passed: true, detail: '60 of 60' }];
    stub.runs.set('run_live', { states, plan: STUB_PLAN, report: { headline: 'At least 6, up to 15 of 60', checks, text: 'Six exceed.' } }); // prettier-ignore
    const { page, witness } = await open('#/runs/run_live');
    await page.waitForSelector('.graph .box.busy');
    expect(await page.locator('.graph .box').count()).toBe(6);
    expect(await page.locator('.graph .edge').count()).toBe(5);
    expect(await page.getByText('(added)').count()).toBe(1);
    await page.waitForSelector('.run[data-status=succeeded]');
    await page.getByText('At least 6, up to 15 of 60', { exact: true }).waitFor();
    expect(await page.getByText('All 1 checks passed').count()).toBe(1);
    const frame = page.frameLocator('iframe.map');
    await frame.locator('html[data-ready=true]').waitFor();
    expect(await frame.locator('tbody tr').count()).toBe(60);
    expect(await page.locator('iframe.map').getAttribute('sandbox')).toBe('allow-scripts');
    const link = page.getByRole('link', { name: 'map.png' });
    expect(await link.getAttribute('href')).toBe('/api/runs/run_live/artifacts/art_png');
    // Over means over: no further look at the run.
    const looks = stub.requests.filter((one) => one.path === '/api/runs/run_live').length;
    await page.waitForResponse((response) => response.url().endsWith('/api/runs'));
    expect(stub.requests.filter((one) => one.path === '/api/runs/run_live').length).toBe(looks);
    expect(witness.errors).toEqual([]);
    await page.close();
  });

  it('shows the findings of a refused plan in words and applies the fix to the plan', async () => {
    const refusal = { status: 422, code: 'PLAN_INVALID', detail: 'The plan is refused.', findings: [FINDING] };
    stub.starts.splice(0, Infinity, { status: 422, body: refusal });
    const { page } = await open();
    await page.getByText('Use your own data or plan').click();
    await page.locator('#plan').fill('{"nodes":[{"id":"a","tool":"gis.reproject","args":{}}]}');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Assets and hazard are in different systems.').waitFor();
    expect(await page.locator('.findings').innerText()).toContain('add /nodes/0/args/crs: "EPSG:2056"');
    await page.getByRole('button', { name: 'Apply to the plan' }).click();
    await expect.poll(() => page.locator('#plan').inputValue()).toContain('"crs": "EPSG:2056"');
    await page.close();
  });

  it('uploads own data and writes a plan that names it by its hash', async () => {
    const { page } = await open();
    await page.getByText('Use your own data or plan').click();
    await page.locator('input[type=file]').first().setInputFiles({ name: 'rain.csv', mimeType: 'text/csv', buffer: Buffer.from('id,x,y\n') }); // prettier-ignore
    await page.getByRole('button', { name: 'Upload and write a plan' }).click();
    await expect.poll(() => page.locator('#plan').inputValue()).toContain(`"upload": "${'ab'.repeat(32)}"`);
    const sent = stub.requests.findLast((one) => one.path === '/api/uploads')!;
    expect(sent.headers['content-type']).toBe('application/octet-stream');
    expect(sent.headers['x-geoagent']).toBe('1');
    await page.close();
  });

  it('shows a failed step with its code and what to do', async () => {
    const failed = stubRunAt('run_failed', 3, 'x') as { nodes: Record<string, unknown>[] };
    failed.nodes[3] = {
      ...failed.nodes[3],
      state: 'failed',
      error: { code: 'TOO_FEW_STATIONS', message: '2 gauges are left.' },
    };
    const waiting = { state: 'waitingForResource', waitingFor: { kind: 'retry', reason: 'Trying again in 4 s.' } };
    failed.nodes[2] = { ...failed.nodes[2], ...waiting };
    stub.runs.set('run_failed', { states: [{ ...failed, status: 'failed' }], plan: STUB_PLAN });
    const { page } = await open('#/runs/run_failed');
    await page.getByText('2 gauges are left.').waitFor();
    const row = await page.locator('tbody tr', { hasText: 'gis.interpolate' }).innerText();
    expect(row).toContain('TOO_FEW_STATIONS');
    expect(row).toContain('Give more gauges');
    expect(await page.getByText('Trying again in 4 s.').count()).toBe(1);
    await page.close();
  });

  it('runs nothing from hostile goals, node errors, reports and findings', async () => {
    const run = stubRunAt('run_hostile', 6, HOSTILE) as { nodes: Record<string, unknown>[] };
    run.nodes[0] = { ...run.nodes[0], tool: HOSTILE, state: 'failed', error: { code: HOSTILE, message: HOSTILE } };
    const report = {
      headline: HOSTILE,
      text: HOSTILE,
      checks: [{ nodeId: HOSTILE, name: HOSTILE, passed: false, detail: HOSTILE }],
    };
    const findings = [{ ...FINDING, message: HOSTILE, hint: HOSTILE, path: HOSTILE }];
    stub.runs.set('run_hostile', { states: [{ ...run, status: 'failed', findings }], plan: STUB_PLAN, report });
    const { page, witness } = await open('#/runs/run_hostile');
    await page.waitForSelector('.run[data-status=failed]');
    await page.locator('.headline').waitFor();
    expect(await page.locator('.headline').textContent()).toBe(HOSTILE);
    expect(await page.locator('#app img').count()).toBe(0);
    expect(witness.dialogs).toEqual([]);
    expect(witness.errors).toEqual([]);
    await page.close();
  });

  it('says so when there is no such run, and asks no more', async () => {
    const { page } = await open('#/runs/run_nowhere');
    await page.getByText('There is no such run.').waitFor();
    await page.waitForResponse((response) => response.url().endsWith('/api/runs'));
    expect(stub.requests.filter((one) => one.path === '/api/runs/run_nowhere')).toHaveLength(1);
    await page.close();
  });
});
