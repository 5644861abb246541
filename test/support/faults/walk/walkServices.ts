import type { Ledger, NewRun } from '../../../../src/ledger/port.ts';
import { ToolError } from '../../../../src/plan/errors.ts';
import { runInHost } from '../../../../src/runs/toolRunner.ts';
import { testServices, type TestServices } from '../../services/testServices.ts';
import { walkTools } from './walkTools.ts';

export interface WalkServices extends TestServices {
  /** `what:node#item` → executions; a first attempt of `test.flaky` counts as `flaky!`; `job.submit:<key>` → submissions. */
  readonly effects: Map<string, number>;
  /** Writes that the ledger accepted from somebody who was not the owner any more. */
  readonly staleWrites: string[];
  /** Calls of the ledger that have not come back yet: while there are some, it is not the walk's turn. */
  readonly underWay: { count: number };
}

const BY_TOKEN: ReadonlySet<string> = new Set(['renew', 'submitted', 'release', 'complete', 'fail']);

/** Fixes the only number in a run that nobody seeded, and watches that the newest token alone writes. */
function watched(ledger: Ledger, seed: number, staleWrites: string[], underWay: { count: number }): Ledger {
  let runs = 0;
  return new Proxy(ledger, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== 'function') return own;
      const method = async (...args: unknown[]): Promise<unknown> => {
        underWay.count += 1;
        try {
          return await (own as (...args: unknown[]) => Promise<unknown>).apply(target, args);
        } finally {
          underWay.count -= 1;
        }
      };
      if (BY_TOKEN.has(String(name))) {
        return async (...args: unknown[]) => {
          underWay.count += 1;
          const row = await target.getOperation(String(args[0]));
          const accepted = await method(...args);
          underWay.count -= 1;
          if (accepted === true && row?.fencingToken !== args[1])
            staleWrites.push(`${String(name)} of ${String(row?.nodeId)}`);
          return accepted;
        };
      }
      if (name !== 'createRun') return method;
      return (run: NewRun) => {
        runs += 1;
        // Other walks of this process have other ids: what is kept by id is kept for ever.
        const runId = `20260105-10000${String(runs)}-${seed.toString(16).padStart(8, '0')}`;
        return method({ ...run, runId, instanceId: runId });
      };
    },
  });
}

/** Real activities' services over a real SQLite ledger and a store in memory; executions are counted per operation. */
export async function walkServices(seed: number): Promise<WalkServices> {
  const effects = new Map<string, number>();
  const count = (what: string): number => {
    const times = (effects.get(what) ?? 0) + 1;
    effects.set(what, times);
    return times;
  };
  const base = await testServices(walkTools(count));
  const staleWrites: string[] = [];
  const underWay = { count: 0 };
  const tools: TestServices['tools'] = {
    ...base.tools,
    run: async (name, run, options) => {
      const tool = base.catalog.get(name);
      const { operation } = options;
      if (tool === undefined || operation === undefined) throw new Error(`no operation for ${name}`);
      const place = `${operation.nodeId}#${String(operation.item)}`;
      const short = name.slice(name.indexOf('.') + 1);
      if (name === 'test.flaky' && !effects.has(`flaky!:${place}`)) {
        count(`flaky!:${place}`);
        throw new ToolError('TOOL_FAILED', 'for a moment', { class: 'transient' });
      }
      count(`${short}:${place}`);
      return runInHost(tool, run, options);
    },
  };
  const ledger = watched(base.ledger, seed, staleWrites, underWay);
  return Object.assign(base, { effects, staleWrites, underWay, tools, ledger });
}
