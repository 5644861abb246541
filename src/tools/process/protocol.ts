import type { ToolOutput, ToolResult, ToolRun } from '../../catalog/tool.ts';
import type { NodeError } from '../../plan/errors.ts';

/** Bytes on their way between processes: small ones ride in the message, large ones in a file of the job's folder. */
export type Payload = { readonly inline: Uint8Array } | { readonly path: string };

/** A tool's input, output and run with `bytes` as payloads; everything else is plain data. */
export type WireInput = Omit<ToolRun<unknown>['inputs'] extends ReadonlyMap<string, infer I> ? I : never, 'bytes'> & {
  readonly bytes: Payload;
};
export type WireOutput = Omit<ToolOutput, 'bytes'> & { readonly bytes: Payload };

export interface WireRun extends Omit<ToolRun<unknown>, 'inputs'> {
  readonly inputs: readonly (readonly [string, WireInput])[];
}

export interface WireResult {
  readonly outputs: readonly (readonly [string, WireOutput])[];
  readonly checks: ToolResult['checks'];
}

interface JobBase {
  readonly id: number;
  /** Folder of this job, for payload files; the child may write nowhere else. */
  readonly directory: string;
  /** What the job may use beyond what the idle process holds. */
  readonly memoryMb: number;
}

export type Job =
  | (JobBase & { readonly kind: 'run'; readonly tool: string; readonly run: WireRun })
  | (JobBase & { readonly kind: 'inspect'; readonly name: string; readonly bytes: Payload });

export type ToParent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown; readonly rssMb: number }
  /** `detail` is for the log of the host; only `error` reaches people. */
  | { readonly kind: 'failed'; readonly id: number; readonly error: NodeError; readonly detail?: string };
