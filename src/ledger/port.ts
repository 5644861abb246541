/**
 * The ledger: what the system has decided, intended and done (design §6). One port, several stores, one contract suite
 * (`test/contract/ledger/`). Every method is one transaction; every state change is a conditional update that checks the
 * affected rows; audit events are appended inside the same transaction. Times are milliseconds since the epoch, UTC,
 * and come from the caller (`now`), so that tests and replays control them.
 */
import type { CheckResult, Effect } from '../catalog/tool.ts';
import type { NodeError } from '../plan/errors.ts';
import type {
  RunStatus,
  RunControl,
  RunRow,
  NewRun,
  InstanceRow,
  NewInstance,
  ExpansionRow,
  ItemCounts,
  PlanRow,
  OperationState,
  OperationRow,
  DecisionRow,
  ArtifactRow,
  UploadRow,
  AuditEvent,
} from './rows.ts';

export * from './rows.ts';

export interface ReserveRequest {
  readonly operationKey: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly item: number;
  readonly planDigest: string;
  readonly argsDigest: string;
  readonly tool: string;
  readonly effect: Effect;
  /** From 1. A higher attempt than the row's reopens a `failed` row whose class allowed a retry. */
  readonly attempt: number;
  readonly now: number;
  /** How long the owner lease lasts, ms; renewed by `renew`. 0: an intent that a wait or a child settles later. */
  readonly ownerMs: number;
  readonly by: string;
  readonly decisions: readonly DecisionRow[];
  /** The child that will settle it, recorded in the same transaction; an existing row stands. */
  readonly child?: NewInstance;
  /** A step of the run itself (proposal, report): a suspended run does not hold it. */
  readonly system?: true;
}

export type ReserveOutcome =
  /** Ours: run the tool, then complete or fail with this token. */
  | {
      readonly outcome: 'reserved';
      readonly fencingToken: number;
      /** True when this attempt was reserved before (crash, redelivery): what it did outside must be looked for. */
      readonly again: boolean;
      readonly child: InstanceRow | null;
    }
  /** Done before (redelivery, crash): the stored result stands. */
  | { readonly outcome: 'completed'; readonly row: OperationRow; readonly artifacts: readonly ArtifactRow[] }
  /** This attempt failed before: the stored failure stands. */
  | { readonly outcome: 'failed'; readonly row: OperationRow }
  /** A live owner works on it until `ownerUntil`: wait, then ask again. */
  | { readonly outcome: 'busy'; readonly ownerUntil: number }
  /** Same key, other arguments (OPERATION_CONFLICT). */
  | { readonly outcome: 'conflict'; readonly row: OperationRow }
  /** The run is suspended: nothing may start until it is resumed. */
  | { readonly outcome: 'held' }
  /** Run cancelled, stopping or terminal: nothing may start (O-14). */
  | { readonly outcome: 'stopped'; readonly control: RunControl; readonly status: RunStatus };

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Rows of whole nodes (item -1) only; single items of `forEach` nodes are counted. */
export interface RunProjection {
  readonly run: RunRow;
  readonly plan: PlanRow | null;
  readonly operations: readonly OperationRow[];
  readonly decisions: readonly DecisionRow[];
  readonly artifacts: readonly ArtifactRow[];
  readonly expansions: readonly ExpansionRow[];
  readonly items: readonly ItemCounts[];
}

/** What the follower of a remote job meets. */
export type FollowOutcome =
  | { readonly outcome: 'owned'; readonly fencingToken: number; readonly row: OperationRow }
  | { readonly outcome: 'busy'; readonly ownerUntil: number }
  | { readonly outcome: 'settled'; readonly row: OperationRow; readonly artifacts: readonly ArtifactRow[] };

/** A run whose row and instance may disagree, for the janitor. */
export interface StaleRun {
  readonly runId: string;
  readonly instanceId: string;
  readonly status: RunStatus;
  readonly updatedAt: number;
}

/** A run that has ended, whose instances may not have. */
export interface EndedRun {
  readonly runId: string;
  readonly instanceId: string;
  readonly endedAt: number;
}

