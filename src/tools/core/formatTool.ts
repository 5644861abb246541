import { z } from 'zod';
import { defineTool } from '../../catalog/defineTool.ts';
import type { PortType } from '../../catalog/portTypes.ts';
import type { ToolDefinition, ToolResult, ToolRun } from '../../catalog/tool.ts';
import { jsonOutput } from '../jsonOutput.ts';
import { formatTemplate, valueText } from './format.ts';

const args = z.strictObject({
  template: z
    .string()
    .min(1)
    .max(64 * 1024),
  values: z.record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
    z.union([z.string(), z.number(), z.boolean(), z.null()]),
  ),
});
type Args = z.infer<typeof args>;

const text: PortType = { kind: 'json', schema: { type: 'string' } };

function run(context: ToolRun<Args>): Promise<ToolResult> {
  const values = new Map(Object.entries(context.args.values).map(([name, value]) => [name, valueText(value)]));
  const result = formatTemplate(context.args.template, values);
  return Promise.resolve({ outputs: new Map([['text', jsonOutput(result, text, 'text.json')]]), checks: [] });
}

/** `core.format`: a text from a template and values, expanded once. */
export const formatTool: ToolDefinition = defineTool<Args>({
  name: 'core.format',
  version: '1.0.0',
  summary: 'Writes a text from a template with {name} placeholders; values are never expanded again.',
  input: args,
  ports: { inputs: {}, outputs: { text: { type: text, description: 'The text.' } } },
  sources: [],
  types: () => ({ outputs: new Map([['text', text]]), problems: [] }),
  effect: 'none',
  resources: {},
  permission: 'tool:core.format',
  cost: { cents: 0, seconds: 1 },
  limits: { timeoutSeconds: 10, maxOutputBytes: 1024 * 1024, memoryMb: 128 },
  retry: { maxAttempts: 1 },
  reuse: 'pure',
  runsIn: 'host',
  run,
});
