import { expect, it } from 'vitest';
import {
  completion,
  decision,
  ending,
  newInstance,
  newRun,
  planRow,
  reservation,
  T0,
} from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

export function janitorCases(subject: Subject): void {
  it('names runs without a change for some time, oldest first, and no terminal ones', async () => {
    for (const [runId, now] of [
      ['old', T0],
      ['ended', T0 + 1],
      ['young', T0 + 500],
    ] as const)
      await subject().createRun(newRun({ runId, now }));
    await subject().finishRun('ended', ending('failed', T0 + 2));
    expect(await subject().staleRuns(T0 + 100, 10)).toEqual([
      { runId: 'old', instanceId: 'old', status: 'accepted', updatedAt: T0 },
    ]);
    await subject().moveRun('old', ['accepted'], 'planning', { now: T0 + 200 });
    expect(await subject().staleRuns(T0 + 100, 10)).toEqual([]);
    expect((await subject().staleRuns(T0 + 9_999, 1)).map(({ runId }) => runId)).toEqual(['old']);
  });

  it('goes through live runs page by page, those accepted in the same millisecond too, and skips none', async () => {
    for (const runId of ['a', 'b', 'c', 'd', 'e']) await subject().createRun(newRun({ runId }));
    await subject().finishRun('c', ending('failed', T0 + 1));
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await subject().staleRuns(T0 + 100, 2, after);
      seen.push(...page.map(({ runId }) => runId));
      after = page.at(-1)?.runId;
      if (after === undefined) break;
    }
    expect(seen).toEqual(['a', 'b', 'd', 'e']);
  });

  it('names runs that ended in a span of time, its start included and its end not', async () => {
    for (const [runId, at] of [
      ['early', 9],
      ['first', 10],
      ['last', 19],
      ['late', 20],
    ] as const) {
      await subject().createRun(newRun({ runId }));
      await subject().finishRun(runId, ending('failed', T0 + at));
    }
    await subject().createRun(newRun({ runId: 'open' }));
    const between = await subject().runsEndedBetween(T0 + 10, T0 + 20, 10);
    expect(between.map(({ runId, endedAt }) => [runId, endedAt - T0])).toEqual([
      ['first', 10],
      ['last', 19],
    ]);
    expect(await subject().runsEndedBetween(T0 + 10, T0 + 20, 1)).toHaveLength(1);
    await subject().purgeRun('first', T0 + 99);
    expect(await subject().runsEndedBetween(T0 + 10, T0 + 20, 10)).toHaveLength(1);
  });

  it('names ended runs whose instances are not', async () => {
    await subject().createRun(newRun());
    await subject().planInstance(newInstance({ runId: 'run1' }), T0);
    expect(await subject().endedRunsWithInstances(10)).toEqual([]);
    await subject().finishRun('run1', ending('failed', T0 + 2));
    expect(await subject().endedRunsWithInstances(10)).toEqual([
      { runId: 'run1', instanceId: 'run1', endedAt: T0 + 2 },
    ]);
    await subject().moveInstance('run1-aaaaaaaaaaaa', 'ended', T0 + 3);
    expect(await subject().endedRunsWithInstances(10)).toEqual([]);
  });

  it('expires owners in ended runs only, once, and says so', async () => {
    await subject().createRun(newRun());
    await subject().createRun(newRun({ runId: 'live' }));
    await subject().reserve(reservation({ ownerMs: 100 }));
    await subject().reserve(reservation({ operationKey: 'op2', runId: 'live', ownerMs: 100 }));
    await subject().finishRun('run1', ending('cancelled', T0 + 2));
    expect(await subject().expireOwners(T0 + 50, 10)).toBe(0);
    expect(await subject().expireOwners(T0 + 500, 10)).toBe(1);
    expect(await subject().expireOwners(T0 + 500, 10)).toBe(0);
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'unknown', errorClass: 'unknown' });
    expect(await subject().getOperation('op2')).toMatchObject({ state: 'reserved' });
    expect((await subject().events('run1', 0, 50)).map(({ type }) => type)).toContain('operation.expired');
    expect(await subject().complete('op1', 1, completion())).toBe(false);
  });

  it('leaves a remote job to its own child as long as that has not ended', async () => {
    await subject().createRun(newRun());
    const job = { ...newInstance({ runId: 'run1' }), kind: 'job' as const, nodeId: 'rainfall', until: null };
    await subject().reserve(reservation({ ownerMs: 0, child: job }));
    await subject().finishRun('run1', ending('failed', T0 + 2));
    expect(await subject().expireOwners(T0 + 500, 10)).toBe(0);
    await subject().moveInstance(job.instanceId, 'ended', T0 + 501);
    expect(await subject().expireOwners(T0 + 502, 10)).toBe(1);
  });

  it('O-14 purges an ended run once, keeps its audit events, and leaves others alone', async () => {
    for (const runId of ['run1', 'other']) {
      await subject().createRun(newRun({ runId, goal: 'secret goal' }));
      await subject().savePlan(planRow({ runId }));
      await subject().planInstance(newInstance({ runId }), T0);
      await subject().recordDecisions(runId, runId, [decision()], T0);
    }
    await subject().reserve(reservation());
    await subject().complete('op1', 1, completion());
    expect(await subject().purgeRun('run1', T0 + 5)).toBe(false);
    await subject().finishRun('run1', ending('succeeded', T0 + 10));
    expect(await subject().purgeable(T0 + 10, 10)).toEqual([]);
    expect(await subject().purgeable(T0 + 11, 10)).toEqual([{ runId: 'run1', tenant: 'local' }]);
    const before = await subject().events('run1', 0, 100);
    expect(await subject().purgeRun('run1', T0 + 20)).toBe(true);
    expect(await subject().purgeRun('run1', T0 + 21)).toBe(false);
    expect(await subject().purgeable(T0 + 999, 10)).toEqual([]);
    expect(await subject().project('run1')).toMatchObject({
      run: { status: 'succeeded', goal: '' },
      plan: null,
      operations: [],
      artifacts: [],
      decisions: [],
    });
    expect(await subject().instancesOf('run1')).toEqual([]);
    expect(await subject().instancesOf('other')).toHaveLength(1);
    const after = await subject().events('run1', 0, 100);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ type: 'run.purged', actor: 'janitor' });
    expect(await subject().verifyAudit()).toMatchObject({ ok: true });
  });
}
