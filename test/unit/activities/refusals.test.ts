import { beforeEach, describe, expect, it } from 'vitest';
import { prepare } from '../../support/services/activityRun.ts';
import { accept, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { timesNoted } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const read = (runId: string): Promise<Loose> => view(services, runId);

/** `b` gets a number as a condition's operand, which only shows when it runs. */
const PLAN = {
  nodes: [
    { id: 'a', tool: 'test.noop', args: { value: { n: 'text' } } },
    {
      id: 'b',
      tool: 'test.count',
      when: { op: 'gt', left: { ref: 'a.value.n' }, right: 5 },
      onFailure: 'continue',
    },
    { id: 'c', tool: 'test.count', dependsOn: ['b'] },
  ],
};

describe('a node that is refused before anything was reserved', () => {
  it('in a suspended run is held: its failure can be recorded when the run goes on', async () => {
    const run = await prepare(services, PLAN);
    await run.node('a');
    await services.ledger.setControl(run.runId, 'suspend', 'alice', services.clock);
    expect(await run.node('b')).toMatchObject({ state: 'held' });
    await services.ledger.setControl(run.runId, 'none', 'alice', services.clock);
    expect(await run.node('b')).toMatchObject({ state: 'failed', error: { code: 'INVALID_ARGUMENT' } });
    expect((await services.ledger.project(run.runId))?.operations.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['a', 'completed'],
      ['b', 'failed'],
    ]);
  });

  it('because a right was taken away is a failure that the plan may tolerate', async () => {
    const runId = await accept(services, PLAN);
    const { end } = await drive(services, runId, async (name, input) => {
      const roles = (input as { nodeId?: string }).nodeId === 'b' ? [] : ['requester'];
      if (name === 'node1') await services.ledger.setGrants('local', 'alice', roles, 'admin', services.clock);
    });
    expect(end.status).toBe('succeeded');
    expect((await read(runId)).nodes[1]).toMatchObject({ state: 'failed', error: { code: 'NOT_AUTHORIZED' } });
    expect(timesNoted()).toBe(1);
  });

  it('because the tool was removed ends the run with that code, tolerated or not', async () => {
    const runId = await accept(services, PLAN);
    const { catalog } = services;
    const without = await testServices(testAppTools.filter(({ name }) => name !== 'test.count'));
    const { end } = await drive(services, runId, (name, input) => {
      const gone = name === 'node1' && (input as { nodeId?: string }).nodeId === 'b';
      Object.assign(services, { catalog: gone ? without.catalog : catalog });
    });
    expect(end.status).toBe('failed');
    expect((await read(runId)).error).toMatchObject({ code: 'TOOL_REMOVED' });
    expect(timesNoted()).toBe(0);
  });
});
