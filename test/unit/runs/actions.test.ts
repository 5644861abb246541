import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../src/identity/principal.ts';
import type { RunRow } from '../../../src/ledger/port.ts';
import { actionsOf } from '../../../src/runs/actions.ts';

const person = (oid: string, ...roles: Principal['roles'][number][]): Principal =>
  ({ kind: 'person', tenant: 't', oid, roles }) as unknown as Principal;
const run = (more: Partial<RunRow> = {}): RunRow =>
  ({ tenant: 't', requester: 'alice', status: 'running', control: 'none', held: false, ...more }) as RunRow;

describe('what a caller may do with a run', () => {
  const alice = person('alice', 'requester');

  it('follows its state', () => {
    expect(actionsOf(alice, run())).toEqual(['suspend', 'cancel']);
    expect(actionsOf(alice, run({ control: 'suspend' }))).toEqual(['resume', 'cancel']);
    // The flag is gone and the run has not noticed: resuming wakes it.
    expect(actionsOf(alice, run({ held: true }))).toEqual(['resume', 'cancel']);
    expect(actionsOf(alice, run({ control: 'cancel', held: true }))).toEqual([]);
    expect(actionsOf(alice, run({ status: 'succeeded' }))).toEqual([]);
    expect(actionsOf(alice, run({ status: 'cancelled', control: 'cancel' }))).toEqual(['retry']);
  });

  it('follows the role table', () => {
    expect(actionsOf(person('bob', 'requester'), run())).toEqual([]);
    expect(actionsOf(person('carol', 'auditor'), run())).toEqual([]);
    expect(actionsOf(person('olga', 'operator'), run())).toEqual(['suspend', 'cancel']);
    expect(actionsOf(person('olga', 'operator'), run({ status: 'failed' }))).toEqual([]);
    expect(actionsOf({ ...alice, tenant: 'other' }, run())).toEqual([]);
  });
});
