import { beforeEach, describe, expect, it } from 'vitest';
import { finish } from '../../../src/activities/finish.ts';
import { janitorPass } from '../../../src/runs/janitor.ts';
import { accept, ACTIVITIES } from '../../support/services/driveRun.ts';
import { fakeEngine, type FakeEngine } from '../../support/services/fakeEngine.ts';
import { MINUTE, NOTHING } from '../../support/services/janitorWorld.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testTool } from '../../support/services/testTools.ts';
import { World } from '../../support/services/world.ts';

const CHAIN = {
  nodes: [
    { id: 'a', tool: 'test.a' },
    { id: 'b', tool: 'test.b', dependsOn: ['a'] },
  ],
};
let services: TestServices;
let engine: FakeEngine;
let calls: string[];
beforeEach(async () => {
  calls = [];
  engine = fakeEngine();
  services = await testServices(['a', 'b'].map((name) => testTool(name, async () => (calls.push(name), { name }))));
});

const pass = () =>
  janitorPass({
    services,
    engine,
    finish: (runId, error) => finish(services, { version: 1, runId, by: 'janitor', decisions: [], error }, engine),
    retentionDays: 90,
  });

interface Message {
  readonly name: string;
  readonly input: unknown;
}

/** Goes on until the activity `name` (for node `nodeId`) is about to be executed, then terminates the instance. */
async function terminatedBefore(runId: string, name: string, nodeId?: string): Promise<Message> {
  const world = new World(services);
  world.begin('run1', runId, { version: 1, runId });
  let queued: Message | undefined;
  const stop = (called: string, input: unknown): void => {
    if (called !== name || (nodeId !== undefined && (input as { nodeId: string }).nodeId !== nodeId)) return;
    queued = { name: called, input };
    throw new Error('this message is still queued');
  };
  while (queued === undefined) if (!(await world.step(stop))) throw new Error(`${name} was never called`);
  engine.instances.set(runId, 'Terminated');
  return queued;
}

const arrive = ({ name, input }: Message): Promise<unknown> =>
  ACTIVITIES.get(name)?.(services, structuredClone(input), engine) ?? Promise.reject(new Error(name));

describe('O-14 (2) an operator terminates a run', () => {
  it('the queued activity arrives after the janitor has ended the run: no tool runs, nothing changes', async () => {
    const runId = await accept(services, CHAIN);
    const queued = await terminatedBefore(runId, 'node1', 'b');
    services.clock += MINUTE;
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    const before = await services.ledger.project(runId);
    expect(before?.run).toMatchObject({ status: 'failed', error: { code: 'STATE_INVALID' } });
    const events = await services.ledger.events(runId, 0, 1_000);
    expect(await arrive(queued)).toMatchObject({ state: 'failed', error: { code: 'CANCELLED' } });
    expect(calls).toEqual(['a']);
    expect(await services.ledger.project(runId)).toEqual(before);
    expect(await services.ledger.events(runId, 0, 1_000)).toEqual(events);
  });

  it.each(['begin1', 'plan1', 'validate1', 'verify1', 'finish1'])(
    'a late %s neither goes on nor changes how the run ended',
    async (name) => {
      const runId = await accept(services, CHAIN);
      const queued = await terminatedBefore(runId, name);
      services.clock += MINUTE;
      expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
      const before = await services.ledger.project(runId);
      const ran = calls.length;
      await arrive(queued).catch(() => undefined);
      expect(calls).toHaveLength(ran);
      expect(await services.ledger.project(runId)).toEqual(before);
      expect(await pass()).toEqual(NOTHING);
    },
  );

  it('a run that had done and verified everything ends as what it is: succeeded', async () => {
    const runId = await accept(services, CHAIN);
    await terminatedBefore(runId, 'finish1');
    services.clock += MINUTE;
    expect(await pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await services.ledger.getRun(runId)).toMatchObject({ status: 'succeeded', error: null });
    expect(calls).toEqual(['a', 'b']);
  });

  it('a run that had not been verified does not succeed', async () => {
    const runId = await accept(services, CHAIN);
    await terminatedBefore(runId, 'verify1');
    services.clock += MINUTE;
    await pass();
    const run = await services.ledger.getRun(runId);
    expect(run?.status).toBe('unverified');
  });
});
