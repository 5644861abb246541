import { z } from 'zod';
import type { Loose } from '../system/api.ts';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import type { PortType } from '../../../src/catalog/portTypes.ts';
import type { ToolDefinition, ToolResult, ToolRun } from '../../../src/catalog/tool.ts';

const JSON_TYPE: PortType = { kind: 'json', schema: { type: 'object', additionalProperties: true } };
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** What a test tool does, by name; a test replaces entries. Counts calls: effects come from counting, not from belief. */
export type Behaviour = (run: ToolRun<Loose>) => Promise<unknown>;

/** A tool `test.<name>` with one optional JSON port and one JSON output; runs whatever `behave` says. */
export function testTool(name: string, behave: Behaviour, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return defineTool<Record<string, unknown>>({
    name: `test.${name}`,
    version: '1.0.0',
    summary: `test tool ${name}`,
    input: z.strictObject({ value: z.json().optional() }) as unknown as z.ZodType<Record<string, unknown>>,
    ports: {
      inputs: { from: { accepts: [{ kind: 'json' }], required: false, description: 'anything' } },
      outputs: { out: { type: JSON_TYPE, description: 'what it made' } },
    },
    sources: [],
    types: () => ({ outputs: new Map([['out', JSON_TYPE]]), problems: [] }),
    effect: 'none',
    resources: {},
    permission: `tool:test.${name}`,
    cost: { cents: 0, seconds: 1 },
    limits: { timeoutSeconds: 30, maxOutputBytes: 1_000_000, memoryMb: 64 },
    retry: { maxAttempts: 3 },
    reuse: 'never',
    runsIn: 'host',
    run: async (run): Promise<ToolResult> => {
      const value = await behave(run as ToolRun<Loose>);
      return {
        outputs: new Map([
          ['out', { bytes: encode(value), mediaType: 'application/json', type: JSON_TYPE, fileName: 'out.json' }],
        ]),
        checks: [],
      };
    },
    ...(more as object),
  });
}
