/** What operators and others do to instances behind the product's back. */
import { childInstanceId } from '../../../../src/plan/operationKey.ts';
import { controlEvent, ORCHESTRATOR } from '../../../../src/orchestration/names.ts';
import { startRun, waitFor, type Loose } from '../../system/api.ts';
import type { Case } from '../case.ts';
import { ending, executions, nodeIn, post, runPlan, whole } from '../observe.ts';
import { diamond, node, plan } from '../plans.ts';

const pauseOf = (runId: string): string =>
  childInstanceId(runId, { nodeId: 'pause', item: -1, revision: 1, attempt: 1 });

const pause = (): object =>
  plan([node('pause', 'core.wait', { duration: 'P3D' }), node('after', 'count', {}, ['pause'])], {
    limits: { deadlineSeconds: 10 * 86_400 },
  });

const waits = (run: Loose): boolean => run.nodes.some((one: Loose) => one.waitingFor !== undefined);

export const instanceCases: readonly Case[] = [
  {
    name: 'O-14 a late duplicate start after the end changes nothing',
    run: async (host) => {
      const run = await runPlan(host, { plan: plan(diamond()) });
      await host.waitForEnd(run.runId);
      await host.client.start(ORCHESTRATOR, run.runId, { version: 1, runId: run.runId });
      await host.waitUntil(run.runId, (status) => status.createdTime !== '' && status.runtimeStatus === 'Completed');
      const after = await waitFor(host.baseUrl, run.runId);
      return { ...ending(after), executed: executions(host, run.runId) };
    },
  },
  {
    name: 'an instance that the ledger does not expect ends at once',
    run: async (host) => {
      const id = `nobody-${String(Date.now())}`;
      await host.client.start(ORCHESTRATOR, id, { version: 1, runId: id });
      const unknown = await host.waitForEnd(id);
      const bad = `bad-${String(Date.now())}`;
      await host.client.start(ORCHESTRATOR, bad, { version: 1, runId: '../x' });
      const refused = await host.waitForEnd(bad);
      return { unknown: (unknown.output as Loose).status, refused: refused.runtimeStatus };
    },
  },
  {
    // An event named like a number becomes the result of that task, in the engine itself: the run must not believe it.
    name: 'a forged numeric event is noticed and nothing is built on it',
    lenient: true,
    run: async (host) => {
      const runId = await startRun(host.baseUrl, {
        plan: plan([node('a', 'slow', { ms: 1_500, value: 1 }), node('b', 'count', {}, ['a'])]),
      });
      await nodeIn(host, runId, 'a', 'running');
      for (let task = 0; task < 12; task += 1) await host.client.raise(runId, String(task), { forged: true });
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), executed: executions(host, runId) };
    },
  },
  {
    name: 'a control event without a decision in the ledger changes nothing',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, {
        plan: plan([node('a', 'slow', { ms: 1_500 }), node('b', 'count', {}, ['a'])]),
      });
      await nodeIn(host, runId, 'a', 'running');
      await host.client.raise(runId, controlEvent(runId, 1), { control: 'cancel' });
      const run = await waitFor(host.baseUrl, runId);
      return { ...(await whole(host, run)), executed: executions(host, runId) };
    },
  },
  {
    name: 'O-13 events around continue-as-new of a waiting child are not needed: cancel still takes effect',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: pause() });
      await waitFor(host.baseUrl, runId, waits);
      const child = pauseOf(runId);
      await host.waitUntil(child, (status) => status.runtimeStatus === 'Running');
      // More than one generation of rounds, raised without waiting.
      for (let i = 0; i < 70; i += 1) await host.client.raise(child, controlEvent(runId, 1), i);
      await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      const ended = await host.waitForEnd(child);
      return { ...(await whole(host, run)), child: ended.runtimeStatus };
    },
    limitMs: 300_000,
  },
  {
    name: 'O-14 terminate of a run: nothing goes on, the janitor ends the row',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, {
        plan: plan([node('a', 'slow', { ms: 2_000 }), node('b', 'count', {}, ['a'])]),
      });
      await nodeIn(host, runId, 'a', 'running');
      await host.client.terminate(runId, 'operator');
      const ended = await host.waitForEnd(runId);
      const run = await janitorEnds(host, runId);
      return { runtimeStatus: ended.runtimeStatus, status: run.status, executed: executions(host, runId) };
    },
  },
  {
    name: 'O-14 terminate of a child: its parent fails, the janitor ends the row',
    run: async (host) => {
      const runId = await startRun(host.baseUrl, { plan: pause() });
      await waitFor(host.baseUrl, runId, waits);
      const child = pauseOf(runId);
      await host.waitUntil(child, (status) => status.runtimeStatus === 'Running');
      await host.client.terminate(child, 'operator');
      const ended = await host.waitForEnd(runId);
      const run = await janitorEnds(host, runId);
      return { runtimeStatus: ended.runtimeStatus, status: run.status, executed: executions(host, runId) };
    },
  },
  {
    name: "the engine's own suspend and resume delay the run, nothing else",
    run: async (host) => {
      const runId = await startRun(host.baseUrl, {
        plan: plan([node('a', 'slow', { ms: 1_000 }), node('b', 'count', {}, ['a'])]),
      });
      await nodeIn(host, runId, 'a', 'running');
      await host.client.suspend(runId, 'operator');
      const suspended = await host.waitUntil(runId, (status) => status.runtimeStatus === 'Suspended');
      await nodeIn(host, runId, 'a', 'succeeded');
      const before = executions(host, runId);
      await host.client.resume(runId, 'operator');
      const run = await waitFor(host.baseUrl, runId);
      return {
        ...(await whole(host, run)),
        suspended: suspended.runtimeStatus,
        before,
        executed: executions(host, runId),
      };
    },
  },
];

/** Lets the janitor pass until the row has ended. */
async function janitorEnds(host: Parameters<Case['run']>[0], runId: string): Promise<Loose> {
  for (let pass = 0; ; pass += 1) {
    await host.runTimer('janitor');
    const run = await waitFor(host.baseUrl, runId, undefined, 10_000).catch((error: unknown) => {
      if (pass >= 9) throw error;
      return undefined;
    });
    if (run !== undefined) return run;
  }
}
