/**
 * The ledger: what the system has decided, intended and done (design §6). One port, several stores, one contract suite
 * (`test/contract/ledger/`). Every method is one transaction; every state change is a conditional update that checks the
 * affected rows; audit events are appended inside the same transaction. Times are milliseconds since the epoch, UTC,
 * and come from the caller (`now`), so that tests and replays control them.
 */
import type { Labels, CheckResult, Effect } from '../catalog/tool.ts';
import type { PortType } from '../catalog/portTypes.ts';
import type { NodeError } from '../plan/errors.ts';

export const RUN_STATUSES = [
  'accepted',
  'planning',
  'validating',
  'awaitingApproval',
  'queued',
  'running',
  'waitingForData',
  'waitingForDecision',
  'waitingForBudget',
  'replanning',
  'compensating',
  'verifying',
  'succeeded',
  'readyForReview',
  'blocked',
  'rejected',
  'failed',
  'compensated',
  'compensationFailed',
  'cancelled',
  'unverified',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const TERMINAL_STATUSES: ReadonlySet<RunStatus> = new Set<RunStatus>([
  'succeeded',
  'readyForReview',
  'blocked',
  'rejected',
  'failed',
  'compensated',
  'compensationFailed',
  'cancelled',
  'unverified',
]);

export type RunControl = 'none' | 'suspend' | 'cancel';

export interface RunRow {
  readonly runId: string;
  readonly tenant: string;
  /** `oid` of the person. */
  readonly requester: string;
  readonly status: RunStatus;
  readonly control: RunControl;
  readonly held: boolean;
  readonly goal: string;
  readonly locale: string;
  /** The validated start request, JSON text (plan, inputs, outputs, planner, allow). */
  readonly request: string;
  /** RFC 8785 digest of the body; another body under the same key is a conflict. */
  readonly requestDigest: string;
  readonly idempotencyKey: string | null;
  /** Roles of the requester when the run was accepted; `Grants` decide again at execution. */
  readonly roles: readonly string[];
  /** Durable instance that may run this row, recorded before it is started. */
  readonly instanceId: string;
  readonly planDigest: string | null;
  readonly warrantDigest: string | null;
  readonly policyVersion: string | null;
  readonly headline: string | null;
  readonly error: NodeError | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly deadlineAt: number | null;
  /** Number of the last change of `control` or `stopping`; the event `controlEvent(runId, n)` is raised after change n. */
  readonly controlSeq: number;
  /** Code of the failure after which nothing starts any more (I7); null while the run goes on. */
  readonly stopping: string | null;
  /** The ended run this one tries again: its completed effect-free results are taken over. */
  readonly retryOf: string | null;
  /** The time that tools take for now: `createdAt`, or that of the run that is tried again. */
  readonly asOf: number;
  readonly rowVersion: number;
}

export type NewRun = Pick<
  RunRow,
  | 'runId'
  | 'tenant'
  | 'requester'
  | 'goal'
  | 'locale'
  | 'request'
  | 'requestDigest'
  | 'idempotencyKey'
  | 'roles'
  | 'instanceId'
> & {
  readonly now: number;
  /** Uploads this run is bound to from now on. */
  readonly uploads: readonly string[];
  readonly retryOf?: string;
  /** Default: `now`. */
  readonly asOf?: number;
};

/** `planned`: recorded before the call (design §5), perhaps never started. `ended`: nothing will wake it any more. */
export type InstanceState = 'planned' | 'live' | 'ended';
export type InstanceKind = 'lane' | 'sleep' | 'job';

/** A child orchestration that the ledger expects. Ids are never reused. */
export interface InstanceRow {
  readonly instanceId: string;
  readonly runId: string;
  readonly kind: InstanceKind;
  readonly revision: number;
  /** The node it works for; `$backoff:<node>` and `$hold:<instance>` for the scheduler's own waits. */
  readonly nodeId: string;
  /** Item of the node; the first item of a lane; -1 without. */
  readonly item: number;
  readonly attempt: number;
  readonly state: InstanceState;
  /** `sleep`: when it is due, absolute ms; `lane`: null. `job`: null. */
  readonly until: number | null;
  /** `lane`: exclusive end of its items; otherwise null. */
  readonly to: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}
export type NewInstance = Omit<InstanceRow, 'state' | 'createdAt' | 'endedAt'>;

/** The expansion of a `forEach` group, named by its head. Written once, before its first instance starts. */
export interface ExpansionRow {
  readonly runId: string;
  readonly revision: number;
  readonly nodeId: string;
  readonly count: number;
  /** Digest of the resolved items: every activity of an instance resolves them again and compares. */
  readonly itemsDigest: string;
  readonly mode: 'inline' | 'lanes';
  readonly createdAt: number;
}

/** How the items of one `forEach` node stand. */
export interface ItemCounts {
  readonly nodeId: string;
  readonly completed: number;
  readonly failed: number;
  readonly unknown: number;
  readonly open: number;
  readonly skipped: number;
}

export interface PlanRow {
  readonly runId: string;
  readonly revision: number;
  readonly planDigest: string;
  /** RFC 8785 text of the normalised plan. */
  readonly plan: string;
  readonly warrantDigest: string;
  /** RFC 8785 text of the warrant. */
  readonly warrant: string;
  /** Compiled schedule, JSON text ≤ 32 KiB (I8). */
  readonly schedule: string;
  /** Findings (warnings) and bindings shown to people, JSON text. */
  readonly findings: string;
  readonly createdAt: number;
}

export type OperationState =
  'reserved' | 'submitted' | 'completed' | 'failed' | 'unknown' | 'adopted' | 'resubmitted' | 'needsDecision';

export interface OperationRow {
  readonly operationKey: string;
  readonly runId: string;
  readonly nodeId: string;
  /** Index of the `forEach` item, -1 for a node without. */
  readonly item: number;
  readonly planDigest: string;
  readonly argsDigest: string;
  readonly tool: string;
  readonly state: OperationState;
  readonly attempt: number;
  readonly fencingToken: number;
  readonly ownerUntil: number;
  readonly externalJobId: string | null;
  readonly resultUri: string | null;
  readonly resultDigest: string | null;
  readonly errorCode: string | null;
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
  readonly checks: readonly CheckResult[];
  /** When the first attempt was reserved / when the row reached its last state. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly rowVersion: number;
}

/**
 * What a scheduler decided since its last activity (I5); idempotent by (runId, by, seq), where `by` is the instance that
 * decided: the run's, a lane's, or `when:<node>:<item>` for a condition that a node activity found false.
 */
export interface DecisionRow {
  readonly seq: number;
  readonly nodeId: string;
  readonly item: number;
  /** `skippedByCondition` is neutral; `skippedByFailure`: the run stopped, or it needs the output of a node that failed. */
  readonly kind: 'skippedByCondition' | 'skippedByFailure' | 'cancelled' | 'retryWait';
  readonly attempt: number;
  /** Why, for people: the node that failed, the delay. */
  readonly reason: string;
}

export interface ArtifactRow {
  /** `art_…`, derived from run, node, item and output: one per output. */
  readonly id: string;
  readonly tenant: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly item: number;
  readonly output: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly fileName: string;
  readonly type: PortType;
  readonly labels: Labels;
  /** Name inside the artifact store; never leaves the process. */
  readonly blobName: string;
  /** The JSON text itself when it is small (≤ 2 KiB): readers need no blob; checked against `sha256` like any other. */
  readonly value: string | null;
  readonly createdAt: number;
}

export interface UploadRow {
  readonly sha256: string;
  readonly tenant: string;
  readonly owner: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly name: string;
  readonly blobName: string;
  readonly createdAt: number;
}

export interface AuditEvent {
  /** Gap-free per run, from 1. */
  readonly seq: number;
  readonly at: number;
  readonly runId: string;
  readonly type: string;
  readonly nodeId: string | null;
  /** Actor id (`oid`, `system`, `scheduler`); never a name. */
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

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

  /** Idempotent by (runId, revision); another digest under the same revision throws `STATE_INVALID`. */
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
   * with another digest it throws `StateInvalid`. Appends `node.expanded`.
   */
  saveExpansion(
    row: ExpansionRow,
    lanes: readonly NewInstance[],
    by: string,
    decisions: readonly DecisionRow[],
  ): Promise<ExpansionRow>;
  getExpansion(runId: string, revision: number, nodeId: string): Promise<ExpansionRow | undefined>;

  /** Records a child before it is called; an existing row stands and is answered. */
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
