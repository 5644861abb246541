import { operationKey } from '../../../../src/plan/operationKey.ts';
import type { TestHost } from '../../hosts/types.ts';
import { startRun, waitFor } from '../../system/api.ts';
import { journalLines } from '../../testApp/index.ts';
import type { Case } from '../case.ts';
import { nodeIn, post, runPlan, value, whole } from '../observe.ts';
import { node, plan } from '../plans.ts';

/** What the service was asked, for the node `job` of a run; the journal knows it by its operation key alone. */
function asked(host: TestHost, runId: string, what: 'job.submit' | 'job.cancel'): number {
  const key = operationKey({ tenant: 'local', runId, revision: 1, nodeId: 'job', item: -1, action: 'do' });
  return journalLines(host.env['TEST_JOURNAL']).filter(
    (line) => line.what === what && String(line['key'] ?? line['jobId']).includes(key.slice(0, 12)),
  ).length;
}

export const jobCases: readonly Case[] = [
  {
    name: 'a remote job is submitted once, followed, and collected',
    run: async (host) => {
      const nodes = [node('job', 'job', { polls: 3, value: 42 }), node('after', 'count', {}, ['job'])];
      const run = await runPlan(host, { plan: plan(nodes) });
      return {
        ...(await whole(host, run)),
        value: await value(host, run, 'job'),
        submitted: asked(host, run.runId, 'job.submit'),
      };
    },
  },
  {
    name: 'a remote job that was accepted without an answer is found, not submitted again',
    run: async (host) => {
      const run = await runPlan(host, { plan: plan([node('job', 'job', { submit: 'lost', value: 7 })]) });
      return {
        ...(await whole(host, run)),
        value: await value(host, run, 'job'),
        submitted: asked(host, run.runId, 'job.submit'),
      };
    },
  },
  {
    name: 'a remote job that fails fails its node',
    run: async (host) => {
      const nodes = [node('job', 'job', { end: 'fail' }), node('after', 'count', {}, ['job'])];
      return whole(host, await runPlan(host, { plan: plan(nodes) }));
    },
  },
  {
    name: 'O-14 cancel reaches a remote job',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: plan([node('job', 'job', { end: 'never' })]) });
      await nodeIn(host, runId, 'job', 'polling');
      await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      return {
        ...(await whole(host, run)),
        cancelled: asked(host, runId, 'job.cancel') > 0,
        submitted: asked(host, runId, 'job.submit'),
      };
    },
  },
];
