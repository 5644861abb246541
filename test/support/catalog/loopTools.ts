import { z } from 'zod';
import { createCatalog, type Catalog } from '../../../src/catalog/catalog.ts';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import type { PortType } from '../../../src/catalog/portTypes.ts';
import type { ToolDefinition } from '../../../src/catalog/tool.ts';
import { aggregateTool } from '../../../src/tools/core/aggregateTool.ts';
import { formatTool } from '../../../src/tools/core/formatTool.ts';
import { waitTool } from '../../../src/tools/core/waitTool.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { base, gisTools, json, output } from './gisTools.ts';

const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'a JSON value');

const listed: PortType = json({
  type: 'array',
  items: {
    type: 'object',
    properties: { id: { type: 'string' }, n: { type: 'number' }, deep: { $ref: '#/$defs/deep' } },
    additionalProperties: false,
  },
  $defs: { deep: { type: 'object', properties: { mm: { type: 'number' } }, additionalProperties: false } },
});
const number: PortType = { kind: 'number', unit: null };
const refs: PortType = json({
  type: 'object',
  properties: { inner: { $ref: '#/$defs/inner' } },
  additionalProperties: false,
  $defs: { inner: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false } },
});
const fixed = (outputs: Record<string, PortType>) => () => ({
  outputs: new Map(Object.entries(outputs)),
  problems: [],
});

/** A list of records. */
const items = defineTool({
  ...base('test.items'),
  input: z.strictObject({ count: z.number().optional(), any: anyJson.optional() }),
  ports: { inputs: {}, outputs: { items: output(listed), total: output(number), refs: output(refs) } },
  types: fixed({ items: listed, total: number, refs }),
});

/** A number from a number. */
const value = defineTool({
  ...base('test.value'),
  input: z.strictObject({ n: z.number().max(1000), label: z.string().optional(), any: anyJson.optional() }),
  ports: { inputs: {}, outputs: { value: output(number), out: output(json({})), refs: output(refs) } },
  types: fixed({ value: number, out: json({}), refs }),
});

/** Follows a remote job. */
const job = defineTool({
  name: 'test.job',
  version: '1.0.0',
  summary: 'a job',
  input: z.strictObject({ any: anyJson.optional() }),
  ports: { inputs: {}, outputs: { out: output(json({})) } },
  sources: [],
  types: fixed({ out: json({}) }),
  effect: 'none',
  resources: {},
  permission: 'tool:test.job',
  cost: { cents: 1, seconds: 60 },
  limits: { timeoutSeconds: 60, maxOutputBytes: 1000, memoryMb: 1 },
  retry: { maxAttempts: 1 },
  reuse: 'never',
  runsIn: 'host',
  job: {
    submit: () => Promise.reject(new Error('never run')),
    find: () => Promise.reject(new Error('never run')),
    poll: () => Promise.reject(new Error('never run')),
    cancel: () => Promise.reject(new Error('never run')),
  },
});

/** Tells somebody. */
const tell = defineTool({
  ...base('test.tell'),
  input: z.strictObject({ text: z.string() }),
  ports: { inputs: {}, outputs: { receipt: output(json({})) } },
  types: fixed({ receipt: json({}) }),
  effect: 'notifies',
  idempotency: 'none',
  probe: () => Promise.reject(new Error('never run')),
  compensate: { kind: 'irreversible' },
});

export const loopTools: readonly ToolDefinition[] = [
  ...gisTools.filter(({ name }) => !name.startsWith('core.')),
  aggregateTool,
  formatTool,
  waitTool,
  items,
  value,
  job,
  tell,
];
export const loopCatalog: Catalog = createCatalog(loopTools);
