import { beforeEach, describe, expect, it } from 'vitest';
import { StateInvalid, StoreUnavailable } from '../../../src/ledger/port.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { reservation } from '../../support/ledger/samples.ts';
import { janitorStage, MINUTE, NOTHING, SECOND, type JanitorStage } from '../../support/services/janitorWorld.ts';

let stage: JanitorStage;
beforeEach(async () => {
  stage = await janitorStage();
});
const later = (ms: number): void => void (stage.services.clock += ms);
/** A pass that finds everything as it should be changes nothing, in the ledger or the engine. */
async function expectSettled(): Promise<void> {
  const calls = stage.engine.calls.filter((call) => !call.startsWith('wake')).length;
  const before = await stage.services.ledger.verifyAudit();
  expect(await stage.pass()).toEqual(NOTHING);
  expect(stage.engine.calls.filter((call) => !call.startsWith('wake'))).toHaveLength(calls);
  expect(await stage.services.ledger.verifyAudit()).toEqual({ ...before, ok: true });
}

describe('O-07 runs without an instance', () => {
  it('an accepted run that never got its instance gets it after a minute, once', async () => {
    await stage.run('r');
    later(59 * SECOND);
    await expectSettled();
    later(SECOND + 1);
    expect(await stage.pass()).toEqual({ ...NOTHING, started: 1 });
    expect(stage.engine.instances.get('r')).toBe('Pending');
    expect(await stage.audited('r')).toEqual(['janitor.started']);
    later(MINUTE * 5);
    await expectSettled();
  });

  it('a cancelled one gets it too: its instance sees the flag', async () => {
    await stage.run('r');
    await stage.services.ledger.setControl('r', 'cancel', 'alice', stage.services.clock);
    later(2 * MINUTE);
    expect(await stage.pass()).toEqual({ ...NOTHING, started: 1 });
  });

  it('a run that had begun does not begin again: it is ended', async () => {
    await stage.run('r', 'running');
    later(2 * MINUTE);
    expect(await stage.pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(stage.engine.calls).not.toContain('start r');
    const run = await stage.services.ledger.getRun('r');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'STATE_INVALID', message: /is gone/ } });
    await expectSettled();
  });
});

describe('O-14 runs whose instance is dead', () => {
  it.each(['Failed', 'Terminated', 'Completed', 'Canceled'])('%s: the run ends, once, and says why', async (status) => {
    await stage.run('r', 'running');
    stage.engine.instances.set('r', status);
    later(9 * SECOND);
    await expectSettled();
    later(2 * SECOND);
    expect(await stage.pass()).toEqual({ ...NOTHING, ended: 1 });
    const run = await stage.services.ledger.getRun('r');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'STATE_INVALID' } });
    expect(run?.error?.message).toContain(`is ${status}`);
    expect(await stage.audited('r')).toEqual(['run.finished']);
    later(MINUTE);
    await expectSettled();
  });

  it.each(['Running', 'Pending', 'Suspended'])('%s is left alone, however long nothing happens', async (status) => {
    await stage.run('r', 'running');
    stage.engine.instances.set('r', status);
    later(30 * 24 * 60 * MINUTE);
    await expectSettled();
  });

  it('the status follows from the ledger: a cancelled run ends cancelled', async () => {
    await stage.run('r', 'running');
    await stage.services.ledger.setControl('r', 'cancel', 'alice', stage.services.clock);
    stage.engine.instances.set('r', 'Terminated');
    later(MINUTE);
    await stage.pass();
    expect(await stage.services.ledger.getRun('r')).toMatchObject({ status: 'cancelled' });
  });

  it('a run that ends by itself while the janitor looks at it is not touched', async () => {
    await stage.run('r', 'running');
    stage.engine.instances.set('r', 'Completed');
    later(MINUTE);
    const status = stage.engine.status.bind(stage.engine);
    stage.engine.status = async (instanceId) => {
      await stage.end('r', 'succeeded');
      return status(instanceId);
    };
    expect(await stage.pass()).toEqual(NOTHING);
    expect(await stage.services.ledger.getRun('r')).toMatchObject({ status: 'succeeded', error: null });
    expect(await stage.audited('r')).toEqual([]);
  });

  it('a dead run behind hundreds that wait is reached in the same pass', async () => {
    for (let i = 0; i < 450; i += 1) {
      await stage.run(`w${String(i)}`, 'running');
      stage.engine.instances.set(`w${String(i)}`, 'Running');
    }
    await stage.run('dead', 'running');
    later(MINUTE * 2);
    expect(await stage.pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await stage.services.ledger.getRun('dead')).toMatchObject({ status: 'failed' });
  });

  it('a store that does not answer costs one pass; a ledger that cannot be read costs the run', async () => {
    for (const runId of ['away', 'broken', 'fine']) await stage.run(runId, 'running');
    later(2 * MINUTE);
    const { ledger } = stage.services;
    const project = ledger.project.bind(ledger);
    let away = true;
    ledger.project = async (runId) => {
      if (runId === 'away' && away) throw new StoreUnavailable('asleep');
      if (runId === 'broken') throw new StateInvalid('a row of Plans is not valid');
      return project(runId);
    };
    expect(await stage.pass()).toEqual({ ...NOTHING, ended: 2, failed: 1 });
    const status = async (runId: string) => (await ledger.getRun(runId))?.status;
    expect([await status('away'), await status('broken'), await status('fine')]).toEqual([
      'running',
      'failed',
      'failed',
    ]);
    expect(stage.services.lines.filter((line) => line.startsWith('janitorFailed'))).toHaveLength(2);
    away = false;
    expect(await stage.pass()).toEqual({ ...NOTHING, ended: 1 });
    expect(await status('away')).toBe('failed');
  });

  it('an engine that does not answer for one run does not keep the others waiting', async () => {
    for (const runId of ['a', 'b', 'c']) await stage.run(runId);
    later(2 * MINUTE);
    stage.engine.before = (_verb, instanceId) => {
      if (instanceId === 'b') throw new Error('500');
    };
    expect(await stage.pass()).toEqual({ ...NOTHING, started: 2, failed: 1 });
    expect([...stage.engine.instances.keys()].sort()).toEqual(['a', 'c']);
  });
});