export interface Ledger {
  /** Creates or upgrades the schema; refuses a changed migration file. */
  migrate(): Promise<void>;
  /** Throws `StoreUnavailable` when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;

  /**
   * Accepts a run. With an idempotency key (scoped to tenant + requester): the first wins; equal digest → `exists` with
   * the first row; other digest → `conflict`. Records event `run.accepted`; keeps `goal` text erasable (Texts).
   */
  createRun(run: NewRun): Promise<{ readonly outcome: 'created' | 'exists' | 'conflict'; readonly run: RunRow }>;
  getRun(runId: string): Promise<RunRow | undefined>;
  /** Newest first. */
  listRuns(tenant: string, page: { readonly limit: number; readonly cursor: string | null }): Promise<Page<RunRow>>;
  /** Conditional move between non-terminal statuses; appends event `run.status`. False when the row is not in `from`. */
  moveRun(
    runId: string,
    from: readonly RunStatus[],
    to: RunStatus,
    patch: {
      readonly now: number;
      readonly startedAt?: number;
      readonly deadlineAt?: number;
      readonly planDigest?: string;
      readonly warrantDigest?: string;
      readonly policyVersion?: string;
    },
  ): Promise<boolean>;
  /**
   * Sets the control flag unless the run is terminal; a change counts `controlSeq` up and appends `run.control`. Setting
   * what is set already changes nothing. `cancel` is final: `accepted` is false for another flag after it.
   */
  setControl(
    runId: string,
    control: RunControl,
    actor: string,
    now: number,
  ): Promise<{ readonly accepted: boolean; readonly run: RunRow }>;
  /** Marks whether the scheduler stands still (`held`); appends `run.held` | `run.goesOn` on a change. */
  setHeld(runId: string, held: boolean, now: number): Promise<void>;
  /** First terminal failure (I7): records `stopping`, counts `controlSeq` up once, writes the decisions. Idempotent. */
  stopRun(
    runId: string,
    stop: {
      readonly code: string;
      readonly by: string;
      readonly decisions: readonly DecisionRow[];
      readonly now: number;
    },
  ): Promise<RunRow>;
  /** Ends a run once. A second call, or one on a terminal row, changes nothing and answers the row as it is (I10). */
  finishRun(
    runId: string,
    end: {
      readonly status: RunStatus;
      readonly headline: string | null;
      readonly error: NodeError | null;
      readonly now: number;
      readonly by: string;
      readonly decisions: readonly DecisionRow[];
    },
  ): Promise<RunRow>;

  /** Idempotent by (runId, revision); another digest under it, or a run that has ended, throws `STATE_INVALID`. */
  savePlan(row: PlanRow): Promise<void>;
  getPlan(runId: string, revision: number): Promise<PlanRow | undefined>;
  /** Newest revision. */
  latestPlan(runId: string): Promise<PlanRow | undefined>;

  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  /** Extends the owner lease; false when the token is no longer the newest (someone took over). */
  renew(operationKey: string, fencingToken: number, ownerUntil: number): Promise<boolean>;
  /** `reserved` → `submitted` with the remote job's id; false when the token is stale. */
  submitted(operationKey: string, fencingToken: number, externalJobId: string, now: number): Promise<boolean>;
  /** Becomes the owner of a row in `reserved`, `submitted`, `adopted` or `resubmitted` whose owner is gone. */
  follow(operationKey: string, now: number, ownerMs: number): Promise<FollowOutcome>;
  /** Gives a followed row back at once, so that the next round need not wait for the lease; false when stale. */
  release(operationKey: string, fencingToken: number, now: number): Promise<boolean>;
  /**
   * Writes artifact rows and `completed` in one transaction, from `reserved`, `submitted`, `adopted` or `resubmitted`;
   * false when the token is stale (a late write is refused).
   */
  complete(
    operationKey: string,
    fencingToken: number,
    result: {
      readonly artifacts: readonly ArtifactRow[];
      readonly resultDigest: string;
      readonly checks: readonly CheckResult[];
      readonly now: number;
    },
  ): Promise<boolean>;
  /**
   * → `failed`, or `unknown` for an error of that class: the effect may have happened, and it is never retried by itself.
   */
  fail(
    operationKey: string,
    fencingToken: number,
    failure: { readonly error: NodeError; readonly checks: readonly CheckResult[]; readonly now: number },
  ): Promise<boolean>;
  /** Decisions that no reservation carried. */
  recordDecisions(runId: string, by: string, decisions: readonly DecisionRow[], now: number): Promise<void>;

  /**
   * Writes the expansion and its lanes in one transaction, with the decisions; the first written stands and is answered,
   * with another digest, or in a run that has ended, it throws `StateInvalid`. Appends `node.expanded`.
   */
  saveExpansion(
    row: ExpansionRow,
    lanes: readonly NewInstance[],
    by: string,
    decisions: readonly DecisionRow[],
  ): Promise<ExpansionRow>;
  getExpansion(runId: string, revision: number, nodeId: string): Promise<ExpansionRow | undefined>;

