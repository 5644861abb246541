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
  /** What its tool is, where it is no plain activity: a wait or a remote job holds no slot of the window (I3). */
  readonly kind?: 'wait' | 'job' | undefined;
  /**
   * Indexes of nodes that may end without outputs (`when`, `onFailure: continue`, or a need of such a node) and whose
   * outputs this node uses without a default: when one of them has none, this node is skipped too. Ascending.
   */
  readonly needs?: readonly number[] | undefined;
  /** `onFailure: continue`: its failure does not stop the run. */
  readonly soft?: true | undefined;
  /** Index into `groups`: a `forEach` node. */
  readonly group?: number | undefined;
}

/**
 * `forEach` nodes over the same items that run item by item: one expansion, and an edge inside the group joins equal
 * items. `members` is in topological order; the first is the head, the only one with edges from outside the group.
 */
export interface ScheduleGroup {
  readonly members: readonly number[];
  readonly maxItems: number;
}

export interface Schedule {
  readonly version: 1;
  readonly runId: string;
  readonly revision: number;
  /** Digest of the warrant: every activity gets and checks it. */
  readonly warrant: string;
  /** Absolute, ms since the epoch. */
  readonly deadlineAt: number;
  /** Most nodes with an open activity at any time (I3). */
  readonly window: number;
  /** Sorted by id. */
  readonly nodes: readonly ScheduleNode[];
  readonly groups?: readonly ScheduleGroup[] | undefined;
}

export const MAX_SCHEDULE_BYTES = 32 * 1024;
