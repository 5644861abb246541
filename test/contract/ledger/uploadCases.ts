import { expect, it } from 'vitest';
import { StateInvalid } from '../../../src/ledger/port.ts';
import { digest, newRun, T0, uploadRow } from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

export function uploadCases(subject: Subject): void {
  it('an upload is its owner’s until a run binds it, then its tenant may read it', async () => {
    await subject().saveUpload(uploadRow());
    expect(await subject().getUpload('local', 'alice', digest('f'))).toEqual(uploadRow());
    expect(await subject().getUpload('local', 'bob', digest('f'))).toBeUndefined();
    await subject().createRun(newRun({ uploads: [digest('f'), digest('f')] }));
    expect(await subject().getUpload('local', 'bob', digest('f'))).toEqual(uploadRow());
    expect(await subject().getUpload('other', 'alice', digest('f'))).toBeUndefined();
    expect(await subject().uploadOfRun('run1', digest('f'))).toEqual(uploadRow());
    expect(await subject().uploadOfRun('run2', digest('f'))).toBeUndefined();
  });

  it('a run keeps the upload as it was at its start', async () => {
    await subject().saveUpload(uploadRow());
    await subject().createRun(newRun({ uploads: [digest('f')] }));
    await subject().saveUpload(uploadRow({ name: 'renamed.csv', mediaType: 'text/plain' }));
    const renamed = { name: 'renamed.csv', mediaType: 'text/plain' };
    expect(await subject().getUpload('local', 'alice', digest('f'))).toMatchObject(renamed);
    expect(await subject().uploadOfRun('run1', digest('f'))).toEqual(uploadRow());
  });

  it('a run that names an upload it cannot see is not created', async () => {
    await subject().saveUpload(uploadRow({ owner: 'bob' }));
    await expect(subject().createRun(newRun({ uploads: [digest('f')] }))).rejects.toBeInstanceOf(StateInvalid);
    expect(await subject().getRun('run1')).toBeUndefined();
    expect(await subject().events('run1', 0, 10)).toEqual([]);
  });

  it('grants: no row is not an empty row', async () => {
    expect(await subject().grantsOf('local', 'alice')).toBeUndefined();
    await subject().setGrants('local', 'alice', ['requester', 'approver', 'approver'], 'root', T0);
    expect(await subject().grantsOf('local', 'alice')).toEqual(['approver', 'requester']);
    await subject().setGrants('local', 'alice', [], 'root', T0 + 1);
    expect(await subject().grantsOf('local', 'alice')).toEqual([]);
    expect(await subject().grantsOf('other', 'alice')).toBeUndefined();
    const events = await subject().events('tenant:local', 0, 10);
    expect(events.map((event) => [event.seq, event.type, event.actor])).toEqual([
      [1, 'grants.set', 'root'],
      [2, 'grants.set', 'root'],
    ]);
  });

  it.each([
    ['just before midnight', '2026-11-30T23:59:59.999Z'],
    ['the hour that summer time skips', '2026-03-29T02:30:00.001Z'],
    ['a leap day', '2028-02-29T00:00:00.007Z'],
    ['long after 2038', '2099-12-31T23:59:59.998Z'],
  ])('O-21 times come back to the millisecond: %s', async (_what, time) => {
    const at = Date.parse(time);
    await subject().createRun(newRun({ now: at }));
    await subject().moveRun('run1', ['accepted'], 'running', { now: at, startedAt: at + 1, deadlineAt: at + 2 });
    const run = await subject().getRun('run1');
    expect([run?.createdAt, run?.startedAt, run?.deadlineAt]).toEqual([at, at + 1, at + 2]);
    expect((await subject().events('run1', 0, 1))[0]?.at).toBe(at);
    expect(new Date(run?.createdAt ?? 0).toISOString()).toBe(time);
  });
}
