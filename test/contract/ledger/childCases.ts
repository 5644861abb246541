import { expect, it } from 'vitest';
import { StateInvalid, type NewInstance } from '../../../src/ledger/port.ts';
import {
  artifactRow,
  completion,
  decision,
  failure,
  newInstance,
  newRun,
  reservation,
  T0,
} from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

const child = (changes: Partial<NewInstance> = {}): NewInstance =>
  newInstance({ nodeId: 'rainfall', until: T0 + 1_000, ...changes });

export function childCases(subject: Subject): void {
  it('records the child with the intent, and tells a repeated intent of the first record', async () => {
    await subject().createRun(newRun());
    const first = await subject().reserve(reservation({ ownerMs: 0, child: child() }));
    expect(first).toMatchObject({ outcome: 'reserved', again: false, child: { state: 'planned', until: T0 + 1_000 } });
    const again = await subject().reserve(
      reservation({ ownerMs: 0, now: T0 + 50, child: child({ until: T0 + 9_999 }) }),
    );
    expect(again).toMatchObject({ outcome: 'reserved', fencingToken: 1, again: true, child: { until: T0 + 1_000 } });
    const types = (await subject().events('run1', 0, 20)).map(({ type }) => type);
    expect(types.filter((type) => type === 'instance.planned')).toHaveLength(1);
    expect(types.filter((type) => type === 'operation.reserved')).toHaveLength(1);
  });

  it('an instance id is never reused for something else', async () => {
    await subject().createRun(newRun());
    await subject().planInstance(child(), T0);
    expect(await subject().planInstance(child(), T0 + 1)).toMatchObject({ createdAt: T0 });
    await expect(subject().planInstance(child({ nodeId: 'map' }), T0 + 2)).rejects.toBeInstanceOf(StateInvalid);
  });

  it('an instance goes from planned to live to ended and never back', async () => {
    await subject().createRun(newRun());
    await subject().planInstance(child(), T0);
    await subject().planInstance(child({ instanceId: 'run1-bbbbbbbbbbbb', nodeId: 'map' }), T0 + 1);
    expect(await subject().moveInstance('run1-aaaaaaaaaaaa', 'live', T0 + 2)).toBe(true);
    expect(await subject().moveInstance('run1-aaaaaaaaaaaa', 'live', T0 + 3)).toBe(false);
    expect((await subject().openInstances('run1', 10)).map(({ state }) => state)).toEqual(['live', 'planned']);
    expect(await subject().moveInstance('run1-aaaaaaaaaaaa', 'ended', T0 + 4)).toBe(true);
    expect(await subject().moveInstance('run1-aaaaaaaaaaaa', 'live', T0 + 5)).toBe(false);
    expect(await subject().moveInstance('run1-aaaaaaaaaaaa', 'ended', T0 + 6)).toBe(false);
    expect(await subject().getInstance('run1-aaaaaaaaaaaa')).toMatchObject({ state: 'ended', endedAt: T0 + 4 });
    expect(await subject().openInstances('run1', 10)).toHaveLength(1);
    expect(await subject().instancesOf('run1')).toHaveLength(2);
    expect(await subject().moveInstance('nobody', 'live', T0)).toBe(false);
  });

  it('counts changes of control and of stopping, and nothing else', async () => {
    await subject().createRun(newRun());
    await subject().setControl('run1', 'suspend', 'alice', T0);
    await subject().setControl('run1', 'suspend', 'alice', T0);
    await subject().setHeld('run1', true, T0 + 1);
    await subject().setHeld('run1', true, T0 + 1);
    expect(await subject().getRun('run1')).toMatchObject({ controlSeq: 1, held: true });
    await subject().setControl('run1', 'none', 'alice', T0 + 2);
    await subject().setHeld('run1', false, T0 + 2);
    const stop = { code: 'TOOL_FAILED', by: 'run1', decisions: [decision()], now: T0 + 3 };
    expect(await subject().stopRun('run1', stop)).toMatchObject({
      controlSeq: 3,
      stopping: 'TOOL_FAILED',
      held: false,
    });
    expect(await subject().stopRun('run1', { ...stop, code: 'OTHER' })).toMatchObject({
      controlSeq: 3,
      stopping: 'TOOL_FAILED',
    });
    const types = (await subject().events('run1', 0, 50)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('run.'))).toEqual([
      'run.accepted',
      'run.control',
      'run.held',
      'run.control',
      'run.goesOn',
      'run.stopping',
    ]);
  });

  it('nothing starts while the run is suspended; what had started goes on', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().setControl('run1', 'suspend', 'alice', T0);
    expect(await subject().reserve(reservation({ operationKey: 'op2', nodeId: 'map' }))).toEqual({ outcome: 'held' });
    expect(await subject().getOperation('op2')).toBeUndefined();
    const takeover = await subject().reserve(reservation({ now: T0 + 999_999 }));
    expect(takeover).toMatchObject({ outcome: 'reserved', fencingToken: 2, again: true });
    expect(await subject().fail('op1', 2, failure('transient'))).toBe(true);
    expect(await subject().reserve(reservation({ attempt: 2, now: T0 + 999_999 }))).toEqual({ outcome: 'held' });
    await subject().setControl('run1', 'none', 'alice', T0);
    expect(await subject().reserve(reservation({ attempt: 2, now: T0 + 999_999 }))).toMatchObject({
      outcome: 'reserved',
    });
  });

  it('I7 nothing starts once the run is stopping, and running owners may still complete', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().stopRun('run1', { code: 'TOOL_FAILED', by: 'run1', decisions: [], now: T0 });
    expect(await subject().reserve(reservation({ operationKey: 'op2', nodeId: 'map' }))).toMatchObject({
      outcome: 'stopped',
    });
    expect(await subject().complete('op1', 1, completion())).toBe(true);
  });

  it('a remote job is submitted once, followed by one at a time, and settled from there', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation({ ownerMs: 0, child: child({ kind: 'job', until: null }) }));
    const mine = await subject().follow('op1', T0 + 1, 5_000);
    expect(mine).toMatchObject({ outcome: 'owned', fencingToken: 2, row: { state: 'reserved' } });
    expect(await subject().follow('op1', T0 + 2, 5_000)).toEqual({ outcome: 'busy', ownerUntil: T0 + 5_001 });
    expect(await subject().submitted('op1', 1, 'job-late', T0 + 3)).toBe(false);
    expect(await subject().submitted('op1', 2, 'job-1', T0 + 3)).toBe(true);
    expect(await subject().submitted('op1', 2, 'job-1', T0 + 4)).toBe(true);
    expect(await subject().submitted('op1', 2, 'job-2', T0 + 4)).toBe(false);
    expect(await subject().release('op1', 1, T0 + 5)).toBe(false);
    expect(await subject().release('op1', 2, T0 + 5)).toBe(true);
    const next = await subject().follow('op1', T0 + 6, 5_000);
    expect(next).toMatchObject({
      outcome: 'owned',
      fencingToken: 3,
      row: { state: 'submitted', externalJobId: 'job-1' },
    });
    expect(await subject().complete('op1', 2, completion())).toBe(false);
    expect(await subject().complete('op1', 3, completion([artifactRow()]))).toBe(true);
    expect(await subject().follow('op1', T0 + 7, 5_000)).toMatchObject({
      outcome: 'settled',
      row: { state: 'completed' },
      artifacts: [{ id: 'art_1' }],
    });
  });

  it('the child of a later attempt follows the job on, under the attempt it was opened with', async () => {
    await subject().createRun(newRun());
    const job = child({ kind: 'job', until: null });
    const later = { ...job, instanceId: 'run1-bbbbbbbbbbbb', attempt: 2 };
    await subject().reserve(reservation({ ownerMs: 0, child: job }));
    await subject().follow('op1', T0 + 1, 5_000);
    await subject().submitted('op1', 2, 'job-1', T0 + 2);
    const busy = reservation({ attempt: 2, ownerMs: 0, now: T0 + 3, child: later });
    expect(await subject().reserve(busy)).toMatchObject({ outcome: 'busy' });
    expect(await subject().getInstance(later.instanceId)).toBeUndefined();
    const taken = { outcome: 'reserved', fencingToken: 3, again: true, child: { attempt: 2 } };
    expect(await subject().reserve({ ...busy, now: T0 + 6_000 })).toMatchObject(taken);
    expect(await subject().reserve({ ...busy, now: T0 + 6_001 })).toMatchObject(taken);
    expect(await subject().follow('op1', T0 + 6_002, 5_000)).toMatchObject({
      outcome: 'owned',
      row: { state: 'submitted', externalJobId: 'job-1', attempt: 1 },
    });
  });

  it('before it is known to be submitted too; a failure that may be retried opens the later attempt', async () => {
    await subject().createRun(newRun());
    const job = child({ kind: 'job', until: null });
    const attempt = (n: number, now: number) =>
      subject().reserve(
        reservation({
          attempt: n,
          ownerMs: 0,
          now,
          child: { ...job, instanceId: `run1-${String(n).repeat(12)}`, attempt: n },
        }),
      );
    await attempt(1, T0);
    expect(await attempt(2, T0 + 1)).toMatchObject({ outcome: 'reserved', fencingToken: 2 });
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'reserved', attempt: 1 });
    await subject().follow('op1', T0 + 2, 5_000);
    expect(await subject().fail('op1', 3, failure('transient'))).toBe(true);
    expect(await attempt(3, T0 + 3)).toMatchObject({ outcome: 'reserved', fencingToken: 4 });
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'reserved', attempt: 3 });
  });

  it('a job whose fate is not known is never retried by itself', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation({ ownerMs: 0, child: child({ kind: 'job', until: null }) }));
    await subject().follow('op1', T0 + 1, 5_000);
    expect(await subject().fail('op1', 2, failure('unknown'))).toBe(true);
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'unknown' });
    expect(await subject().reserve(reservation({ attempt: 2, now: T0 + 999_999 }))).toMatchObject({
      outcome: 'failed',
    });
  });

  it('decisions are numbered by who took them', async () => {
    await subject().createRun(newRun());
    await subject().recordDecisions('run1', 'run1', [decision()], T0);
    await subject().recordDecisions('run1', 'run1-cccccccccccc', [decision({ nodeId: 'other' })], T0);
    expect((await subject().project('run1'))?.decisions.map(({ nodeId }) => nodeId)).toEqual(['map', 'other']);
  });
}
