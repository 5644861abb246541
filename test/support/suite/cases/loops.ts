import { startRun, waitFor, type Loose } from '../../system/api.ts';
import type { Case } from '../case.ts';
import { executions, post, runPlan, value, whole } from '../observe.ts';
import { node, plan, ref } from '../plans.ts';

const forEach = (count: number): object => ({ items: ref('list.items'), maxItems: Math.max(1, count) });

/** list → each (an instance an item) → sum. */
const loop = (count: number, args: object = { value: ref('$item') }, more: object = {}): object =>
  plan([
    node('list', 'items', { count }),
    node('each', 'count', args as Record<string, unknown>, ['list'], { forEach: forEach(count), ...more }),
    node('sum', 'core.aggregate', { items: ref('each.value'), op: 'sum', minCoverage: 0 }, ['each']),
  ]);

const once = (counts: Readonly<Record<string, number>>): object => ({
  instances: Object.keys(counts).length,
  most: Math.max(0, ...Object.values(counts)),
});

export const loopCases: readonly Case[] = [
  {
    name: 'forEach of ten items inside the run: ordered results',
    run: async (host) => {
      const run = await runPlan(host, { plan: loop(10) });
      return {
        ...(await whole(host, run)),
        each: await value(host, run, 'each'),
        sum: await value(host, run, 'sum'),
        ...once(executions(host, run.runId)),
      };
    },
  },
  {
    name: 'forEach of 120 items in lanes: each once, ordered results',
    run: async (host) => {
      const run = await runPlan(host, { plan: loop(120) }, 240_000);
      const each = (await value(host, run, 'each')) as number[];
      return {
        ...(await whole(host, run)),
        ordered: each.every((item, i) => item === i) && each.length === 120,
        sum: await value(host, run, 'sum'),
        ...once(executions(host, run.runId)),
      };
    },
  },
  {
    name: 'O-03 forEach over nothing completes at once and what follows runs',
    run: async (host) => {
      const nodes = [
        node('list', 'items', { count: 0 }),
        node('each', 'count', { value: ref('$item') }, ['list'], { forEach: forEach(5) }),
        node('after', 'count', { value: ref('each.value') }, ['each']),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { ...(await whole(host, run)), after: await value(host, run, 'after') };
    },
  },
  {
    name: 'a chain over the same items runs item by item',
    run: async (host) => {
      const nodes = [
        node('list', 'items', { count: 4 }),
        node('one', 'slow', { ms: 50, value: ref('$item') }, ['list'], { forEach: forEach(4) }),
        node('two', 'count', { value: [ref('one.value'), ref('$index')] }, ['one'], { forEach: forEach(4) }),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { ...(await whole(host, run)), two: await value(host, run, 'two'), ...once(executions(host, run.runId)) };
    },
  },
  {
    name: 'O-37 an item that is skipped leaves a gap and a coverage, never a zero',
    run: async (host) => {
      const nodes = [
        node('list', 'items', {
          items: [
            { v: 1, bad: false },
            { v: 2, bad: true },
            { v: 3, bad: false },
          ],
        }),
        node('each', 'count', { value: ref('$item.v') }, ['list'], {
          forEach: forEach(3),
          when: { op: 'eq', left: ref('$item.bad'), right: false },
        }),
        node('mean', 'core.aggregate', { items: ref('each.value'), op: 'mean', minCoverage: 0.5 }, ['each']),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return {
        ...(await whole(host, run)),
        each: await value(host, run, 'each'),
        mean: await value(host, run, 'mean'),
        coverage: await value(host, run, 'mean', 'coverage'),
      };
    },
  },
  {
    name: 'an item that fails fails the run',
    run: async (host) => {
      const run = await runPlan(host, {
        plan: plan([
          node('list', 'items', { count: 3 }),
          node('each', 'count', { fail: { class: 'permanent' } }, ['list'], { forEach: forEach(3) }),
        ]),
      });
      return { status: run.status, error: run.error?.code, told: (await whole(host, run))['told'] };
    },
  },
  {
    name: 'an expansion above maxItems is refused whole',
    run: async (host) => {
      const nodes = [
        node('list', 'items', { count: 6 }),
        node('each', 'count', { value: ref('$item') }, ['list'], {
          forEach: { items: ref('list.items'), maxItems: 5 },
        }),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { status: run.status, error: run.error?.code, executed: executions(host, run.runId) };
    },
  },
  {
    name: 'suspend and resume reach the lanes',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: loop(80, { ms: 60, value: ref('$item') }) });
      await waitFor(host.baseUrl, runId, () => Object.keys(executions(host, runId)).length >= 4);
      await post(host, runId, 'suspend');
      await waitFor(host.baseUrl, runId, (run) => run.held === true);
      let before = -1;
      // What runs may end; then nothing starts any more.
      for (let same = 0; same < 10;) {
        await new Promise((done) => setTimeout(done, 100));
        const now = Object.keys(executions(host, runId)).length;
        same = now === before ? same + 1 : 0;
        before = now;
      }
      await post(host, runId, 'resume');
      const run = await waitFor(host.baseUrl, runId, undefined, 240_000);
      return {
        ...(await whole(host, run)),
        heldEarly: before < 80,
        sum: await value(host, run, 'sum'),
        ...once(executions(host, runId)),
      };
    },
  },
  {
    name: 'cancel reaches the lanes',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: loop(80, { ms: 100, value: ref('$item') }) });
      await waitFor(host.baseUrl, runId, () => Object.keys(executions(host, runId)).length >= 4);
      await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      const executed = executions(host, runId);
      return {
        status: run.status,
        told: (await whole(host, run))['told'],
        early: Object.keys(executed).length < 80,
        most: Math.max(...Object.values(executed)),
      };
    },
  },
];

