import { createHash } from 'node:crypto';
import type { Labels, ToolDefinition, ToolInput, ToolResult, ToolRun } from '../../src/catalog/tool.ts';

export const LABELS: Labels = { integrity: ['external'], confidentiality: 'internal', licences: ['test'] };

/** Bytes as a tool gets them. */
export function input(content: string | Uint8Array | object, name = 'file'): ToolInput {
  const bytes =
    content instanceof Uint8Array
      ? content
      : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  const mediaType = 'application/octet-stream';
  return {
    bytes,
    mediaType,
    type: { kind: 'artifact', mediaType },
    sha256: createHash('sha256').update(bytes).digest('hex'),
    labels: LABELS,
    name,
  };
}

/** The run context of a tool, with arguments parsed by its schema. */
export function runOf(
  tool: ToolDefinition,
  args: Record<string, unknown>,
  inputs: Record<string, ToolInput>,
  now = Date.parse('2026-05-10T12:00:00Z'),
): ToolRun<unknown> {
  return {
    args: tool.input.parse(args),
    inputs: new Map(Object.entries(inputs)),
    now,
    locale: 'en',
    timeZone: 'UTC',
    labels: LABELS,
  };
}

/** Runs a tool here and now. */
export async function runTool(
  tool: ToolDefinition,
  args: Record<string, unknown>,
  inputs: Record<string, ToolInput>,
  now?: number,
): Promise<ToolResult> {
  if (tool.run === undefined) throw new Error(`${tool.name} is a job`);
  return tool.run(runOf(tool, args, inputs, now));
}

/** An output as parsed JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of many shapes
export function json(result: ToolResult, output: string): any {
  return JSON.parse(new TextDecoder().decode(result.outputs.get(output)?.bytes));
}

/** An output as the input of the next tool. */
export function next(result: ToolResult, output: string): ToolInput {
  const made = result.outputs.get(output);
  if (made === undefined) throw new Error(`no output ${output}`);
  return { ...input(made.bytes, made.fileName), mediaType: made.mediaType, type: made.type };
}

/** Code of the ToolError that a promise rejects with. */
export async function rejection(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing thrown',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}
