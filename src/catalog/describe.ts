import { z } from 'zod';
import type { InputPort, OutputPort, ToolDefinition } from './tool.ts';

/** One tool as JSON: what `GET /tools` shows, what the planner sees, and what the catalog digest covers. */
export interface ToolDescription {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  /** JSON Schema (2020-12) of the arguments that are not ports. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Output port types by name. */
  readonly output: Readonly<Record<string, OutputPort>>;
  readonly ports: { readonly inputs: Readonly<Record<string, InputPort>> };
  readonly sources: readonly string[];
  readonly effect: string;
  readonly resources: Readonly<Record<string, number>>;
  readonly permission: string;
  readonly cost: { readonly cents: number; readonly seconds: number };
  readonly limits: ToolDefinition['limits'];
  readonly retry: ToolDefinition['retry'];
  readonly reuse: ToolDefinition['reuse'];
  readonly idempotency?: string;
  readonly compensate?: unknown;
}

/** JSON Schema of a tool's arguments as a caller writes them (before defaults). */
export function inputSchemaOf(tool: ToolDefinition): Readonly<Record<string, unknown>> {
  const schema: unknown = JSON.parse(
    JSON.stringify(
      z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any', cycles: 'ref', reused: 'inline' }),
    ),
  );
  return schema as Readonly<Record<string, unknown>>;
}

/** Describes a tool without its code. */
export function describeTool(tool: ToolDefinition): ToolDescription {
  return {
    name: tool.name,
    version: tool.version,
    summary: tool.summary,
    input: inputSchemaOf(tool),
    output: tool.ports.outputs,
    ports: { inputs: tool.ports.inputs },
    sources: tool.sources,
    effect: tool.effect,
    resources: tool.resources,
    permission: tool.permission,
    cost: tool.cost,
    limits: tool.limits,
    retry: tool.retry,
    reuse: tool.reuse,
    ...(tool.idempotency === undefined ? {} : { idempotency: tool.idempotency, compensate: tool.compensate }),
  };
}
