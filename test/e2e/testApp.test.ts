import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHost } from '../support/hosts/start.ts';
import type { TestHost } from '../support/hosts/types.ts';
import { call, startRun, waitFor } from '../support/system/api.ts';
import { journalLines, TEST_APP } from '../support/testApp/index.ts';

let host: TestHost;
const folder = mkdtempSync(join(tmpdir(), 'geoagent-journal-'));
const journal = join(folder, 'journal.jsonl');
beforeAll(async () => {
  host = await startTestHost('embedded', { entryFiles: [TEST_APP], env: { TEST_JOURNAL: journal } });
}, 120_000);
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('runs test tools in the host and counts each real execution once, named by its operation', async () => {
  const runId = await startRun(host.baseUrl, {
    plan: {
      nodes: [
        { id: 'a', tool: 'test.count', args: { value: { n: 1 } } },
        { id: 'b', tool: 'test.count', args: { value: { ref: 'a.value.n' } } },
        { id: 'c', tool: 'test.flaky', args: { times: 1 }, dependsOn: ['b'] },
      ],
    },
  });
  expect((await waitFor(host.baseUrl, runId, undefined, 60_000)).status).toBe('succeeded');
  const lines = journalLines(journal);
  expect(
    lines
      .filter((line) => line.what === 'count')
      .map(({ nodeId, item, attempt, value }) => [nodeId, item, attempt, value]),
  ).toEqual([
    ['a', -1, 1, { n: 1 }],
    ['b', -1, 1, 1],
  ]);
  expect(lines.filter((line) => line.what === 'flaky').map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(lines.every((line) => line.runId === runId && /^[0-9a-f]{64}$/.test(line.operationKey ?? ''))).toBe(true);
}, 120_000);

it('runs loops in lanes, waits, jobs and conditions, suspended and resumed on the way, and takes over on a retry', async () => {
  const items = { ref: 'list.items' };
  const nodes = [
    { id: 'list', tool: 'test.items', args: { count: 60 } },
    { id: 'each', tool: 'test.count', args: { value: { ref: '$item' } }, forEach: { items, maxItems: 100 } },
    { id: 'sum', tool: 'core.aggregate', args: { items: { ref: 'each.value' }, op: 'sum' } },
    { id: 'job', tool: 'test.job', args: { polls: 1 }, dependsOn: ['sum'] },
    { id: 'wait', tool: 'core.wait', args: { duration: 'PT1S' }, dependsOn: ['sum'] },
    { id: 'left', tool: 'test.count', when: { op: 'eq', left: { ref: 'sum.value' }, right: 0 } },
    { id: 'last', tool: 'test.noop', args: { fail: {} }, dependsOn: ['job', 'wait'] },
  ];
  const runId = await startRun(host.baseUrl, { plan: { nodes } });
  const post = (action: string): Promise<number> =>
    call(host.baseUrl, 'POST', `/runs/${runId}/${action}`, {}).then(({ status }) => status);
  expect(await post('suspend')).toBe(202);
  expect(await post('resume')).toBe(202);
  const run = await waitFor(host.baseUrl, runId, undefined, 100_000);
  expect(run.status).toBe('failed');
  expect(run.nodes.map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
    ['list', 'succeeded'],
    ['each', 'succeeded'],
    ['sum', 'succeeded'],
    ['job', 'succeeded'],
    ['wait', 'succeeded'],
    ['left', 'skippedByCondition'],
    ['last', 'failed'],
  ]);
  const mine = (id: string): number =>
    journalLines(journal).filter((line) => line.runId === id && line.what === 'count').length;
  expect(mine(runId)).toBe(60);
  expect(await post('suspend')).toBe(409);

  const again = (await call(host.baseUrl, 'POST', `/runs/${runId}/retry`, {})).body.runId as string;
  expect((await waitFor(host.baseUrl, again, undefined, 100_000)).retryOf).toBe(runId);
  expect(mine(again)).toBe(0);
}, 240_000);
