/** The tools of the shared plans for one walk: what they do is counted in memory, and the remote service lives there too. */
import { z } from 'zod';
import type { ToolDefinition } from '../../../../src/catalog/tool.ts';
import { ToolError } from '../../../../src/plan/errors.ts';
import { pause } from '../../../../src/runs/owner.ts';
import { jsonResult, jsonTool, plainTools } from '../../testApp/tools.ts';

export type Count = (what: string) => number;

const value = { value: z.json().default(null) };

/** Works for twelve seconds: longer than an owner lease, which has to be renewed meanwhile. */
const linger = jsonTool('linger', z.strictObject(value), {
  run: async ({ args, signal }) => {
    await pause(12_000, signal);
    return jsonResult('value', args.value);
  },
});

const count = jsonTool('count', z.strictObject(value), {
  run: ({ args }) => Promise.resolve(jsonResult('value', args.value)),
});

const flaky = jsonTool('flaky', z.strictObject({ times: z.int(), ...value }), {
  run: ({ args }) => Promise.resolve(jsonResult('value', args.value)),
});

/** A service that honours no key: every submission is a job of its own, and is counted under the key it came with. */
function remoteJob(counted: (what: string) => number): ToolDefinition {
  const jobs = new Map<string, { readonly key: string; polls: number; cancelled: boolean }>();
  const job = (id: string): { polls: number; cancelled: boolean } => {
    const found = jobs.get(id);
    if (found === undefined) throw new ToolError('JOB_FAILED', `There is no job ${id}.`);
    return found;
  };
  return jsonTool('job', z.strictObject({ polls: z.int(), afterMs: z.int(), ...value }), {
    job: {
      submit: (_run, key) => {
        const id = `job-${String(jobs.size + 1)}`;
        jobs.set(id, { key, polls: 0, cancelled: false });
        counted(`job.submit:${key}`);
        return Promise.resolve({ externalJobId: id });
      },
      find: (_run, key) => {
        const found = [...jobs].find(([, one]) => one.key === key);
        return Promise.resolve(found === undefined ? { state: 'absent' } : { state: 'found', externalJobId: found[0] });
      },
      poll: ({ args }, id) => {
        const one = job(id);
        one.polls += 1;
        if (one.cancelled) return Promise.resolve({ state: 'cancelled' });
        if (one.polls <= args.polls) return Promise.resolve({ state: 'running', afterMs: args.afterMs });
        return Promise.resolve({ state: 'succeeded', result: jsonResult('value', args.value) });
      },
      cancel: (_run, id) => {
        job(id).cancelled = true;
        return Promise.resolve();
      },
    },
  });
}

export function walkTools(counted: Count): ToolDefinition[] {
  const own = [count, flaky, linger, remoteJob(counted)];
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...plainTools.filter(({ name }) => !names.has(name))];
}
