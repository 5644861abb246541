import { beforeEach, describe, expect, it } from 'vitest';
import { retryRun } from '../../../src/runs/retry.ts';
import { cancelRun, resumeRun, suspendRun } from '../../../src/runs/control.ts';
import { aggregateTool } from '../../../src/tools/core/aggregateTool.ts';
import { accept, alice, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { World } from '../../support/services/world.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { timesNoted } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices([...testAppTools, aggregateTool]);
});

const origin = 'http://localhost';
const read = (runId: string): Promise<Loose> => view(services, runId);
const nodeOf = async (runId: string, id: string): Promise<Loose> =>
  (await read(runId)).nodes.find((one: Loose) => one.id === id);
const DAY = 86_400_000;

describe('whole runs with waits and jobs', () => {
  const month = (): object => ({
    nodes: [
      { id: 'a', tool: 'test.count' },
      { id: 'w', tool: 'test.wait', args: { ms: 30 * DAY }, dependsOn: ['a'] },
      { id: 'z', tool: 'test.count', dependsOn: ['w'] },
    ],
    limits: { deadlineSeconds: 40 * 86_400 },
  });

  it('a wait of 30 days in the middle: the right end, bounded histories', async () => {
    const runId = await accept(services, month());
    const began = services.clock;
    const { end, hand, world } = await drive(services, runId);
    expect(end.status).toBe('succeeded');
    expect(services.clock - began).toBeGreaterThanOrEqual(30 * DAY);
    expect(hand.calls.length + hand.timers.length).toBeLessThan(25);
    const sleeper = [...world.instances.values()].find(({ name }) => name === 'sleep1');
    expect(sleeper?.generations).toBeGreaterThan(5);
    expect(timesNoted()).toBe(2);
  });

  it('cancelled on day 4 of 30: it ends cancelled at once, and what follows never starts', async () => {
    const runId = await accept(services, month());
    const began = services.clock;
    const world = new World(services);
    world.begin('run1', runId, { version: 1, runId });
    while (services.clock < began + 4 * DAY && (await world.step()));
    expect((await nodeOf(runId, 'w')).waitingFor).toMatchObject({ kind: 'wait' });
    const caller = { principal: alice, route: 'POST /runs/{id}/cancel' as const };
    await cancelRun({ services, engine: world.engine, caller, runId, origin });
    await world.run();
    expect((await services.ledger.getRun(runId))?.status).toBe('cancelled');
    expect(services.clock - began).toBeLessThan(5 * DAY);
    expect(timesNoted()).toBe(1);
  });

  it('a remote job is one submission from the plan to the report', async () => {
    const planned = {
      nodes: [
        { id: 'j', tool: 'test.job', args: { polls: 5, value: { n: 3 } } },
        { id: 'k', tool: 'test.count', args: { value: { ref: 'j.value.n' } } },
      ],
    };
    const runId = await accept(services, planned);
    expect((await drive(services, runId)).end.status).toBe('succeeded');
    expect([timesNoted('job.submit'), timesNoted('job.poll')]).toEqual([1, 6]);
    expect((await nodeOf(runId, 'j')).externalJobId).toMatch(/^job-/);
  });

  it('O-14 a failure elsewhere stops a running job: it is asked to end, and the run fails', async () => {
    const planned = {
      nodes: [
        { id: 'j', tool: 'test.job', args: { end: 'never' } },
        { id: 'w', tool: 'test.wait', args: { ms: 10_000 } },
        { id: 'x', tool: 'test.count', args: { fail: { class: 'permanent' } }, dependsOn: ['w'] },
      ],
    };
    const runId = await accept(services, planned);
    expect((await drive(services, runId)).end.status).toBe('failed');
    expect([timesNoted('job.submit'), timesNoted('job.cancel')]).toEqual([1, 1]);
    expect((await nodeOf(runId, 'j')).error.code).toBe('CANCELLED');
  });
});

describe('whole runs under control', () => {
  const LINE = {
    nodes: ['a', 'b', 'c'].map((id, i) => ({
      id,
      tool: 'test.count',
      dependsOn: ['a', 'b', 'c'].slice(0, i).slice(-1),
    })),
    limits: { deadlineSeconds: 40 * 86_400 },
  };
  const route = 'POST /runs/{id}/suspend' as const;
  const started = async (): Promise<{ runId: string; world: World; asked: Parameters<typeof suspendRun>[0] }> => {
    const runId = await accept(services, LINE);
    const world = new World(services);
    world.begin('run1', runId, { version: 1, runId });
    while (timesNoted() === 0 && (await world.step()));
    return {
      runId,
      world,
      asked: { services, engine: world.engine, caller: { principal: alice, route }, runId, origin },
    };
  };
  const until = async (world: World, reached: () => Promise<boolean>): Promise<void> => {
    for (let steps = 0; !(await reached()); steps += 1)
      if (steps > 500 || !(await world.step())) throw new Error('never reached');
  };
  const held = async (runId: string): Promise<boolean> => (await services.ledger.getRun(runId))?.held === true;

  it('suspended between two nodes nothing starts, for days; resumed, it goes on to the end', async () => {
    const { runId, world, asked } = await started();
    await suspendRun(asked);
    await until(world, () => held(runId));
    const began = services.clock;
    while (services.clock < began + 3 * DAY && (await world.step()));
    expect(timesNoted()).toBe(1);
    await resumeRun(asked);
    await world.run();
    expect((await services.ledger.getRun(runId))?.status).toBe('succeeded');
    expect(timesNoted()).toBe(3);
    expect(await services.ledger.openInstances(runId, 10)).toEqual([]);
  });

  it('cancelled while held it ends cancelled', async () => {
    const { runId, world, asked } = await started();
    await suspendRun(asked);
    await until(world, () => held(runId));
    await cancelRun(asked);
    await world.run();
    expect((await services.ledger.getRun(runId))?.status).toBe('cancelled');
    expect(timesNoted()).toBe(1);
  });

  it('O-14 (3) what has failed is tried again as a new run that takes over what was done', async () => {
    const flaky = {
      nodes: [
        { id: 'a', tool: 'test.count', args: { value: 4 } },
        { id: 'b', tool: 'test.flaky', args: { times: 1, fail: { class: 'permanent' }, value: { ref: 'a.value' } } },
      ],
    };
    const first = await accept(services, flaky);
    const { world, end } = await drive(services, first);
    expect(end.status).toBe('failed');
    const caller = { principal: alice, route: 'POST /runs/{id}/retry' as const };
    const again = await retryRun(services, world.engine, caller, { runId: first, key: null, origin });
    await world.run();
    const run = await read(again.runId);
    // `flaky` counts by operation: the new run's is another one, and fails once too.
    expect(run).toMatchObject({ status: 'failed', retryOf: first });
    expect(timesNoted()).toBe(1);
    expect(run.nodes[0]).toMatchObject({ id: 'a', state: 'succeeded' });
  });
});
