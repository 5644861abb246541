import type { ToolDefinition } from '../../../../src/catalog/tool.ts';
import type { Ledger, NewRun } from '../../../../src/ledger/port.ts';
import { ToolError } from '../../../../src/plan/errors.ts';
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

export const walkTools: readonly ToolDefinition[] = [work, stumble, ...plainTools];

export interface WalkServices extends TestServices {
  /** `what:node#item` → executions; a first attempt of `stumble` counts as `stumble!`. */
  readonly effects: Map<string, number>;
}

/** The only number in a run that nobody seeded. */
function fixedRunIds(ledger: Ledger): Ledger {
  let runs = 0;
  return new Proxy(ledger, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== 'function') return own;
      if (name !== 'createRun') return (own as (...args: unknown[]) => unknown).bind(target);
      return (run: NewRun) => {
        runs += 1;
        const runId = `20260105-100000-${runs.toString(16).padStart(8, '0')}`;
        return target.createRun({ ...run, runId, instanceId: runId });
      };
    },
  });
}

/** Real activities' services over a real SQLite ledger and a store in memory; executions are counted per operation. */
export async function walkServices(): Promise<WalkServices> {
  const base = await testServices(walkTools);
  const effects = new Map<string, number>();
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
  return Object.assign(base, { effects, tools, ledger: fixedRunIds(base.ledger) });
}
