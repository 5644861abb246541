import { expect, it } from 'vitest';
import { StateInvalid } from '../../../src/ledger/port.ts';
import { completion, failure, newRun, planRow, reservation, T0, uploadRow } from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

export function auditCases(subject: Subject): void {
  it('events are gap-free per run, in order, and page by seq', async () => {
    await subject().createRun(newRun());
    await subject().createRun(newRun({ runId: 'run2' }));
    await subject().savePlan(planRow());
    await subject().reserve(reservation());
    await subject().fail('op1', 1, failure('transient'));
    await subject().reserve(reservation({ attempt: 2, now: T0 + 10 }));
    await subject().complete('op1', 2, completion());
    const events = await subject().events('run1', 0, 100);
    expect(events.map((event) => [event.seq, event.type])).toEqual([
      [1, 'run.accepted'],
      [2, 'plan.saved'],
      [3, 'operation.reserved'],
      [4, 'operation.failed'],
      [5, 'operation.reserved'],
      [6, 'operation.completed'],
    ]);
    expect((await subject().events('run1', 3, 2)).map((event) => event.seq)).toEqual([4, 5]);
    expect(await subject().events('run1', 6, 10)).toEqual([]);
    expect((await subject().events('run2', 0, 10)).map((event) => event.seq)).toEqual([1]);
    expect(await subject().verifyAudit()).toEqual({ ok: true, checked: 7, brokenAt: null });
  });

  it('fifty parallel appends leave no gap and no double seq', async () => {
    await subject().createRun(newRun());
    const event = { at: T0, runId: 'run1', type: 'note', nodeId: null, actor: 'system', data: {} };
    await Promise.all(Array.from({ length: 50 }, (_, i) => subject().appendEvent({ ...event, data: { i } })));
    const events = await subject().events('run1', 0, 100);
    expect(events.map((row) => row.seq)).toEqual(Array.from({ length: 51 }, (_, i) => i + 1));
    expect((await subject().verifyAudit()).ok).toBe(true);
  });

  it('the log holds neither goal nor file name, nor a digest that could be guessed', async () => {
    await subject().saveUpload(uploadRow());
    await subject().createRun(newRun({ uploads: [uploadRow().sha256] }));
    const all = [...(await subject().events('run1', 0, 10)), ...(await subject().events('tenant:local', 0, 10))];
    const text = JSON.stringify(all);
    expect(all).toHaveLength(2);
    expect(text).not.toContain('rain?');
    expect(text).not.toContain('Rossi');
    await subject().createRun(newRun({ runId: 'run2' }));
    const [first] = await subject().events('run1', 0, 1);
    const [second] = await subject().events('run2', 0, 1);
    expect(first?.data['goalDigest']).not.toBe(second?.data['goalDigest']);
  });

  it('refuses event data that JSON would change', async () => {
    const event = { at: T0, runId: 'run1', type: 'note', nodeId: null, actor: 'system' };
    for (const data of [{ n: Number.NaN }, { s: '\ud800' }]) {
      await expect(subject().appendEvent({ ...event, data })).rejects.toBeInstanceOf(StateInvalid);
    }
    expect(await subject().events('run1', 0, 10)).toEqual([]);
    expect(await subject().verifyAudit()).toEqual({ ok: true, checked: 0, brokenAt: null });
  });
}
