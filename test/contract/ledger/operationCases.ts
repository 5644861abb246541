import { expect, it } from 'vitest';
import { StateInvalid } from '../../../src/ledger/port.ts';
import {
  artifactRow,
  completion,
  decision,
  digest,
  failure,
  newRun,
  planRow,
  reservation,
  T0,
} from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

export function operationCases(subject: Subject): void {
  it('O-20 fifty parallel reserves have one winner and one row', async () => {
    await subject().createRun(newRun());
    const results = await Promise.all(Array.from({ length: 50 }, () => subject().reserve(reservation())));
    expect(results.filter((result) => result.outcome === 'reserved')).toHaveLength(1);
    expect(results.filter((result) => result.outcome === 'busy')).toHaveLength(49);
    expect((await subject().project('run1'))?.operations).toHaveLength(1);
  });

  it.each([
    ['arguments', { argsDigest: digest('0') }],
    ['plan', { planDigest: digest('0') }],
    ['tool', { tool: 'gis.slope' }],
    ['node', { nodeId: 'elsewhere' }],
    ['item', { item: 3 }],
  ])('O-20 the same key with another %s is a conflict, in every state of the row', async (_what, changes) => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    const again = () => subject().reserve(reservation({ ...changes, now: T0 + 999_999 }));
    expect(await again()).toMatchObject({ outcome: 'conflict', row: { state: 'reserved' } });
    await subject().complete('op1', 1, completion());
    expect(await again()).toMatchObject({ outcome: 'conflict', row: { state: 'completed' } });
  });

  it('a completed operation answers every redelivery with its stored result', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    const second = artifactRow({ id: 'art_2', output: 'report', type: { kind: 'report' } });
    expect(await subject().complete('op1', 1, completion([second, artifactRow()]))).toBe(true);
    const again = await subject().reserve(reservation({ now: T0 + 999_999 }));
    expect(again).toMatchObject({
      outcome: 'completed',
      row: { state: 'completed', attempt: 1, resultDigest: digest('9'), checks: completion().checks },
    });
    expect(again.outcome === 'completed' && again.artifacts).toEqual([artifactRow(), second]);
    expect(await subject().artifactsOf('run1', 'rainfall', -1)).toEqual([artifactRow(), second]);
    expect(await subject().getArtifact('run1', 'art_2')).toEqual(second);
    expect(await subject().getArtifact('run2', 'art_2')).toBeUndefined();
  });

  it('O-20 takeover happens only after the lease, and the late owner is refused', async () => {
    await subject().createRun(newRun());
    const first = await subject().reserve(reservation());
    expect(first).toEqual({ outcome: 'reserved', fencingToken: 1, again: false, child: null });
    const early = await subject().reserve(reservation({ now: T0 + 59_999 }));
    expect(early).toEqual({ outcome: 'busy', ownerUntil: T0 + 60_000 });
    const later = await subject().reserve(reservation({ now: T0 + 60_000 }));
    expect(later).toEqual({ outcome: 'reserved', fencingToken: 2, again: true, child: null });

    expect(await subject().renew('op1', 1, T0 + 900_000)).toBe(false);
    expect(await subject().complete('op1', 1, completion())).toBe(false);
    expect(await subject().fail('op1', 1, failure('permanent'))).toBe(false);
    expect(await subject().artifactsOf('run1', 'rainfall', -1)).toEqual([]);
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'reserved', fencingToken: 2 });

    expect(await subject().complete('op1', 2, completion())).toBe(true);
    expect(await subject().fail('op1', 1, failure('permanent'))).toBe(false);
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'completed', errorCode: null });
  });

  it('a renewed lease keeps others away, and never shrinks', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    expect(await subject().renew('op1', 1, T0 + 200_000)).toBe(true);
    expect(await subject().renew('op1', 1, T0 + 100_000)).toBe(true);
    const other = await subject().reserve(reservation({ now: T0 + 150_000 }));
    expect(other).toEqual({ outcome: 'busy', ownerUntil: T0 + 200_000 });
    expect(await subject().renew('missing', 1, T0)).toBe(false);
  });

  it('a completion whose answer was lost may be repeated; another result under it may not', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    expect(await subject().complete('op1', 1, completion())).toBe(true);
    expect(await subject().complete('op1', 1, completion())).toBe(true);
    expect(await subject().complete('op1', 1, { ...completion(), resultDigest: digest('0') })).toBe(false);
    expect(await subject().fail('op1', 1, failure('permanent'))).toBe(false);
    const events = await subject().events('run1', 0, 10);
    expect(events.filter((event) => event.type === 'operation.completed')).toHaveLength(1);
  });

  it('artifacts and completion are one: an artifact that does not belong leaves the row reserved', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    for (const wrong of [{ nodeId: 'other' }, { runId: 'run2' }, { tenant: 'other' }, { item: 0 }]) {
      const complete = subject().complete(
        'op1',
        1,
        completion([artifactRow(), artifactRow({ id: 'art_9', ...wrong })]),
      );
      await expect(complete).rejects.toBeInstanceOf(StateInvalid);
    }
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'reserved' });
    expect(await subject().artifactsOf('run1', 'rainfall', -1)).toEqual([]);
    expect((await subject().events('run1', 0, 10)).map((event) => event.type)).toEqual([
      'run.accepted',
      'operation.reserved',
    ]);
  });

  it('one output has one artifact', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    const twice = completion([artifactRow(), artifactRow({ id: 'art_2' })]);
    await expect(subject().complete('op1', 1, twice)).rejects.toThrow();
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'reserved' });
  });

  it('I5 decisions ride in the reserving transaction, once, even when the answer is busy', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation({ decisions: [decision()] }));
    await subject().reserve(reservation({ decisions: [decision(), decision({ seq: 2 })] }));
    expect((await subject().project('run1'))?.decisions).toEqual([decision(), decision({ seq: 2 })]);
  });

  it('an operation of an unknown run is refused', async () => {
    await expect(subject().reserve(reservation({ runId: 'nope' }))).rejects.toBeInstanceOf(StateInvalid);
  });

  it('ids that are property names stay plain ids', async () => {
    await subject().createRun(newRun({ runId: 'constructor', instanceId: 'constructor' }));
    const request = reservation({ runId: 'constructor', nodeId: '__proto__', operationKey: 'toString' });
    expect(await subject().reserve(request)).toMatchObject({ outcome: 'reserved' });
    expect((await subject().project('constructor'))?.operations[0]?.nodeId).toBe('__proto__');
  });

  it('projects everything about one run and nothing about another', async () => {
    await subject().createRun(newRun());
    await subject().createRun(newRun({ runId: 'run2' }));
    await subject().savePlan(planRow());
    await subject().reserve(reservation({ decisions: [decision()] }));
    await subject().reserve(reservation({ operationKey: 'op2', runId: 'run2' }));
    await subject().complete('op1', 1, completion());
    const projection = await subject().project('run1');
    expect(projection?.run.runId).toBe('run1');
    expect(projection?.plan).toEqual(planRow());
    expect(projection?.operations.map((row) => row.operationKey)).toEqual(['op1']);
    expect(projection?.artifacts).toEqual([artifactRow()]);
    expect(await subject().project('missing')).toBeUndefined();
  });
}
