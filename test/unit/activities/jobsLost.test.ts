import { beforeEach, describe, expect, it } from 'vitest';
import { finish } from '../../../src/activities/finish.ts';
import { prepare } from '../../support/services/activityRun.ts';
import { accept, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines, note, timesNoted } from '../../support/testApp/journal.ts';
import { followerOf, toEnd } from '../../support/services/jobRun.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const DAY = 86_400_000;
const planned = (args: object): object => ({ nodes: [{ id: 'j', tool: 'test.job', args }] });
const read = (runId: string): Promise<Loose> => view(services, runId);
const rowOf = async (runId: string): Promise<Loose> => (await services.ledger.project(runId))?.operations[0];

describe('a remote job whose follower was lost', () => {
  it('is followed on by the child of the next attempt, and submitted once', async () => {
    const run = await prepare(services, planned({ polls: 3, value: 5 }));
    const lost = await followerOf(services, run);
    await lost();
    services.clock += 60_000;
    const next = await followerOf(services, run, 2);
    expect((await toEnd(services, next)).result).toMatchObject({ state: 'done', attempt: 2 });
    expect(timesNoted('job.submit')).toBe(1);
    expect(await lost()).toMatchObject({ state: 'end' });
    expect(await run.output('j', 'value')).toBe(5);
  });

  it('is looked for under the key it may have been submitted with, when the answer was lost too', async () => {
    const run = await prepare(services, planned({ submit: 'lost', polls: 0 }));
    await (
      await followerOf(services, run)
    )();
    services.clock += 60_000;
    expect((await toEnd(services, await followerOf(services, run, 2))).result).toMatchObject({
      state: 'done',
      attempt: 2,
    });
    expect(timesNoted('job.submit')).toBe(1);
  });
});

describe('a remote job that the service itself has cancelled', () => {
  it('is a failure of the node, which the plan may tolerate', async () => {
    const plan = {
      nodes: [
        { id: 'j', tool: 'test.job', args: { end: 'never' }, onFailure: 'continue' },
        { id: 'k', tool: 'test.count', dependsOn: ['j'] },
      ],
    };
    const runId = await accept(services, plan);
    const { end } = await drive(services, runId, (name) => {
      const jobId = journalLines().find((line) => line.what === 'job.submit')?.['jobId'];
      if (name === 'jobStep1' && jobId !== undefined && timesNoted('job.cancel') === 0) note('job.cancel', { jobId });
    });
    expect(end.status).toBe('succeeded');
    expect((await read(runId)).nodes[0]).toMatchObject({ state: 'failed', error: { code: 'JOB_FAILED' } });
    expect(timesNoted('count')).toBe(1);
  });

  it('or else stops the run: what waits ends at once', async () => {
    const plan = {
      nodes: [
        { id: 'j', tool: 'test.job', args: { end: 'never' } },
        { id: 'w', tool: 'test.wait', args: { ms: 30 * DAY } },
      ],
      limits: { deadlineSeconds: 40 * 86_400 },
    };
    const runId = await accept(services, plan);
    const began = services.clock;
    const { end } = await drive(services, runId, (name) => {
      const jobId = journalLines().find((line) => line.what === 'job.submit')?.['jobId'];
      if (name === 'jobStep1' && jobId !== undefined && timesNoted('job.cancel') === 0) note('job.cancel', { jobId });
    });
    expect(end.status).toBe('failed');
    expect(services.clock - began).toBeLessThan(DAY);
    expect((await read(runId)).error).toMatchObject({ code: 'JOB_FAILED' });
  });
});

describe('a remote job that may not be followed any more', () => {
  it('whose requester has lost the right is asked to stop', async () => {
    const run = await prepare(services, planned({ end: 'never' }));
    const step = await followerOf(services, run);
    await step();
    await services.ledger.setGrants('local', 'alice', [], 'admin', services.clock);
    services.clock += 10_000;
    expect((await toEnd(services, step)).result).toMatchObject({ state: 'failed', error: { code: 'NOT_AUTHORIZED' } });
    expect(timesNoted('job.cancel')).toBe(1);
    expect(await rowOf(run.runId)).toMatchObject({ state: 'failed', errorCode: 'NOT_AUTHORIZED' });
  });

  it('nor submitted', async () => {
    const run = await prepare(services, planned({ end: 'never' }));
    const step = await followerOf(services, run);
    await services.ledger.setGrants('local', 'alice', [], 'admin', services.clock);
    expect((await toEnd(services, step)).result).toMatchObject({ state: 'failed', error: { code: 'NOT_AUTHORIZED' } });
    expect(timesNoted('job.submit')).toBe(0);
    expect(await rowOf(run.runId)).toMatchObject({ state: 'failed', errorCode: 'NOT_AUTHORIZED' });
  });

  it('is asked to stop also long after the deadline, when the warrant has expired', async () => {
    const run = await prepare(services, planned({ end: 'never' }));
    const step = await followerOf(services, run);
    await step();
    services.clock = run.schedule.deadlineAt + 2 * DAY;
    expect((await toEnd(services, step)).result).toMatchObject({ error: { code: 'JOB_TIMED_OUT' } });
    expect(timesNoted('job.cancel')).toBe(1);
  });

  it('whose tool is gone is unknown in the ledger, not open for ever', async () => {
    const run = await prepare(services, planned({ end: 'never' }));
    const step = await followerOf(services, run);
    await step();
    services.clock += 10_000;
    const without = await testServices(testAppTools.filter(({ name }) => name !== 'test.job'));
    Object.assign(services, { catalog: without.catalog });
    expect((await toEnd(services, step)).result).toMatchObject({ error: { code: 'TOOL_REMOVED', class: 'unknown' } });
    expect(await rowOf(run.runId)).toMatchObject({ state: 'unknown', errorCode: 'TOOL_REMOVED' });
  });

  it('is cancelled by its own child after the janitor has ended the run, before the ledger gives it up', async () => {
    const run = await prepare(services, planned({ end: 'never' }));
    const step = await followerOf(services, run);
    await step();
    const error = { code: 'STATE_INVALID', class: 'unexpected', message: 'gone' } as const;
    await finish(services, { version: 1, runId: run.runId, by: 'janitor', decisions: [], error });
    services.clock += 60_000;
    await services.ledger.expireOwners(services.clock, 100);
    await toEnd(services, step);
    expect(timesNoted('job.cancel')).toBe(1);
  });
});
