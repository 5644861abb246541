/** Loops, waits and conditions as a person reads them, and the buttons that steer a run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { startViewerStub, STUB_PLAN, type ViewerStub } from '../support/viewerStub.ts';

const ids = ['greet', 'pause', 'alarm', 'after', 'soft', 'cut'];
const PLAN = { nodes: ids.map((id) => ({ id, tool: 'core.format', dependsOn: id === 'after' ? ['alarm'] : [] })) };
const NOTE = {
  code: 'DEADLINE_EXCEEDED',
  severity: 'warning',
  path: '/nodes',
  message: 'It takes longer than it may.',
};
const EDGE = { code: 'UNDECLARED_DEPENDENCY', severity: 'warning', path: '/nodes/3', message: 'The edge is added.' };

function nodes(until: string): Record<string, unknown>[] {
  const startedAt = new Date(Date.now() - 5_000).toISOString();
  const of = (id: string, more: object): Record<string, unknown> => ({
    ...PLAN.nodes.find((one) => one.id === id),
    attempt: 1,
    startedAt,
    endedAt: null,
    ...more,
  });
  return [
    of('greet', {
      state: 'running',
      attempt: 0,
      items: { total: 60, completed: 33, failed: 2, skipped: 1, open: 24 },
      waitingFor: { kind: 'items', reason: '36 of 60 items have ended' },
    }),
    of('pause', { state: 'running', waitingFor: { kind: 'wait', reason: 'the time it was told to wait for', until } }),
    of('alarm', { state: 'skippedByCondition', attempt: 0, reason: 'when: not so: total.value (465) is above 1000' }),
    of('after', { state: 'skippedByCondition', attempt: 0, reason: 'needs alarm, which was skipped' }),
    of('soft', { state: 'failed', tolerated: true, error: { code: 'EMPTY_RESULT', message: 'Nothing there.' } }),
    of('cut', { state: 'cancelled', error: { code: 'CANCELLED', message: 'The run ended before the wait was over.' } }),
  ];
}

describe.skipIf(chromiumPath === undefined)(`steering${chromiumPath === undefined ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let stub: ViewerStub;
  beforeAll(async () => {
    [browser, stub] = await Promise.all([launchChromium(), startViewerStub()]);
  });
  afterAll(async () => {
    await browser.close();
    await stub.close();
  });

  const open = async (runId: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${stub.origin}/api/ui#/runs/${runId}`);
    await page.waitForSelector('.run');
    return page;
  };
  const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent.trim()');
  const tabTo = async (page: Page, name: string): Promise<void> => {
    for (let presses = 0; presses < 30 && (await focused(page)) !== name; presses += 1)
      await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(name);
  };

  it('says how many items are done, what is waited for and until when, and why a step was skipped', async () => {
    const until = new Date(Date.now() + 3 * 3_600_000 + 30_000).toISOString();
    const run = { runId: 'run_words', goal: 'g', status: 'running', nodes: nodes(until), outputs: {} };
    stub.runs.set('run_words', { states: [run], plan: PLAN, notes: [NOTE, EDGE] });
    const page = await open('run_words');
    const row = (id: string): Promise<string> => page.locator('tbody tr', { hasText: id }).first().innerText();
    expect(await row('greet')).toContain('33 of 60 items done, 2 failed, 1 skipped');
    expect(await page.getByLabel('Items that have ended').getAttribute('value')).toBe('36');
    expect(await row('pause')).toMatch(/waiting\s+until .+ \(3 h 0 min left\)/);
    expect(await row('alarm')).toContain('total.value (465) is above 1000');
    expect(await row('needs alarm')).toContain('skipped');
    expect(await row('soft')).toMatch(/failed, the run goes on[^]*EMPTY_RESULT/);
    // Cut short by the end of the run: no error of its own, no advice.
    expect(await row('cut')).toContain('The run ended before the wait was over.');
    expect(await page.locator('tbody tr', { hasText: 'cut' }).locator('.refusal').count()).toBe(0);
    expect(await page.getByText('0 of 6 steps done, 2 skipped').count()).toBe(1);
    await page.getByText('It takes longer than it may.').waitFor();
    expect(await page.getByText('The edge is added.').isVisible()).toBe(false);
    expect(await page.locator('.graph .count').allTextContents()).toEqual(['33/60']);
    await page.close();
  });

  it('suspends, resumes, cancels and retries by keyboard alone, with the headers that the API asks for', async () => {
    const run: Record<string, unknown> = {
      runId: 'run_steer',
      goal: 'g',
      status: 'running',
      control: 'none',
      held: false,
      actions: ['suspend', 'cancel'],
      nodes: [],
      outputs: {},
    };
    stub.runs.set('run_again', { states: [{ ...run, runId: 'run_again', retryOf: 'run_steer' }], plan: STUB_PLAN });
    stub.runs.set('run_steer', {
      states: [run],
      control: (action) => {
        if (action === 'suspend') Object.assign(run, { control: 'suspend', held: true, actions: ['resume', 'cancel'] });
        if (action === 'resume') Object.assign(run, { control: 'none', held: false, actions: ['suspend', 'cancel'] });
        if (action === 'cancel') Object.assign(run, { control: 'cancel', status: 'cancelled', actions: ['retry'] });
        return action === 'retry' ? { status: 202, body: { runId: 'run_again' } } : undefined;
      },
    });
    const page = await open('run_steer');
    await tabTo(page, 'Suspend');
    await page.keyboard.press('Enter');
    await page.getByText('suspended: nothing new starts').waitFor();
    // The same button under the same finger.
    expect(await focused(page)).toBe('Resume');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Suspend');
    expect(await page.getByText('suspended: nothing new starts').count()).toBe(0);
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Space');
    await page.waitForSelector('.run[data-status=cancelled]');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await tabTo(page, 'Retry');
    await page.keyboard.press('Enter');
    await page.getByText('retry of').waitFor();
    expect(page.url()).toContain('#/runs/run_again');
    const posts = stub.requests.filter((one) => one.method === 'POST' && one.path.startsWith('/api/runs/run_steer/'));
    expect(posts.map(({ path }) => path.split('/').pop())).toEqual(['suspend', 'resume', 'cancel', 'retry']);
    for (const { headers } of posts) {
      expect(headers['x-geoagent']).toBe('1');
      expect(headers['content-type']).toBe('application/json');
    }
    await page.close();
  });

  it('shows no button that the caller may not press, and says why when one is refused', async () => {
    const run = { runId: 'run_mine', goal: 'g', status: 'running', control: 'none', nodes: [], outputs: {} };
    stub.runs.set('run_theirs', { states: [{ ...run, runId: 'run_theirs', actions: [] }], plan: STUB_PLAN });
    const other = await open('run_theirs');
    expect(await other.locator('.head button').count()).toBe(0);
    await other.close();
    const body = { status: 409, code: 'WRONG_STATE', detail: 'The run has ended: failed.' };
    const control = (): { status: number; body: unknown } => ({ status: 409, body });
    stub.runs.set('run_mine', { states: [{ ...run, actions: ['suspend', 'cancel'] }], plan: STUB_PLAN, control });
    const page = await open('run_mine');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The run has ended: failed.').waitFor();
    expect(await page.getByRole('button', { name: 'Suspend' }).getAttribute('aria-disabled')).toBe('false');
    await page.close();
  });
});
