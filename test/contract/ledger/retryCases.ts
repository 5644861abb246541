import { expect, it } from 'vitest';
import { completion, decision, ending, failure, newRun, reservation, T0 } from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

const LATE = T0 + 999_999;

export function retryCases(subject: Subject): void {
  it.each(['transient', 'throttled'] as const)('a %s failure is reopened by the next attempt only', async (kind) => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    expect(await subject().fail('op1', 1, failure(kind))).toBe(true);
    expect(await subject().reserve(reservation({ now: LATE }))).toMatchObject({
      outcome: 'failed',
      row: { attempt: 1, errorCode: 'TOOL_FAILED', errorClass: kind, errorMessage: 'The service said no.' },
    });
    const retry = await subject().reserve(reservation({ attempt: 2, now: LATE }));
    expect(retry).toEqual({ outcome: 'reserved', fencingToken: 2, again: false, child: null });
    expect(await subject().getOperation('op1')).toMatchObject({
      state: 'reserved',
      attempt: 2,
      errorCode: null,
      createdAt: T0,
      updatedAt: LATE,
    });
  });

  it.each(['permanent', 'unknown'] as const)('a %s failure is never retried', async (kind) => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().fail('op1', 1, failure(kind));
    const retry = await subject().reserve(reservation({ attempt: 2, now: LATE }));
    expect(retry).toMatchObject({ outcome: 'failed', row: { attempt: 1, errorClass: kind } });
  });

  it('an earlier attempt delivered late starts nothing and gets the answer of the row', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().fail('op1', 1, failure('transient'));
    await subject().reserve(reservation({ attempt: 2, now: T0 + 10 }));
    const whileAlive = await subject().reserve(reservation({ attempt: 1, now: T0 + 20 }));
    expect(whileAlive).toEqual({ outcome: 'busy', ownerUntil: T0 + 60_010 });
    const afterLease = await subject().reserve(reservation({ attempt: 1, now: LATE }));
    expect(afterLease).toEqual({ outcome: 'busy', ownerUntil: LATE + 1_000 });
    await subject().complete('op1', 2, completion());
    expect(await subject().reserve(reservation({ attempt: 1, now: LATE }))).toMatchObject({ outcome: 'completed' });
  });

  it('a failure whose answer was lost may be repeated', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    expect(await subject().fail('op1', 1, failure('transient'))).toBe(true);
    expect(await subject().fail('op1', 1, failure('transient'))).toBe(true);
    expect(await subject().fail('op1', 1, failure('permanent'))).toBe(false);
  });

  it('a message of any length is kept within 2 KB', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    const { error, ...rest } = failure('permanent');
    await subject().fail('op1', 1, { ...rest, error: { ...error, message: 'x'.repeat(1_000_000) } });
    expect((await subject().getOperation('op1'))?.errorMessage).toHaveLength(2_000);
  });

  it('O-14 nothing starts after a cancel: not a new node, not a retry, not a takeover', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().reserve(reservation({ operationKey: 'op2', nodeId: 'assets' }));
    await subject().fail('op2', 1, failure('transient'));
    await subject().setControl('run1', 'cancel', 'alice', T0 + 6);
    const stopped = { outcome: 'stopped', control: 'cancel', status: 'accepted' };
    expect(await subject().reserve(reservation({ operationKey: 'op3', nodeId: 'map' }))).toEqual(stopped);
    const retry = reservation({ operationKey: 'op2', nodeId: 'assets', attempt: 2, now: LATE });
    expect(await subject().reserve(retry)).toEqual(stopped);
    expect(await subject().reserve(reservation({ now: LATE }))).toEqual(stopped);
    expect(await subject().getOperation('op3')).toBeUndefined();
  });

  it('O-14 work under way when the cancel arrives is awaited and recorded', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().setControl('run1', 'cancel', 'alice', T0 + 1);
    expect(await subject().reserve(reservation({ now: T0 + 2 }))).toMatchObject({ outcome: 'busy' });
    expect(await subject().complete('op1', 1, completion())).toBe(true);
    expect(await subject().reserve(reservation({ now: T0 + 9 }))).toMatchObject({ outcome: 'completed' });
  });

  it('O-14 a terminal run starts nothing and takes no more decisions', async () => {
    await subject().createRun(newRun());
    await subject().finishRun('run1', ending('failed'));
    const late = await subject().reserve(reservation({ decisions: [decision()] }));
    expect(late).toEqual({ outcome: 'stopped', control: 'none', status: 'failed' });
    expect(await subject().project('run1')).toMatchObject({ operations: [], decisions: [] });
  });
}
