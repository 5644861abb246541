/** Tools without meaning for tests on every host. All run in the host process and answer what their arguments say. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import type { PortType } from '../../../src/catalog/portTypes.ts';
import type { Execution, ToolBase, ToolDefinition, ToolResult } from '../../../src/catalog/tool.ts';
import { ToolError, type NodeErrorCode } from '../../../src/plan/errors.ts';
import { current, journalLines, note } from './journal.ts';

export const ANY: PortType = { kind: 'json', schema: {} };

/** One JSON output. */
export function jsonResult(name: string, value: unknown, type: PortType = ANY): ToolResult {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const output = { bytes, mediaType: 'application/json', type, fileName: `${name}.json` };
  return { outputs: new Map([[name, output]]), checks: [] };
}

const failure = z.strictObject({
  code: z.string().default('TOOL_FAILED'),
  class: z.enum(['transient', 'throttled', 'permanent', 'denied', 'unexpected', 'unknown']).default('permanent'),
  message: z.string().default('as the arguments say'),
  retryAfterMs: z.int().min(0).optional(),
});

export function fail(given: z.infer<typeof failure>): never {
  throw new ToolError(given.code as NodeErrorCode, given.message, {
    class: given.class,
    ...(given.retryAfterMs === undefined ? {} : { retryAfterMs: given.retryAfterMs }),
  });
}

type More = Partial<Omit<ToolBase<unknown>, 'name' | 'input' | 'types'>>;

/** A tool `test.<name>` with one JSON output. */
export function jsonTool<Args>(
  name: string,
  input: z.ZodType<Args>,
  execution: Execution<Args>,
  more: More & { readonly output?: string; readonly type?: PortType } = {},
): ToolDefinition {
  const { output = 'value', type = ANY, ...rest } = more;
  return defineTool<Args>({
    name: `test.${name}`,
    version: '1.0.0',
    summary: `Test tool ${name}.`,
    input,
    ports: { inputs: {}, outputs: { [output]: { type, description: 'What the arguments say.' } } },
    sources: [],
    types: () => ({ outputs: new Map([[output, type]]), problems: [] }),
    effect: 'none',
    resources: {},
    permission: `tool:test.${name}`,
    cost: { cents: 0, seconds: 1 },
    limits: { timeoutSeconds: 60, maxOutputBytes: 8 * 1024 * 1024, memoryMb: 64 },
    retry: { maxAttempts: 5 },
    reuse: 'never',
    runsIn: 'host',
    ...rest,
    ...execution,
  });
}

const plain = z.strictObject({
  /** How long it takes. */
  ms: z.int().min(0).max(60_000).default(0),
  value: z.json().default(null),
  fail: failure.optional(),
});

async function take(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0) return;
  try {
    await delay(ms, undefined, { signal });
  } catch {
    note('aborted');
    throw new ToolError('CANCELLED', 'The test tool was aborted.');
  }
}

/** Does nothing, or fails, after `ms`. */
export const noop = jsonTool('noop', plain, {
  run: async ({ args, signal }) => {
    await take(args.ms, signal);
    if (args.fail !== undefined) fail(args.fail);
    return jsonResult('value', args.value);
  },
});

/** Like `noop`, and writes one journal line per real execution when it begins: what is counted are effects. */
export const count = jsonTool('count', plain, {
  run: async ({ args, signal }) => {
    note('count', { value: args.value });
    await take(args.ms, signal);
    if (args.fail !== undefined) fail(args.fail);
    return jsonResult('value', args.value);
  },
});

/** `ms` long, heeds the signal; notes its beginning and its end. */
export const slow = jsonTool('slow', plain, {
  run: async ({ args, signal }) => {
    note('slow.begin');
    await take(args.ms, signal);
    note('slow.end');
    return jsonResult('value', args.value);
  },
});

/** Fails `times` times with the given class, then succeeds. Past failures are counted in the journal. */
export const flaky = jsonTool(
  'flaky',
  z.strictObject({
    times: z.int().min(0).max(20),
    fail: failure.prefault({ class: 'transient' }),
    value: z.json().default(null),
  }),
  {
    run: ({ args }) => {
      const key = current.getStore()?.operationKey;
      const before = journalLines().filter((line) => line.what === 'flaky' && line.operationKey === key).length;
      note('flaky', { failed: before < args.times });
      if (before < args.times) fail(args.fail);
      return Promise.resolve(jsonResult('value', args.value));
    },
  },
);

/** A list to loop over: the given one, or `count` numbers from 0. */
export const items = jsonTool(
  'items',
  z.strictObject({ items: z.array(z.json()).optional(), count: z.int().min(0).max(20_000).default(0) }),
  {
    run: ({ args }) =>
      Promise.resolve(
        jsonResult('items', args.items ?? Array.from({ length: args.count }, (_, i) => i), {
          kind: 'json',
          schema: { type: 'array', items: {} },
        }),
      ),
  },
  { output: 'items', type: { kind: 'json', schema: { type: 'array', items: {} } } },
);

/** A wait of `ms` from the time at which the node became ready. */
export const wait = jsonTool('wait', z.strictObject({ ms: z.int().min(0) }), {
  wait: (args, readyAt) => readyAt + args.ms,
  run: ({ until }) => {
    note('wait', { until });
    return Promise.resolve(jsonResult('value', { until: until ?? null }));
  },
});

export const plainTools: readonly ToolDefinition[] = [noop, count, slow, flaky, items, wait];
