import { beforeEach, describe, expect, it } from 'vitest';
import { jobStep } from '../../../src/activities/jobStep.ts';
import type { ChildStepResult } from '../../../src/orchestration/messages.ts';
import { prepare, type ActivityRun } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { timesNoted } from '../../support/testApp/journal.ts';
import { followerOf, toEnd } from '../../support/services/jobRun.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const planned = (args: object): object => ({ nodes: [{ id: 'j', tool: 'test.job', args }] });

async function begun(args: object): Promise<{ run: ActivityRun; step: () => Promise<ChildStepResult> }> {
  const run = await prepare(services, planned(args));
  return { run, step: await followerOf(services, run) };
}

describe('a remote job', () => {
  it('is submitted once, polled, collected and checked, and settled in one ledger row', async () => {
    const { run, step } = await begun({ polls: 2, value: { n: 1 } });
    const end = await toEnd(services, step);
    expect(end).toMatchObject({ reason: 'settled', result: { state: 'done', nodeId: 'j', attempt: 1 } });
    expect([timesNoted('job.submit'), timesNoted('job.poll')]).toEqual([1, 3]);
    expect(await run.output('j', 'value')).toEqual({ n: 1 });
    expect((await services.ledger.project(run.runId))?.operations).toMatchObject([
      { state: 'completed', externalJobId: expect.stringMatching(/^job-/) },
    ]);
    expect(await step()).toEqual(end);
    expect(await run.node('j')).toMatchObject({ state: 'done' });
    expect(timesNoted('job.submit')).toBe(1);
  });

  it('O-09 two rounds at once, and a round after a crash between acceptance and record: one job', async () => {
    const { step } = await begun({ polls: 0 });
    const [one, two] = await Promise.all([step(), step()]);
    expect([one.state, two.state]).toEqual(['wait', 'wait']);
    expect(timesNoted('job.submit')).toBe(1);

    const second = await begun({ submit: 'lost', polls: 0 });
    const first = await second.step();
    expect(first.state).toBe('wait');
    const end = await toEnd(services, second.step);
    expect(end.result?.state).toBe('done');
    expect(timesNoted('job.submit')).toBe(2);
    expect(timesNoted('job.find')).toBe(1);
  });

  it('a submission whose fate the service can’t tell is unknown, and never repeated', async () => {
    const { run, step } = await begun({ submit: 'lost', find: 'unknown' });
    const end = await toEnd(services, step);
    expect(end.result).toMatchObject({ state: 'failed', error: { code: 'SUBMIT_UNKNOWN', class: 'unknown' } });
    expect(timesNoted('job.submit')).toBe(1);
    expect((await services.ledger.project(run.runId))?.operations).toMatchObject([{ state: 'unknown' }]);
    expect(await run.node('j')).toMatchObject({ state: 'failed', error: { code: 'SUBMIT_UNKNOWN' } });
  });

  it('a refused submission fails; one refused for now is tried again under another key', async () => {
    const { step } = await begun({ submit: 'refused' });
    expect((await toEnd(services, step)).result).toMatchObject({
      state: 'failed',
      error: { code: 'JOB_FAILED', class: 'permanent' },
    });
    expect(timesNoted('job.submit')).toBe(0);

    const busy = await begun({ submit: 'busy', polls: 0 });
    expect((await toEnd(services, busy.step)).result).toMatchObject({ state: 'failed', error: { class: 'transient' } });
    expect((await toEnd(services, await followerOf(services, busy.run, 2))).result).toMatchObject({
      state: 'done',
      attempt: 2,
    });
    expect(timesNoted('job.submit')).toBe(1);
  });

  it('a failed job fails the node with the service’s words', async () => {
    const { step } = await begun({ end: 'fail', polls: 0 });
    expect((await toEnd(services, step)).result).toMatchObject({
      error: { code: 'JOB_FAILED', message: expect.stringContaining('scripted') },
    });
  });

  it('O-14 (3) a stopped run asks the job to stop and follows it: cancelled, or unknown after a bounded time', async () => {
    const stopped = await begun({ end: 'never' });
    await stopped.step();
    await services.ledger.setControl(stopped.run.runId, 'cancel', 'alice', services.clock);
    services.clock += 10_000;
    expect((await toEnd(services, stopped.step)).result).toMatchObject({
      error: { code: 'CANCELLED', class: 'permanent' },
    });
    expect(timesNoted('job.cancel')).toBe(1);

    const deaf = await begun({ end: 'never', cancel: 'ignored', afterMs: 0 });
    await deaf.step();
    await services.ledger.setControl(deaf.run.runId, 'cancel', 'alice', services.clock);
    services.clock += 10_000;
    expect((await toEnd(services, deaf.step)).result).toMatchObject({ error: { code: 'CANCELLED', class: 'unknown' } });
    expect((await services.ledger.project(deaf.run.runId))?.operations).toMatchObject([{ state: 'unknown' }]);
  });

  it('a stop before the submission submits nothing', async () => {
    const { run, step } = await begun({});
    await services.ledger.setControl(run.runId, 'cancel', 'alice', services.clock);
    expect((await toEnd(services, step)).result).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(timesNoted('job.submit')).toBe(0);
  });

  it('the deadline of the run ends it: JOB_TIMED_OUT', async () => {
    const { run, step } = await begun({ end: 'never', cancel: 'ignored', afterMs: 0 });
    await step();
    services.clock = run.schedule.deadlineAt;
    expect((await toEnd(services, step)).result).toMatchObject({ error: { code: 'JOB_TIMED_OUT', class: 'unknown' } });
  });

  it('a child that the ledger does not expect ends at once', async () => {
    const { run } = await begun({});
    const forged = { version: 1, runId: run.runId, instanceId: `${run.runId}-0123456789ab` };
    expect(await jobStep(services, forged)).toEqual({ version: 1, state: 'end', reason: 'unexpected' });
    expect(timesNoted('job.submit')).toBe(0);
  });
});
