/**
 * What the orchestrator knows of a plan: ids, edges, costs and limits, nothing else (I2, I5, I8). Compiled by the
 * validator, stored with the warrant, at most 32 KiB of JSON.
 */
export interface ScheduleNode {
  readonly id: string;
  /** Indexes into `nodes` (a transitive reduction of all edges), ascending. */
  readonly after: readonly number[];
  /** Expected seconds: the weight on the critical path. */
  readonly seconds: number;
  /** Most attempts, ≥ 1. */
  readonly attempts: number;
}

export interface Schedule {
  readonly version: 1;
  readonly runId: string;
  readonly revision: number;
  /** Digest of the warrant: every activity gets and checks it. */
  readonly warrant: string;
  /** Absolute, ms since the epoch; at most 2 days after the start for now (I11). */
  readonly deadlineAt: number;
  /** Most nodes with an open activity at any time (I3). */
  readonly window: number;
  /** Sorted by id. */
  readonly nodes: readonly ScheduleNode[];
}

export const MAX_SCHEDULE_BYTES = 32 * 1024;
