import { expect, it } from 'vitest';
import { CursorInvalid, StateInvalid } from '../../../src/ledger/port.ts';
import { decision, digest, ending, newRun, planRow, T0 } from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

export function runCases(subject: Subject): void {
  it('reads a run back exactly as it was accepted', async () => {
    const { outcome, run } = await subject().createRun(newRun({ idempotencyKey: 'k:1' }));
    expect(outcome).toBe('created');
    expect(run).toEqual({
      asOf: T0,
      controlSeq: 0,
      retryOf: null,
      stopping: null,
      runId: 'run1',
      tenant: 'local',
      requester: 'alice',
      status: 'accepted',
      control: 'none',
      held: false,
      goal: 'Where did it rain?',
      locale: 'it-CH',
      request: '{"goal":"Where did it rain?"}',
      requestDigest: digest('a'),
      idempotencyKey: 'k:1',
      roles: ['requester'],
      instanceId: 'run1',
      planDigest: null,
      warrantDigest: null,
      policyVersion: null,
      headline: null,
      error: null,
      createdAt: T0,
      startedAt: null,
      endedAt: null,
      deadlineAt: null,
      rowVersion: 1,
    });
    expect(await subject().getRun('run1')).toEqual(run);
    expect(await subject().getRun('constructor')).toBeUndefined();
  });

  it('O-20 fifty parallel starts with one key make one run', async () => {
    const starts = Array.from({ length: 50 }, (_, i) =>
      subject().createRun(newRun({ runId: `run${i}`, idempotencyKey: 'same' })),
    );
    const results = await Promise.all(starts);
    expect(results.filter((result) => result.outcome === 'created')).toHaveLength(1);
    expect(results.filter((result) => result.outcome === 'exists')).toHaveLength(49);
    expect(new Set(results.map((result) => result.run.runId)).size).toBe(1);
    expect((await subject().listRuns('local', { limit: 100, cursor: null })).items).toHaveLength(1);
  });

  it('another body under the same key is a conflict and changes nothing', async () => {
    await subject().createRun(newRun({ idempotencyKey: 'k' }));
    const second = await subject().createRun(
      newRun({ runId: 'run2', idempotencyKey: 'k', requestDigest: digest('1') }),
    );
    expect(second.outcome).toBe('conflict');
    expect(second.run.runId).toBe('run1');
    expect(await subject().getRun('run2')).toBeUndefined();
  });

  it('keys are scoped to tenant and requester', async () => {
    await subject().createRun(newRun({ idempotencyKey: 'k' }));
    const person = await subject().createRun(newRun({ runId: 'run2', idempotencyKey: 'k', requester: 'bob' }));
    const tenant = await subject().createRun(newRun({ runId: 'run3', idempotencyKey: 'k', tenant: 'other' }));
    expect([person.outcome, tenant.outcome]).toEqual(['created', 'created']);
  });

  it('a run id of somebody else is never handed out as ours', async () => {
    await subject().createRun(newRun());
    await expect(subject().createRun(newRun({ requester: 'mallory' }))).rejects.toBeInstanceOf(StateInvalid);
  });

  it('moves only from the named statuses', async () => {
    await subject().createRun(newRun());
    const patch = { now: T0 + 1, startedAt: T0 + 1, deadlineAt: T0 + 99, planDigest: digest('b') };
    expect(await subject().moveRun('run1', ['running'], 'verifying', patch)).toBe(false);
    expect(await subject().moveRun('run1', ['accepted', 'planning'], 'running', patch)).toBe(true);
    expect(await subject().moveRun('run1', ['accepted', 'planning'], 'running', patch)).toBe(false);
    expect(await subject().moveRun('missing', ['accepted'], 'running', patch)).toBe(false);
    expect(await subject().getRun('run1')).toMatchObject({
      status: 'running',
      startedAt: T0 + 1,
      deadlineAt: T0 + 99,
      planDigest: digest('b'),
    });
  });

  it('a move cannot end a run', async () => {
    await subject().createRun(newRun());
    const move = subject().moveRun('run1', ['accepted'], 'succeeded', { now: T0 });
    await expect(move).rejects.toBeInstanceOf(StateInvalid);
  });

  it('I10 a run ends once, whatever comes later', async () => {
    await subject().createRun(newRun());
    const error = { code: 'TOOL_FAILED', class: 'permanent', message: 'no' } as const;
    const ends = await Promise.all([
      subject().finishRun('run1', { ...ending('failed'), headline: 'It failed.', error }),
      subject().finishRun('run1', ending('succeeded', T0 + 10)),
      subject().finishRun('run1', ending('cancelled', T0 + 11)),
    ]);
    expect(ends.map((run) => run.status)).toEqual(['failed', 'failed', 'failed']);
    expect(ends[2]).toMatchObject({ headline: 'It failed.', error, endedAt: T0 + 9 });
    expect(await subject().moveRun('run1', ['failed'], 'running', { now: T0 })).toBe(false);
    const types = (await subject().events('run1', 0, 10)).map((event) => event.type);
    expect(types).toEqual(['run.accepted', 'run.finished']);
  });

  it('refuses to end a run in a status that is no end', async () => {
    await subject().createRun(newRun());
    await expect(subject().finishRun('run1', ending('running'))).rejects.toBeInstanceOf(StateInvalid);
  });

  it('control is idempotent, a cancel is never taken back, a finished run takes none', async () => {
    await subject().createRun(newRun());
    const control = (wanted: 'none' | 'suspend' | 'cancel') => subject().setControl('run1', wanted, 'bob', T0 + 1);
    expect(await control('suspend')).toMatchObject({ accepted: true, run: { control: 'suspend', controlSeq: 1 } });
    expect(await control('suspend')).toMatchObject({ accepted: true });
    expect(await control('none')).toMatchObject({ accepted: true, run: { control: 'none', controlSeq: 2 } });
    expect(await control('cancel')).toMatchObject({ accepted: true, run: { control: 'cancel', controlSeq: 3 } });
    expect(await control('none')).toMatchObject({ accepted: false, run: { control: 'cancel' } });
    await subject().finishRun('run1', ending('cancelled'));
    expect(await control('cancel')).toMatchObject({ accepted: false, run: { status: 'cancelled' } });
    const events = await subject().events('run1', 0, 20);
    expect(events.filter((event) => event.type === 'run.control')).toHaveLength(3);
  });

  it('lists newest first in pages that neither skip nor repeat when runs arrive in between', async () => {
    for (const i of [1, 2, 3, 4, 5]) await subject().createRun(newRun({ runId: `run${i}`, now: T0 + Math.min(i, 3) }));
    await subject().createRun(newRun({ runId: 'foreign', tenant: 'other', now: T0 + 50 }));
    const first = await subject().listRuns('local', { limit: 2, cursor: null });
    await subject().createRun(newRun({ runId: 'late', now: T0 + 60 }));
    const second = await subject().listRuns('local', { limit: 2, cursor: first.nextCursor });
    const third = await subject().listRuns('local', { limit: 2, cursor: second.nextCursor });
    const ids = [first, second, third].flatMap((page) => page.items.map((run) => run.runId));
    expect(ids).toEqual(['run5', 'run4', 'run3', 'run2', 'run1']);
    expect(third.nextCursor).toBeNull();
  });

  it('refuses a cursor that it did not make', async () => {
    for (const cursor of ['', 'nonsense', Buffer.from('{"a":1}').toString('base64url')]) {
      await expect(subject().listRuns('local', { limit: 2, cursor })).rejects.toBeInstanceOf(CursorInvalid);
    }
  });

  it('keeps a plan per revision and refuses another one in its place', async () => {
    await subject().createRun(newRun());
    await subject().savePlan(planRow());
    await subject().savePlan(planRow());
    await subject().savePlan(planRow({ revision: 2, planDigest: digest('2') }));
    await expect(subject().savePlan(planRow({ planDigest: digest('3') }))).rejects.toBeInstanceOf(StateInvalid);
    await expect(subject().savePlan(planRow({ warrantDigest: digest('3') }))).rejects.toBeInstanceOf(StateInvalid);
    expect(await subject().getPlan('run1', 1)).toEqual(planRow());
    expect(await subject().getPlan('run1', 3)).toBeUndefined();
    expect(await subject().latestPlan('run1')).toMatchObject({ revision: 2, planDigest: digest('2') });
  });

  it('decisions are written once per seq; another one under that seq is refused', async () => {
    await subject().createRun(newRun());
    await subject().recordDecisions('run1', 'run1', [decision(), decision({ seq: 2, nodeId: 'report' })], T0);
    await subject().recordDecisions('run1', 'run1', [decision()], T0 + 1);
    const other = subject().recordDecisions('run1', 'run1', [decision({ nodeId: 'elsewhere' })], T0 + 2);
    await expect(other).rejects.toBeInstanceOf(StateInvalid);
    await subject().finishRun('run1', { ...ending('failed'), decisions: [decision({ seq: 3, kind: 'cancelled' })] });
    await subject().recordDecisions('run1', 'run1', [decision({ seq: 4 })], T0 + 3);
    const projection = await subject().project('run1');
    expect(projection?.decisions.map((row) => row.seq)).toEqual([1, 2, 3]);
  });
}
