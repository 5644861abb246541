import { call, startRun, waitFor } from '../../system/api.ts';
import type { Case } from '../case.ts';
import { eventCounts, executions, nodeIn, post, runPlan, whole } from '../observe.ts';
import { node, plan } from '../plans.ts';

const slowThenTwo = (ms: number): object =>
  plan([node('a', 'slow', { ms }), node('b', 'count', {}, ['a']), node('c', 'count', {}, ['b'])]);

export const controlCases: readonly Case[] = [
  {
    name: 'O-14 cancel while a node runs: nothing starts after it',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(20_000) });
      await nodeIn(host, runId, 'a', 'running');
      const cancel = await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), cancel, executed: executions(host, runId) };
    },
  },
  {
    name: 'an early event: cancelled before the instance is taken up',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(1_000) });
      const cancel = await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      return { status: run.status, cancel, executed: executions(host, runId), told: (await whole(host, run))['told'] };
    },
  },
  {
    name: 'suspend holds what has not started, resume lets it go on',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(1_500) });
      await nodeIn(host, runId, 'a', 'running');
      const suspend = await post(host, runId, 'suspend');
      const held = await waitFor(host.baseUrl, runId, (run) => run.held === true && run.nodes[0].state === 'succeeded');
      const whileHeld = { status: held.status, executed: executions(host, runId) };
      const resume = await post(host, runId, 'resume');
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), suspend, whileHeld, resume, executed: executions(host, runId) };
    },
  },
  {
    name: 'cancel works while the run is held',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(1_000) });
      await nodeIn(host, runId, 'a', 'running');
      await post(host, runId, 'suspend');
      await waitFor(host.baseUrl, runId, (run) => run.held === true && run.nodes[0].state === 'succeeded');
      const cancel = await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), cancel, executed: executions(host, runId) };
    },
  },
  {
    name: 'control that makes no sense answers WRONG_STATE',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(2_000) });
      await nodeIn(host, runId, 'a', 'running');
      const resume = await post(host, runId, 'resume');
      const retry = await post(host, runId, 'retry');
      await post(host, runId, 'cancel');
      const late = await post(host, runId, 'suspend');
      await waitFor(host.baseUrl, runId);
      const ended = [
        await post(host, runId, 'suspend'),
        await post(host, runId, 'resume'),
        await post(host, runId, 'cancel'),
      ];
      return { resume, retry, late, ended };
    },
  },
  {
    name: 'two events in one batch: suspend, resume and suspend again in a burst',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: slowThenTwo(2_000) });
      await nodeIn(host, runId, 'a', 'running');
      for (const what of ['suspend', 'resume', 'suspend']) await post(host, runId, what);
      await waitFor(host.baseUrl, runId, (run) => run.held === true && run.nodes[0].state === 'succeeded');
      const whileHeld = executions(host, runId);
      await Promise.all([post(host, runId, 'resume'), post(host, runId, 'resume')]);
      const run = await waitFor(host.baseUrl, runId);
      const { 'run.control': changes } = await eventCounts(host, runId);
      return { ...(await whole(host, run)), whileHeld, changes, executed: executions(host, runId) };
    },
  },
  {
    name: 'O-14 retry of a failed run is a new run that takes over finished results',
    run: async (host) => {
      const nodes = [
        node('a', 'count', { value: 5 }),
        node('b', 'flaky', { times: 1, fail: { class: 'permanent' } }, ['a']),
      ];
      const first = await runPlan(host, { plan: plan(nodes) });
      const { body } = await call(host.baseUrl, 'POST', `/runs/${first.runId as string}/retry`, {});
      const again = await call(host.baseUrl, 'POST', `/runs/${first.runId as string}/retry`, {});
      const second = await waitFor(host.baseUrl, body.runId);
      return {
        first: await whole(host, first),
        second: { status: second.status, a: second.nodes[0].state, b: second.nodes[1].state },
        sameRun: again.body.runId === body.runId,
        executed: executions(host, body.runId),
        reused: (await eventCounts(host, body.runId))['node.reused'] ?? 0,
      };
    },
  },
];