export const conditionCases: readonly Case[] = [
  {
    name: 'a condition that is false skips, which is neutral',
    run: async (host) => {
      const nodes = [
        node('a', 'noop', { value: { rain: 3 } }),
        node('b', 'count', { value: 1 }, ['a'], { when: { op: 'gt', left: ref('a.value'), right: 10 } }),
      ];
      // The whole value is an object: comparing it is refused, not coerced.
      const refused = await runPlan(host, { plan: plan(nodes) });
      const typed = [
        node('a', 'noop', { value: 3 }),
        node('b', 'count', { value: 1 }, ['a'], { when: { op: 'gt', left: ref('a.value'), right: 10 } }),
        node('c', 'count', { value: ref('b.value') }, ['b']),
        node('d', 'count', { value: ref('b.value', { default: 'none' }) }, ['b']),
      ];
      const run = await runPlan(host, { plan: plan(typed) });
      return {
        refused: { status: refused.status, error: refused.error?.code },
        ...(await whole(host, run)),
        d: await value(host, run, 'd'),
        executed: executions(host, run.runId),
      };
    },
  },
  {
    name: 'an expectation that is violated fails as unexpected',
    run: async (host) => {
      const nodes = [
        node('a', 'count', { value: 3 }, [], { expect: { op: 'ge', left: ref('$output.value'), right: 10 } }),
        node('b', 'count', {}, ['a']),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { ...(await whole(host, run)), class: run.nodes[0].error?.class };
    },
  },
  {
    name: 'onFailure continue: the run goes on without the node',
    run: async (host) => {
      const nodes = [
        node('a', 'count', { fail: { class: 'permanent' } }, [], { onFailure: 'continue' }),
        node('b', 'count', { value: ref('a.value') }, ['a']),
        node('c', 'count', { value: ref('a.value', { default: 0 }) }, ['a']),
      ];
      const run = await runPlan(host, { plan: plan(nodes) });
      return { ...(await whole(host, run)), executed: executions(host, run.runId) };
    },
  },
];

const waitFor3Days = (more: readonly ReturnType<typeof node>[] = []): object =>
  plan([node('pause', 'core.wait', { duration: 'P3D' }), node('after', 'count', {}, ['pause']), ...more], {
    limits: { deadlineSeconds: 10 * 86_400 },
  });

export const waitCases: readonly Case[] = [
  {
    name: 'a short wait holds no slot and fires',
    run: async (host) => {
      const nodes = [node('pause', 'core.wait', { duration: 'PT1S' }), node('after', 'count', {}, ['pause'])];
      return whole(host, await runPlan(host, { plan: plan(nodes) }));
    },
  },
  {
    name: 'O-04 cancel ends a wait of three days at once',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: waitFor3Days() });
      await waitFor(host.baseUrl, runId, (run) => run.nodes.some((one: Loose) => one.waitingFor !== undefined));
      await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), executed: executions(host, runId) };
    },
  },
  {
    name: 'a failure elsewhere ends a wait of three days at once',
    run: async (host) => {
      const bad = node('bad', 'slow', { ms: 1_000 });
      const run = await runPlan(host, {
        plan: waitFor3Days([bad, node('worse', 'noop', { fail: { class: 'permanent' } }, ['bad'])]),
      });
      return whole(host, run);
    },
  },
];
