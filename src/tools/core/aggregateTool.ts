import { z } from 'zod';
import { defineTool } from '../../catalog/defineTool.ts';
import type { PortType } from '../../catalog/portTypes.ts';
import type { CheckResult, ToolDefinition, ToolResult, ToolRun } from '../../catalog/tool.ts';
import type { JsonValue } from '../../plan/types.ts';
import { jsonOutput } from '../jsonOutput.ts';
import { aggregate, fieldPath, isField, OPS } from './aggregate.ts';

/** Two full loops and some; more is a table, not a list. */
const MAX_ITEMS = 100_000;

const args = z.strictObject({
  // Plain JSON before it comes here; `z.json()` would walk through it again.
  items: z.array(z.custom<JsonValue>((value) => value !== undefined, 'a JSON value')).max(MAX_ITEMS),
  op: z.enum(OPS),
  field: z.string().refine(isField, 'names joined by points, such as "rain.mm"').optional(),
  minCoverage: z.number().min(0).max(1).default(1),
});
type Args = z.infer<typeof args>;

/** A number, or null where too much is missing: users of it see that it may be null, and can't take it for a 0. */
const value: PortType = { kind: 'number', unit: null, nullable: true };
const coverage: PortType = { kind: 'number', unit: '1' };

function run({ args: given }: ToolRun<Args>): Promise<ToolResult> {
  const result = aggregate(given.items, given.op, fieldPath(given.field), given.minCoverage);
  const percent = `${String(result.valid)} of ${String(result.expected)} items have a value`;
  const checks: CheckResult[] = [
    {
      name: 'coverage',
      passed: result.value !== null,
      detail: result.reason === null ? percent : `no value: ${result.reason}`,
      // The node goes on, with null; the run can't end as verified.
      severity: 'report',
    },
  ];
  const outputs = new Map([
    ['value', jsonOutput(result.value, value, 'value.json')],
    ['coverage', jsonOutput(result.coverage, coverage, 'coverage.json')],
  ]);
  return Promise.resolve({ outputs, checks });
}

/** `core.aggregate`: one number from many, which is null rather than wrong when too many are missing. */
export const aggregateTool: ToolDefinition = defineTool<Args>({
  name: 'core.aggregate',
  version: '1.0.0',
  summary:
    'Sum, mean, min, max of numbers, or count of anything, over items or a field of them. Missing items count for the coverage, never as zero; below minCoverage the value is null.',
  input: args,
  ports: {
    inputs: {},
    outputs: {
      value: {
        type: value,
        description: 'The result, or null when fewer items have a value than minCoverage asks for.',
      },
      coverage: { type: coverage, description: 'Share of the items that have a value, 0 to 1.' },
    },
  },
  sources: [],
  types: () => ({
    outputs: new Map([
      ['value', value],
      ['coverage', coverage],
    ]),
    problems: [],
  }),
  effect: 'none',
  resources: {},
  permission: 'tool:core.aggregate',
  cost: { cents: 0, seconds: 1 },
  limits: { timeoutSeconds: 30, maxOutputBytes: 1024, memoryMb: 256 },
  retry: { maxAttempts: 1 },
  reuse: 'pure',
  runsIn: 'host',
  run,
});
