import type { ToolDefinition } from '../../../../src/catalog/tool.ts';
import type { Ledger, NewRun } from '../../../../src/ledger/port.ts';
import { ToolError } from '../../../../src/plan/errors.ts';
import { pause } from '../../../../src/runs/owner.ts';
import { runInHost } from '../../../../src/runs/toolRunner.ts';
import { testServices, type TestServices } from '../../services/testServices.ts';
import { jsonResult, jsonTool, plainTools } from '../../testApp/tools.ts';
import { z } from 'zod';

/** Does its work at once; what it did is counted by whoever runs it. */
const work = jsonTool('work', z.strictObject({ value: z.json().default(null) }), {
  run: ({ args }) => Promise.resolve(jsonResult('value', args.value)),
});

/** Fails once, for a reason that passes. */
const stumble = jsonTool('stumble', z.strictObject({ value: z.json().default(null) }), {
  run: ({ args }) => Promise.resolve(jsonResult('value', args.value)),
});

/** Works for twelve seconds: longer than an owner lease, which has to be renewed meanwhile. */
const linger = jsonTool('linger', z.strictObject({ value: z.json().default(null) }), {
  run: async ({ args, signal }) => {
    await pause(12_000, signal);
    return jsonResult('value', args.value);
  },
});

export const walkTools: readonly ToolDefinition[] = [work, stumble, linger, ...plainTools];

export interface WalkServices extends TestServices {
  /** `what:node#item` → executions; a first attempt of `stumble` counts as `stumble!`. */
  readonly effects: Map<string, number>;
  /** Writes that the ledger accepted from somebody who was not the owner any more. */
  readonly staleWrites: string[];
  /** Calls of the ledger that have not come back yet: while there are some, it is not the walk's turn. */
  readonly underWay: { count: number };
}

const BY_TOKEN: ReadonlySet<string> = new Set(['renew', 'submitted', 'markUnknown', 'complete', 'fail']);

/** Fixes the only number in a run that nobody seeded, and watches that the newest token alone writes. */
function watched(ledger: Ledger, staleWrites: string[], underWay: { count: number }): Ledger {
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
        const runId = `20260105-100000-${runs.toString(16).padStart(8, '0')}`;
        return method({ ...run, runId, instanceId: runId });
      };
    },
  });
}

/** Real activities' services over a real SQLite ledger and a store in memory; executions are counted per operation. */
export async function walkServices(): Promise<WalkServices> {
  const base = await testServices(walkTools);
  const effects = new Map<string, number>();
  const staleWrites: string[] = [];
  const underWay = { count: 0 };
  const tools: TestServices['tools'] = {
    ...base.tools,
    run: async (name, run, options) => {
      const tool = base.catalog.get(name);
      const { operation } = options;
      if (tool === undefined || operation === undefined) throw new Error(`no operation for ${name}`);
      const place = `${operation.nodeId}#${String(operation.item)}`;
      const stumbles = name === 'test.stumble' && !effects.has(`stumble!:${place}`);
      const key = `${name.slice('test.'.length)}${stumbles ? '!' : ''}:${place}`;
      effects.set(key, (effects.get(key) ?? 0) + 1);
      if (stumbles) throw new ToolError('TOOL_FAILED', 'for a moment', { class: 'transient' });
      return runInHost(tool, run, options);
    },
  };
  return Object.assign(base, {
    effects,
    staleWrites,
    underWay,
    tools,
    ledger: watched(base.ledger, staleWrites, underWay),
  });
}
