import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHost } from '../support/hosts/start.ts';
import type { TestHost } from '../support/hosts/types.ts';
import { startRun, waitFor } from '../support/system/api.ts';
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
