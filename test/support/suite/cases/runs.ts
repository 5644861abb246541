import { call, startRun, waitFor, type Loose } from '../../system/api.ts';
import { BARE_PLAN, EXAMPLE_PLAN, ITALIAN_GOAL } from '../../system/plans.ts';
import type { Case } from '../case.ts';
import { ending, executions, runPlan, value, whole } from '../observe.ts';
import { diamond, node, plan, ref } from '../plans.ts';

/** Deterministic edges: each node comes after one or two of those before it. */
const wide = (count: number): object =>
  plan(
    Array.from({ length: count }, (_, i) => {
      const after = i === 0 ? [] : [...new Set([Math.floor((i - 1) / 3), Math.floor(i / 2)])].filter((j) => j < i);
      return node(
        `n${String(i)}`,
        'noop',
        { value: i },
        after.map((j) => `n${String(j)}`),
      );
    }),
  );

export const runCases: readonly Case[] = [
  {
    name: 'the plan of the design document succeeds with a map',
    run: async (host) => {
      const run = await runPlan(host, { plan: EXAMPLE_PLAN });
      return { ...(await whole(host, run)), map: run.outputs.map?.mediaType };
    },
  },
  {
    name: 'the bare plan is bound and succeeds',
    run: async (host) => whole(host, await runPlan(host, { plan: BARE_PLAN })),
  },
  {
    name: 'a goal in plain Italian is planned, executed and verified',
    run: async (host) => {
      const run = await runPlan(host, { goal: ITALIAN_GOAL, locale: 'it' });
      const { body } = await call(host.baseUrl, 'GET', `/runs/${run.runId}/report`);
      return { ...(await whole(host, run)), verified: body.verified, locale: body.locale };
    },
  },
  {
    name: 'a goal that no tool can reach is rejected',
    run: async (host) => whole(host, await runPlan(host, { goal: 'bake a cake', outputs: ['report'] })),
  },
  {
    name: 'a diamond runs each node once and hands values on',
    run: async (host) => {
      const run = await runPlan(host, { plan: plan(diamond()) });
      return { ...(await whole(host, run)), d: await value(host, run, 'd'), executed: executions(host, run.runId) };
    },
  },
  {
    name: 'a permanent failure is not tried again and skips what comes after it',
    run: async (host) => {
      const nodes = [
        node('a', 'count', { fail: { class: 'permanent' } }),
        node('b', 'count', {}, ['a']),
        node('c', 'count', { ms: 300 }),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { ...(await whole(host, run)), executed: executions(host, run.runId) };
    },
  },
  {
    name: 'a transient failure is tried again with back-off until it succeeds',
    run: async (host) => {
      const run = await runPlan(host, { plan: plan([node('a', 'flaky', { times: 2, value: 7 })]) });
      return { ...(await whole(host, run)), a: await value(host, run, 'a') };
    },
  },
  {
    name: 'a node that takes too long ends NODE_TIMEOUT',
    run: async (host) =>
      whole(host, await runPlan(host, { plan: plan([node('a', 'slow', { ms: 30_000 }, [], { timeoutSeconds: 1 })]) })),
  },
  {
    name: 'a run past its deadline ends at once',
    run: async (host) =>
      whole(
        host,
        await runPlan(host, {
          plan: plan([node('a', 'slow', { ms: 50_000 }), node('b', 'noop', {}, ['a'])], {
            limits: { deadlineSeconds: 3 },
          }),
        }),
      ),
  },
  {
    name: 'a plan of 200 nodes',
    run: async (host) => {
      const run = await runPlan(host, { plan: wide(200) }, 240_000);
      return {
        status: run.status,
        succeeded: run.nodes.filter((one: Loose) => one.state === 'succeeded').length,
        last: await value(host, run, 'n199'),
      };
    },
  },
  {
    name: '20 runs at once',
    run: async (host) => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          startRun(host.baseUrl, { plan: plan(diamond('count', 10)), goal: `run ${String(i)}` }),
        ),
      );
      const runs = await Promise.all(ids.map((id) => waitFor(host.baseUrl, id)));
      return {
        statuses: runs.map((run) => run.status),
        executed: ids.map((id) => executions(host, id)),
      };
    },
  },
  {
    name: '20 starts with one idempotency key are one run',
    run: async (host) => {
      const headers = { 'idempotency-key': `key-${String(Date.now())}` };
      const body = { plan: plan([node('a', 'count', { value: 1 })]) };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call(host.baseUrl, 'POST', '/runs', body, headers)),
      );
      const ids = new Set(answers.map((answer) => answer.body.runId as string));
      const [runId = ''] = ids;
      const run = await waitFor(host.baseUrl, runId);
      const other = await call(host.baseUrl, 'POST', '/runs', { ...body, goal: 'other' }, headers);
      return {
        ...ending(run),
        http: [...new Set(answers.map((answer) => answer.status))],
        runs: ids.size,
        other: [other.status, other.body.code],
        executed: executions(host, runId),
      };
    },
  },
  {
    name: 'a bad plan is refused at once and nothing is stored',
    run: async (host) => {
      const { status, body } = await call(host.baseUrl, 'POST', '/runs', {
        plan: plan([node('a', 'noop', { value: ref('b.value') }, ['b']), node('b', 'noop', {}, ['a'])]),
      });
      return { status, code: body.code, findings: body.findings.map((one: Loose) => one.code) };
    },
  },
];
