import type { Catalog } from '../catalog/catalog.ts';
import type { ToolInput, ToolResult, ToolRun } from '../catalog/tool.ts';
import type { ArtifactStore } from '../artifacts/port.ts';
import type { Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger/port.ts';
import type { Logger } from '../telemetry/log.ts';

/** Which execution a tool runs for. Tools never see it: their outputs depend on arguments and inputs alone. */
export interface RunningOperation {
  readonly runId: string;
  readonly nodeId: string;
  readonly item: number;
  readonly attempt: number;
  readonly operationKey: string;
}

export interface ToolRunOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly operation?: RunningOperation;
}

/** Runs tools: in processes that can be stopped, or here where the tool says so. */
export interface ToolRunner {
  run(tool: string, run: ToolRun<unknown>, options: ToolRunOptions): Promise<ToolResult>;
  inspect(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** Data that a plan may call `"sample"`; present in development only. */
export type SampleSource = (kind: string, now: number) => Promise<ToolInput | undefined>;

/** Everything the use cases and activities stand on, built once per process by `compose.ts`. */
export interface Services {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly store: ArtifactStore;
  readonly catalog: Catalog;
  readonly tools: ToolRunner;
  readonly sample: SampleSource | null;
  readonly log: Logger;
  /** The clock of the outside world, ms since the epoch. */
  now(): number;
}