  /**
   * Records a child before it is called; an existing row stands and is answered. In a run that has ended nothing is
   * recorded (O-14): the answer says `ended`.
   */
  planInstance(instance: NewInstance, now: number): Promise<InstanceRow>;
  getInstance(instanceId: string): Promise<InstanceRow | undefined>;
  /** planned → live → ended; false when there is nothing to move. */
  moveInstance(instanceId: string, to: 'live' | 'ended', now: number): Promise<boolean>;
  /** Those not ended, oldest first. */
  openInstances(runId: string, limit: number): Promise<readonly InstanceRow[]>;

  /** Settled items of one `forEach` node in order of item: what `gather` reads. Skipped and failed ones have no row. */
  itemArtifacts(runId: string, nodeId: string): Promise<readonly ArtifactRow[]>;
  /** Items of one node in one of these states, ascending, for people and reports. */
  itemOperations(
    runId: string,
    nodeId: string,
    page: { readonly states: readonly OperationState[]; readonly afterItem: number; readonly limit: number },
  ): Promise<readonly OperationRow[]>;

  getOperation(operationKey: string): Promise<OperationRow | undefined>;
  /** Everything about one run, read in one transaction. */
  project(runId: string): Promise<RunProjection | undefined>;
  artifactsOf(runId: string, nodeId: string, item: number): Promise<readonly ArtifactRow[]>;
  getArtifact(runId: string, artifactId: string): Promise<ArtifactRow | undefined>;

  saveUpload(row: UploadRow): Promise<void>;
  /** Own uploads, and those bound to a run of the same tenant. */
  getUpload(tenant: string, owner: string, sha256: string): Promise<UploadRow | undefined>;
  /** The upload as bound to this run at its start. */
  uploadOfRun(runId: string, sha256: string): Promise<UploadRow | undefined>;

  /**
   * Oldest first; `after` is a seq. What belongs to no run (uploads, grants) stands under `tenant:<tenant>`, which is no
   * run id.
   */
  events(runId: string, after: number, limit: number): Promise<readonly AuditEvent[]>;
  appendEvent(event: Omit<AuditEvent, 'seq'>): Promise<void>;
  /** Verifies the hash chain of the audit log; the first broken link, if any. */
  verifyAudit(): Promise<{ readonly ok: boolean; readonly checked: number; readonly brokenAt: number | null }>;

  /** Non-terminal runs without a change since `before`, oldest first; the next page starts after the run `after`. */
  staleRuns(before: number, limit: number, after?: string): Promise<readonly StaleRun[]>;
  /** Terminal runs with instances not ended, oldest end first. */
  endedRunsWithInstances(limit: number): Promise<readonly EndedRun[]>;
  /** Terminal, not purged runs with `from` ≤ end < `to`, oldest end first. */
  runsEndedBetween(from: number, to: number, limit: number): Promise<readonly EndedRun[]>;
  /** Operations whose owner is gone in runs that have ended: → `unknown`; answers how many, and appends events. */
  expireOwners(now: number, limit: number): Promise<number>;
  /** Terminal runs that ended before `before` and are not purged, oldest first. */
  purgeable(before: number, limit: number): Promise<readonly { readonly runId: string; readonly tenant: string }[]>;
  /**
   * Removes plan texts, operations, decisions, artifact rows, instances and expansions of a terminal run and marks the
   * row purged; audit events stay. Appends `run.purged`. Blob names of what was removed are answered first, by `artifacts`.
   */
  purgeRun(runId: string, now: number): Promise<boolean>;
  /** Every instance of a run, ended or not. */
  instancesOf(runId: string): Promise<readonly InstanceRow[]>;
  /** Blob names of every artifact of a run, items included. */
  blobNamesOf(runId: string): Promise<readonly string[]>;

  /** Roles a principal holds now; `undefined` = no grant row: the roles of the token at start stand. */
  grantsOf(tenant: string, oid: string): Promise<readonly string[] | undefined>;
  setGrants(tenant: string, oid: string, roles: readonly string[], actor: string, now: number): Promise<void>;
}

/** The store did not answer or is locked: retry later; HTTP 503, node class `transient`. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'STORE_UNAVAILABLE';
}

/** A row that the versioned schema refuses (tampered, or written by another release). */
export class StateInvalid extends Error {
  override readonly name = 'StateInvalid';
  readonly code = 'STATE_INVALID';
}

/** A list cursor that we did not make: HTTP 400. */
export class CursorInvalid extends Error {
  override readonly name = 'CursorInvalid';
  readonly code = 'INVALID_ID';
}
