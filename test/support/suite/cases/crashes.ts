import { call, startRun, waitFor, type Loose } from '../../system/api.ts';
import type { TestHost } from '../../hosts/types.ts';
import type { Case, Observation } from '../case.ts';
import { ending, executions, nodeIn, post } from '../observe.ts';
import { node, plan } from '../plans.ts';

const work = (): object =>
  plan([
    node('a', 'count', { value: 1 }),
    node('b', 'slow', { ms: 2_500 }, ['a']),
    node('c', 'count', { value: 2 }, ['b']),
  ]);

/** Kills in the middle of `b`, brings everything back, and waits for the end. */
async function killedInTheMiddle(host: TestHost, kill: () => Promise<void>): Promise<Observation> {
  const runId = await startRun(host.baseUrl, { plan: work() });
  await nodeIn(host, runId, 'b', 'running');
  await kill();
  await host.restart();
  const run = await waitFor(host.baseUrl, runId, undefined, 200_000);
  return { ...ending(run), counted: executions(host, runId) };
}

export const crashCases: readonly Case[] = [
  {
    name: 'kill -9 of everything in the middle of a node',
    own: true,
    run: (host) => killedInTheMiddle(host, () => host.crash()),
  },
  {
    name: 'kill -9 of the runner in the middle of a node',
    own: true,
    run: (host) => killedInTheMiddle(host, () => host.crashRunner()),
  },
  {
    name: 'kill -9 of the engine in the middle of a node',
    own: true,
    run: (host) => killedInTheMiddle(host, () => host.crashEngine()),
  },
  {
    name: 'O-04 a wait of 30 days fires after 30 days, with bounded history',
    needs: 'clock',
    run: async (host) => {
      const runId = await startWait(host);
      const day = 86_400_000;
      const states: string[] = [];
      for (let days = 0; days < 31; days += 1) {
        await host.advance(day);
        await settled(host);
        if (days === 28) {
          const { body } = await call(host.baseUrl, 'GET', `/runs/${runId}`);
          states.push(body.status);
        }
      }
      const run = await waitFor(host.baseUrl, runId);
      const history = (await host.client.status(runId, { showHistory: true })).historyEvents?.length ?? 0;
      return { ...ending(run), onDay29: states, bounded: history < 80, executed: executions(host, runId) };
    },
  },
  {
    name: 'O-04 a wait of 30 days cancelled on day 4',
    needs: 'clock',
    run: async (host) => {
      const runId = await startWait(host);
      for (let days = 0; days < 4; days += 1) {
        await host.advance(86_400_000);
        await settled(host);
      }
      const cancel = await post(host, runId, 'cancel');
      const run = await waitFor(host.baseUrl, runId);
      const { runtimeStatus } = await host.waitForEnd(runId);
      return { ...ending(run), cancel, runtimeStatus, executed: executions(host, runId) };
    },
  },
];

async function startWait(host: TestHost): Promise<string> {
  const runId = await startRun(host.baseUrl, {
    plan: plan(
      [
        node('a', 'count', { value: 1 }),
        node('pause', 'core.wait', { duration: 'P30D' }, ['a']),
        node('after', 'count', { value: 2 }, ['pause']),
      ],
      { limits: { deadlineSeconds: 40 * 86_400 } },
    ),
  });
  await waitFor(host.baseUrl, runId, (run) => run.nodes.some((one: Loose) => one.waitingFor !== undefined));
  return runId;
}

/** Waits until no instance changes any more: what has become due is worked off. */
async function settled(host: TestHost): Promise<void> {
  let last = '';
  for (let same = 0; same < 3;) {
    const { text } = await host.client.send('GET', 'instances');
    same = text === last ? same + 1 : 0;
    last = text;
    await new Promise((done) => setTimeout(done, 50));
  }
}
