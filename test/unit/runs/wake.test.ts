import { beforeEach, describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { resumeRun } from '../../../src/runs/control.ts';
import { wakeChildren, wakeRun } from '../../../src/runs/wake.ts';
import type { Engine } from '../../../src/runs/engine.ts';
import { accept, alice } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';

let services: TestServices;
let raised: string[];
let engine: Engine;
let runId: string;
beforeEach(async () => {
  services = await testServices(testAppTools);
  raised = [];
  engine = {
    start: () => Promise.resolve(),
    status: () => Promise.resolve(undefined),
    wake: (instanceId, event) => {
      raised.push(`${instanceId} ${event}`);
      return Promise.resolve();
    },
  };
  runId = await accept(services, { nodes: [{ id: 'a', tool: 'test.count' }] });
  const child = { runId, kind: 'sleep', revision: 1, nodeId: 'a', item: -1, attempt: 1, to: null } as const;
  await services.ledger.planInstance({ ...child, instanceId: `${runId}-0123456789ab`, until: 1 }, services.clock);
});
const event = (instanceId: string, seq: number): string => `${instanceId} ${controlEvent(runId, seq)}`;

describe('waking', () => {
  it('raises the first change alone, to the run and then to its children', async () => {
    await wakeRun(services, engine, { runId, instanceId: runId, controlSeq: 1 });
    expect(raised).toEqual([event(runId, 1), event(`${runId}-0123456789ab`, 1)]);
  });

  it('raises the change before too: a child that missed it waits for that one, and for no later one', async () => {
    await wakeRun(services, engine, { runId, instanceId: runId, controlSeq: 3 });
    const child = `${runId}-0123456789ab`;
    expect(raised).toEqual([event(runId, 2), event(runId, 3), event(child, 2), event(child, 3)]);
  });

  it('wakes a sleeping child that is said to have just ended: a second delivery of its step may have said so', async () => {
    await services.ledger.moveInstance(`${runId}-0123456789ab`, 'ended', services.clock - 60_000);
    await wakeChildren(services, engine, runId, 1);
    expect(raised).toEqual([event(`${runId}-0123456789ab`, 1)]);
  });

  it('wakes no child that has ended', async () => {
    await services.ledger.moveInstance(`${runId}-0123456789ab`, 'ended', services.clock - 3_600_000);
    await wakeChildren(services, engine, runId, 2);
    expect(raised).toEqual([]);
  });

  it('a resume that is repeated after it was lost half-way wakes the run, though it answers that nothing is suspended', async () => {
    const asked = {
      services,
      engine,
      runId,
      origin: 'http://localhost',
      caller: { principal: alice, route: 'POST /runs/{id}/resume' },
    } as const;
    await expect(resumeRun(asked)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    expect(raised).toEqual([]);
    await services.ledger.setControl(runId, 'suspend', 'alice', services.clock);
    // Set, and the process died before it raised the event.
    await services.ledger.setControl(runId, 'none', 'alice', services.clock);
    await expect(resumeRun(asked)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    expect(raised).toContain(event(runId, 2));
  });
});
