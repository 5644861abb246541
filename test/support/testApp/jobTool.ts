/**
 * A remote job service played by the journal: what was submitted, polled and cancelled is appended and read back, so that
 * it outlives a kill -9 of the host. It honours no key: two submissions are two jobs, and a test can count them.
 */
import { z } from 'zod';
import { ToolError } from '../../../src/plan/errors.ts';
import { journalLines, note } from './journal.ts';
import { jsonResult, jsonTool } from './tools.ts';

const script = z.strictObject({
  /** Polls that answer `running` before the end. */
  polls: z.int().min(0).max(1000).default(1),
  afterMs: z.int().min(0).max(60_000).default(250),
  end: z.enum(['done', 'fail', 'never']).default('done'),
  /** `lost`: accepted, but the answer never comes. `refused`: not accepted, for good; `busy`: for now, `times` times. */
  submit: z.enum(['ok', 'lost', 'refused', 'busy']).default('ok'),
  times: z.int().min(1).max(10).default(1),
  /** `unknown`: the service can't say whether it has a job under a key. */
  find: z.enum(['honest', 'unknown']).default('honest'),
  /** Whether a cancelled job ends. */
  cancel: z.enum(['stops', 'ignored', 'fails']).default('stops'),
  value: z.json().default(null),
});

const submissions = (key: string): readonly string[] =>
  journalLines().flatMap((line) => (line.what === 'job.submit' && line['key'] === key ? [String(line['jobId'])] : []));
const count = (what: string, jobId: string): number =>
  journalLines().filter((line) => line.what === what && line['jobId'] === jobId).length;

export const job = jsonTool('job', script, {
  job: {
    submit: ({ args }, key) => {
      if (args.submit === 'refused') throw new ToolError('JOB_FAILED', 'The service refuses this job.');
      const busy = journalLines().filter((line) => line.what === 'job.busy').length;
      if (args.submit === 'busy' && busy < args.times) {
        note('job.busy', { key });
        throw new ToolError('JOB_FAILED', 'The service is busy.', { class: 'transient' });
      }
      const jobId = `job-${key.slice(0, 12)}-${String(submissions(key).length + 1)}`;
      note('job.submit', { key, jobId });
      if (args.submit === 'lost') throw new Error('socket hang up');
      return Promise.resolve({ externalJobId: jobId });
    },
    find: ({ args }, key) => {
      note('job.find', { key });
      if (args.find === 'unknown') return Promise.resolve({ state: 'unknown', detail: 'the service keeps no keys' });
      const [externalJobId] = submissions(key);
      return Promise.resolve(externalJobId === undefined ? { state: 'absent' } : { state: 'found', externalJobId });
    },
    poll: ({ args }, jobId) => {
      note('job.poll', { jobId });
      if (args.cancel === 'stops' && count('job.cancel', jobId) > 0) return Promise.resolve({ state: 'cancelled' });
      if (args.end === 'never' || count('job.poll', jobId) <= args.polls)
        return Promise.resolve({ state: 'running', afterMs: args.afterMs });
      if (args.end === 'done') return Promise.resolve({ state: 'succeeded', result: jsonResult('value', args.value) });
      return Promise.resolve({
        state: 'failed',
        error: { code: 'JOB_FAILED', class: 'permanent', message: 'The job failed as scripted.' },
      });
    },
    cancel: ({ args }, jobId) => {
      note('job.cancel', { jobId });
      if (args.cancel === 'fails') throw new ToolError('TOOL_FAILED', 'The service can stop no jobs.');
      return Promise.resolve();
    },
  },
});
