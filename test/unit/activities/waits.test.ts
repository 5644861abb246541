import { beforeEach, describe, expect, it } from 'vitest';
import { control } from '../../../src/activities/control.ts';
import { sleepStep } from '../../../src/activities/sleepStep.ts';
import { stop } from '../../../src/activities/stop.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import type { NodeResult } from '../../../src/orchestration/messages.ts';
import { codeOf, prepare } from '../../support/services/activityRun.ts';
import { notingEngine, testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const WAIT = { nodes: [{ id: 'w', tool: 'test.wait', args: { ms: 600_000 } }] };
const waiting = (result: NodeResult): { until: number; instanceId: string } => {
  if (result.state !== 'wait') throw new Error(`not a wait: ${JSON.stringify(result)}`);
  return result;
};
const step = (runId: string, instanceId: string): ReturnType<typeof sleepStep> =>
  sleepStep(services, { version: 1, runId, instanceId });

describe('a wait', () => {
  it('records its end and its child, answers the same end on a second delivery, completes only when it has come', async () => {
    const run = await prepare(services, WAIT);
    const first = waiting(await run.node('w'));
    expect(first.until).toBe(services.clock + 600_000);
    services.clock += 1_000;
    expect(await run.node('w')).toEqual(expect.objectContaining({ until: first.until, instanceId: first.instanceId }));
    expect(waiting(await run.node('w', { phase: 'end' })).until).toBe(first.until);
    expect(journalLines()).toEqual([]);
    services.clock = first.until;
    expect(codeOf(await run.node('w', { phase: 'end' }))).toBe('done');
    expect(codeOf(await run.node('w', { phase: 'end' }))).toBe('done');
    expect(journalLines().map(({ until }) => until)).toEqual([first.until]);
    expect((await services.ledger.getInstance(first.instanceId))?.state).toBe('ended');
  });

  it('never waits beyond the deadline of the run', async () => {
    const run = await prepare(services, { ...WAIT, limits: { deadlineSeconds: 60 } });
    const { until } = waiting(await run.node('w'));
    expect(until).toBe(run.schedule.deadlineAt);
  });

  it('its child waits, then says due; it ends at once when the run stops, is cancelled, or has ended', async () => {
    const run = await prepare(services, WAIT);
    const { until, instanceId } = waiting(await run.node('w'));
    expect(await step(run.runId, instanceId)).toEqual({ version: 1, state: 'wait', until, seq: 0 });
    expect((await services.ledger.getInstance(instanceId))?.state).toBe('live');
    services.clock = until;
    expect(await step(run.runId, instanceId)).toMatchObject({ state: 'end', reason: 'due' });
    expect((await services.ledger.getInstance(instanceId))?.state).toBe('ended');

    const other = await prepare(services, WAIT);
    const child = waiting(await other.node('w')).instanceId;
    await services.ledger.setControl(other.runId, 'cancel', 'alice', services.clock);
    expect(await step(other.runId, child)).toMatchObject({ state: 'end', reason: 'stopped' });
    expect(codeOf(await other.node('w', { phase: 'end' }))).not.toBe('done');
  });

  it('a child that the ledger does not expect ends at once and touches nothing', async () => {
    const run = await prepare(services, WAIT);
    expect(await step(run.runId, `${run.runId}-0123456789ab`)).toMatchObject({ state: 'end', reason: 'unexpected' });
    const { instanceId } = waiting(await run.node('w'));
    expect(await step('another-run', instanceId)).toMatchObject({ state: 'end', reason: 'unexpected' });
    expect((await services.ledger.getInstance(instanceId))?.state).toBe('planned');
  });
});

describe('back-off', () => {
  it('from the third failed attempt on, the wait is a recorded child; the same on a second delivery', async () => {
    const planned = { nodes: [{ id: 'f', tool: 'test.noop', args: { fail: { class: 'transient' } } }] };
    const run = await prepare(services, planned);
    for (const attempt of [1, 2]) expect(await run.node('f', { attempt })).not.toHaveProperty('backoff');
    const third = await run.node('f', { attempt: 3 });
    expect(third).toMatchObject({ state: 'failed', backoff: { until: expect.any(Number) } });
    expect(await run.node('f', { attempt: 3 })).toEqual(third);
    const backoff = third.state === 'failed' ? third.backoff : undefined;
    expect(await services.ledger.getInstance(backoff?.instanceId ?? '')).toMatchObject({
      kind: 'sleep',
      nodeId: '$backoff:f',
      until: backoff?.until,
      attempt: 3,
    });
    expect(backoff?.until).toBeGreaterThan(services.clock + 3_000);
    await run.node('f', { attempt: 4 });
    expect(await run.node('f', { attempt: 5 })).not.toHaveProperty('backoff');
  });

  it('a long Retry-After waits in a child at once', async () => {
    const day = 24 * 3_600_000;
    const fail = { class: 'throttled', retryAfterMs: 3 * day };
    const run = await prepare(services, { nodes: [{ id: 'f', tool: 'test.noop', args: { fail } }] });
    expect(await run.node('f')).toMatchObject({ backoff: { until: services.clock + 3 * day } });
  });
});

describe('control', () => {
  const ask = (run: { runId: string; warrant: string }, by = run.runId): ReturnType<typeof control> =>
    control(services, { version: 1, runId: run.runId, by, warrant: run.warrant });

  it('O-14 (2) suspend: nothing starts, the attempt does not count, the run is held; resume goes on', async () => {
    const run = await prepare(services, { nodes: [{ id: 'a', tool: 'test.count' }] });
    await services.ledger.setControl(run.runId, 'suspend', 'alice', services.clock);
    expect(await run.node('a')).toMatchObject({ state: 'held', attempt: 1 });
    expect(journalLines()).toEqual([]);
    const held = await ask(run);
    expect(held).toMatchObject({ control: 'suspend', seq: 1 });
    expect((await ask(run)).hold).toEqual(held.hold);
    expect((await services.ledger.getRun(run.runId))?.held).toBe(true);
    const hold = held.hold?.instanceId ?? '';
    expect(await step(run.runId, hold)).toMatchObject({ state: 'wait', seq: 1 });

    await services.ledger.setControl(run.runId, 'none', 'alice', services.clock);
    expect(await step(run.runId, hold)).toMatchObject({ state: 'end', reason: 'resumed' });
    expect(await ask(run)).toEqual({ version: 1, control: 'none', seq: 2 });
    expect((await services.ledger.getRun(run.runId))?.held).toBe(false);
    expect(codeOf(await run.node('a'))).toBe('done');
    expect(journalLines()).toHaveLength(1);
  });

  it('a second suspend gets another child, and a lane its own', async () => {
    const run = await prepare(services, { nodes: [{ id: 'a', tool: 'test.count' }] });
    const holds = new Set<string | undefined>();
    for (let round = 0; round < 2; round += 1) {
      await services.ledger.setControl(run.runId, 'suspend', 'alice', services.clock);
      holds.add((await ask(run)).hold?.instanceId);
      holds.add((await ask(run, `${run.runId}-0123456789ab`)).hold?.instanceId);
      await services.ledger.setControl(run.runId, 'none', 'alice', services.clock);
    }
    expect(holds.size).toBe(4);
  });

  it('cancel works while held', async () => {
    const run = await prepare(services, { nodes: [{ id: 'a', tool: 'test.count' }] });
    await services.ledger.setControl(run.runId, 'suspend', 'alice', services.clock);
    const { hold } = await ask(run);
    await services.ledger.setControl(run.runId, 'cancel', 'alice', services.clock);
    expect(await step(run.runId, hold?.instanceId ?? '')).toMatchObject({ state: 'end', reason: 'stopped' });
    expect(await ask(run)).toMatchObject({ control: 'cancel', seq: 2 });
  });

  it('stop tells the ledger once, with the decisions, and wakes the run and every open child', async () => {
    const run = await prepare(services, {
      nodes: [
        { id: 'w', tool: 'test.wait', args: { ms: 600_000 } },
        { id: 'z', tool: 'test.count', dependsOn: ['w'] },
      ],
    });
    const { instanceId } = waiting(await run.node('w'));
    const engine = notingEngine();
    const input = {
      version: 1,
      runId: run.runId,
      warrant: run.warrant,
      by: run.runId,
      error: { code: 'TOOL_FAILED', class: 'permanent', message: 'no' },
      decisions: [{ seq: 1, nodeId: 'z', item: -1, kind: 'skippedByFailure', attempt: 0, reason: 'TOOL_FAILED' }],
    };
    expect(await stop(services, input, engine)).toEqual({ version: 1, seq: 1 });
    expect(await stop(services, input, engine)).toEqual({ version: 1, seq: 1 });
    const event = controlEvent(run.runId, 1);
    expect(engine.wakes.slice(0, 2)).toEqual([
      [run.runId, event],
      [instanceId, event],
    ]);
    expect((await services.ledger.getRun(run.runId))?.stopping).toBe('TOOL_FAILED');
    expect((await services.ledger.project(run.runId))?.decisions).toHaveLength(1);
    expect(codeOf(await run.node('z'))).not.toBe('done');
    expect(await step(run.runId, instanceId)).toMatchObject({ state: 'end', reason: 'stopped' });
  });
});
