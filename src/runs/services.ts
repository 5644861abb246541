import type { Catalog } from '../catalog/catalog.ts';
import type { ToolInput, ToolResult, ToolRun } from '../catalog/tool.ts';
import type { ArtifactStore } from '../artifacts/port.ts';
import type { Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger/port.ts';
import type { Logger } from '../telemetry/log.ts';

/** Runs tools in processes that can be stopped. */
export interface ToolRunner {
  run(
    tool: string,
    run: ToolRun<unknown>,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly memoryMb: number },
  ): Promise<ToolResult>;
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
