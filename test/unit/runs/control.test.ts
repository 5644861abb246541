import { beforeEach, describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { cancelRun, resumeRun, suspendRun } from '../../../src/runs/control.ts';
import { retryRun } from '../../../src/runs/retry.ts';
import { accept, alice } from '../../support/services/driveRun.ts';
import { notingEngine, testServices, type TestServices } from '../../support/services/testServices.ts';
import { prepare, validated } from '../../support/services/activityRun.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
let engine: ReturnType<typeof notingEngine>;
beforeEach(async () => {
  services = await testServices(testAppTools);
  engine = notingEngine();
});

const PLAN = {
  nodes: [
    { id: 'a', tool: 'test.count', args: { value: 1 } },
    { id: 'b', tool: 'test.count', args: { value: { ref: 'a.value' }, fail: { class: 'permanent' } } },
  ],
};
const origin = 'http://localhost';
const asked = (runId: string, route = 'POST /runs/{id}/suspend' as const) => ({
  services,
  engine,
  caller: { principal: alice, route },
  runId,
  origin,
});
const retry = (runId: string, key: string | null = null): ReturnType<typeof retryRun> =>
  retryRun(services, engine, { principal: alice, route: 'POST /runs/{id}/retry' }, { runId, key, origin });
const fail = (runId: string): Promise<unknown> =>
  services.ledger.finishRun(runId, {
    status: 'failed',
    headline: null,
    error: null,
    now: services.clock,
    by: runId,
    decisions: [],
  });

describe('suspend, resume, cancel', () => {
  it('each change counts and wakes with its own event; asking for the same wakes again without counting', async () => {
    const runId = await accept(services, PLAN);
    expect(await suspendRun(asked(runId))).toMatchObject({ runId, control: 'suspend', held: false });
    await suspendRun(asked(runId));
    expect(await resumeRun(asked(runId))).toMatchObject({ control: 'none' });
    await cancelRun(asked(runId));
    expect(engine.wakes.map(([, event]) => event)).toEqual([1, 1, 1, 2, 2, 3].map((seq) => controlEvent(runId, seq)));
    expect(new Set(engine.wakes.map(([instance]) => instance))).toEqual(new Set([runId]));
  });

  it('O-06 409 WRONG_STATE: resume without suspend, anything but cancel after a cancel, anything after the end', async () => {
    const runId = await accept(services, PLAN);
    const wrong = { code: 'WRONG_STATE' };
    await expect(resumeRun(asked(runId))).rejects.toMatchObject(wrong);
    await cancelRun(asked(runId));
    await expect(suspendRun(asked(runId))).rejects.toMatchObject(wrong);
    await expect(resumeRun(asked(runId))).rejects.toMatchObject(wrong);
    await cancelRun(asked(runId));
    await fail(runId);
    for (const act of [cancelRun, suspendRun, resumeRun]) await expect(act(asked(runId))).rejects.toMatchObject(wrong);
  });
});

describe('retry', () => {
  it('O-14 (3) starts a new run of the same request once, as of the same time; the ended one stays as it is', async () => {
    const runId = await accept(services, PLAN);
    await expect(retry(runId)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await fail(runId);
    const before = JSON.stringify(await services.ledger.getRun(runId));
    services.clock += 86_400_000;
    const again = await retry(runId);
    expect(again.runId).not.toBe(runId);
    expect((await retry(runId)).runId).toBe(again.runId);
    expect((await retry(runId, 'another')).runId).not.toBe(again.runId);
    const [first, second] = [await services.ledger.getRun(runId), await services.ledger.getRun(again.runId)];
    expect(second).toMatchObject({ retryOf: runId, asOf: first?.asOf, request: first?.request, status: 'accepted' });
    expect(JSON.stringify(first)).toBe(before);
  });

  it('takes over what was completed without effect: the tool does not run, the bytes stand under the new run', async () => {
    const first = await prepare(services, PLAN);
    await first.node('a');
    await first.node('b');
    await fail(first.runId);
    const second = await validated(services, (await retry(first.runId)).runId);
    expect(await second.node('a')).toMatchObject({ state: 'done' });
    expect(await second.output('a', 'value')).toBe(1);
    await second.node('b');
    expect(journalLines().map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'b']);
    const events = await services.ledger.events(second.runId, 0, 100);
    expect(events.filter(({ type }) => type === 'node.reused')).toMatchObject([
      { nodeId: 'a', data: { fromRun: first.runId } },
    ]);
    services.store.blobs.forEach((_blob, name) => {
      if (name.includes(first.runId)) services.store.blobs.delete(name);
    });
    expect(await second.output('a', 'value')).toBe(1);
  });

  it('takes over nothing that changed on the way: what was lost is made again, and an event says so', async () => {
    const first = await prepare(services, PLAN);
    await first.node('a');
    await fail(first.runId);
    services.store.blobs.clear();
    const second = await validated(services, (await retry(first.runId)).runId);
    expect(await second.node('a')).toMatchObject({ state: 'done' });
    const events = await services.ledger.events(second.runId, 0, 100);
    expect(events.filter(({ type }) => type.startsWith('node.'))).toMatchObject([
      { type: 'node.notReused', nodeId: 'a', data: { fromRun: first.runId, code: 'ARTIFACT_LOST' } },
    ]);
  });

  it('a run that succeeded, and one of somebody else, can’t be tried again', async () => {
    const runId = await accept(services, PLAN);
    await services.ledger.finishRun(runId, {
      status: 'succeeded',
      headline: null,
      error: null,
      now: services.clock,
      by: runId,
      decisions: [],
    });
    await expect(retry(runId)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    const stranger = { principal: { ...alice, tenant: 'other' }, route: 'POST /runs/{id}/retry' as const };
    await expect(retryRun(services, engine, stranger, { runId, key: null, origin })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
