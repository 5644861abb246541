import { expect, it } from 'vitest';
import { StateInvalid, type ExpansionRow } from '../../../src/ledger/port.ts';
import {
  artifactRow,
  completion,
  decision,
  digest,
  ending,
  newInstance,
  newRun,
  planRow,
  reservation,
  T0,
} from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

const child = newInstance();
const expansion: ExpansionRow = {
  runId: 'run1',
  revision: 1,
  nodeId: 'each',
  count: 2,
  itemsDigest: digest('7'),
  mode: 'lanes',
  createdAt: T0 + 60,
};
const end = ending('failed', T0 + 50, 'janitor');

/** Everything that a delayed activity, request or child may still ask of a run that is over. */
async function late(ledger: ReturnType<Subject>): Promise<void> {
  const now = T0 + 60;
  const stopped = { outcome: 'stopped', status: 'failed' };
  expect(await ledger.reserve(reservation({ now, decisions: [decision()], child }))).toMatchObject(stopped);
  const item = reservation({ operationKey: 'op2', nodeId: 'each', item: 0, now });
  expect(await ledger.reserve(item)).toMatchObject(stopped);
  expect(await ledger.reserve({ ...item, system: true })).toMatchObject(stopped);
  expect(await ledger.planInstance(child, now)).toMatchObject({ state: 'ended', endedAt: now });
  expect(await ledger.moveInstance(child.instanceId, 'live', now)).toBe(false);
  const lanes = [{ ...child, kind: 'lane' as const, nodeId: 'each', item: 0, until: null, to: 2 }];
  await expect(ledger.saveExpansion(expansion, lanes, 'run1', [decision()])).rejects.toBeInstanceOf(StateInvalid);
  await expect(ledger.savePlan(planRow())).rejects.toBeInstanceOf(StateInvalid);
  await ledger.recordDecisions('run1', 'run1', [decision()], now);
  await ledger.setHeld('run1', true, now);
  await ledger.stopRun('run1', { code: 'TOOL_FAILED', by: 'run1', decisions: [decision()], now });
  expect(await ledger.setControl('run1', 'suspend', 'alice', now)).toMatchObject({ accepted: false });
  expect(await ledger.moveRun('run1', ['failed', 'running'], 'verifying', { now })).toBe(false);
  expect(await ledger.finishRun('run1', { ...end, status: 'succeeded', now })).toMatchObject({ status: 'failed' });
}

export function lateCases(subject: Subject): void {
  it('O-14 work that arrives after the end of its run does nothing, not even an event', async () => {
    await subject().createRun(newRun());
    await subject().finishRun('run1', end);
    const before = await subject().project('run1');
    const events = await subject().events('run1', 0, 100);
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', actor: 'janitor', data: { by: 'janitor' } });
    await late(subject());
    expect(await subject().project('run1')).toEqual(before);
    expect(await subject().instancesOf('run1')).toEqual([]);
    expect(await subject().events('run1', 0, 100)).toEqual(events);
  });

  it('O-14 nor after its purge: nothing comes back that nobody would purge again', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().finishRun('run1', end);
    await subject().purgeRun('run1', T0 + 55);
    const before = await subject().project('run1');
    await late(subject());
    expect(await subject().complete('op1', 1, completion([artifactRow()]))).toBe(false);
    expect(await subject().project('run1')).toEqual(before);
    expect(await subject().instancesOf('run1')).toEqual([]);
    expect(await subject().blobNamesOf('run1')).toEqual([]);
    expect(await subject().purgeable(T0 + 999, 10)).toEqual([]);
  });

  it('O-14 an effect under way when its run ended is told when it answers, and the run stays as it ended', async () => {
    await subject().createRun(newRun());
    await subject().reserve(reservation());
    await subject().finishRun('run1', end);
    expect(await subject().complete('op1', 1, completion())).toBe(true);
    expect(await subject().getOperation('op1')).toMatchObject({ state: 'completed' });
    expect(await subject().getRun('run1')).toMatchObject({ status: 'failed' });
    expect(await subject().expireOwners(T0 + 999_999, 10)).toBe(0);
  });
}