describe('O-14 instances of ended runs', () => {
  it('live children are woken by the event they wait for, then terminated; others are closed at once', async () => {
    await stage.run('r', 'running');
    const { ledger } = stage.services;
    await ledger.setControl('r', 'suspend', 'alice', stage.services.clock);
    for (const name of ['lives', 'failed', 'never', 'ended']) await stage.child('r', name);
    await ledger.moveInstance('r-ended', 'ended', stage.services.clock);
    stage.engine.instances.set('r-lives', 'Running').set('r-failed', 'Failed').set('r', 'Completed');
    await stage.end('r', 'failed');
    expect(await stage.pass()).toEqual({ ...NOTHING, closed: 2 });
    expect(stage.engine.calls).toEqual([
      `wake:${controlEvent('r', 1)} r-lives`,
      `wake:${controlEvent('r', 2)} r-lives`,
    ]);
    expect((await ledger.openInstances('r', 9)).map(({ instanceId }) => instanceId)).toEqual(['r-lives']);
    expect(await stage.audited('r')).toEqual(['janitor.closed', 'janitor.closed']);
    later(9 * MINUTE);
    await expectSettled();
    later(MINUTE);
    expect(await stage.pass()).toEqual({ ...NOTHING, closed: 1, terminated: 1 });
    expect(stage.engine.instances.get('r-lives')).toBe('Terminated');
    expect((await stage.audited('r')).at(-1)).toBe('janitor.terminated');
    await expectSettled();
  });

  it('the own instance of an ended run that goes on living is terminated after ten minutes', async () => {
    await stage.run('r', 'running');
    stage.engine.instances.set('r', 'Running');
    await stage.end('r', 'cancelled');
    later(10 * MINUTE);
    await expectSettled();
    later(SECOND);
    expect(await stage.pass()).toEqual({ ...NOTHING, terminated: 1 });
    expect(stage.engine.instances.get('r')).toBe('Terminated');
    await expectSettled();
  });

  it('children of a run that goes on are no business of the janitor', async () => {
    await stage.run('r', 'running');
    await stage.child('r', 'lost');
    stage.engine.instances.set('r', 'Running');
    later(60 * MINUTE);
    await expectSettled();
    expect(await stage.services.ledger.openInstances('r', 9)).toHaveLength(1);
  });

  it('owners that are gone leave operations whose outcome is not known', async () => {
    await stage.run('r', 'running');
    await stage.services.ledger.reserve(reservation({ runId: 'r', ownerMs: 5_000, now: stage.services.clock }));
    await stage.end('r', 'failed');
    await expectSettled();
    later(6 * SECOND);
    expect(await stage.pass()).toEqual({ ...NOTHING, expired: 1 });
    expect(await stage.services.ledger.getOperation('op1')).toMatchObject({ state: 'unknown' });
    expect(await stage.audited('r')).toEqual(['operation.expired']);
    await expectSettled();
  });
});

describe('O-13 (3) an event that was lost', () => {
  const wakes = (): readonly string[] => stage.engine.calls.filter((call) => call.startsWith('wake'));
  it('is raised again for a run that shows no sign of what it was told, and its children; for no other', async () => {
    const { ledger } = stage.services;
    await stage.run('r', 'running');
    stage.engine.instances.set('r', 'Running');
    const child = await stage.child('r', 'w');
    later(MINUTE);
    await expectSettled();
    expect(wakes()).toEqual([]);

    await ledger.setControl('r', 'suspend', 'alice', stage.services.clock);
    later(MINUTE);
    await expectSettled();
    expect(wakes()).toEqual([`wake:${controlEvent('r', 1)} r`, `wake:${controlEvent('r', 1)} ${child}`]);
    await ledger.setHeld('r', true, stage.services.clock);
    later(MINUTE);
    await expectSettled();
    expect(wakes()).toHaveLength(2);

    await ledger.setControl('r', 'cancel', 'alice', stage.services.clock);
    later(MINUTE);
    await expectSettled();
    expect(wakes()).toContain(`wake:${controlEvent('r', 2)} r`);
  });
});

describe('two janitors at once', () => {
  it('start one instance, end a run once, close a child once, expire an owner once', async () => {
    await stage.run('start');
    await stage.run('end', 'running');
    await stage.run('over', 'running');
    await stage.child('over', 'kid');
    await stage.services.ledger.reserve(reservation({ runId: 'over', ownerMs: 1, now: stage.services.clock }));
    await stage.end('over', 'failed');
    later(2 * MINUTE);
    const reports = await Promise.all([stage.pass(), stage.pass(), stage.pass()]);
    const sum = (name: 'closed' | 'expired' | 'failed') => reports.reduce((total, report) => total + report[name], 0);
    expect([sum('closed'), sum('expired'), sum('failed')]).toEqual([1, 1, 0]);
    expect(stage.engine.calls.filter((call) => call.startsWith('start'))).toEqual(['start start']);
    expect(await stage.audited('end')).toEqual(['run.finished']);
    expect([...(await stage.audited('over'))].sort()).toEqual(['janitor.closed', 'operation.expired']);
    expect((await stage.services.ledger.verifyAudit()).ok).toBe(true);
    await expectSettled();
  });
});
