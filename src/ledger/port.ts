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
> & { readonly now: number; /** Uploads this run is bound to from now on. */ readonly uploads: readonly string[] };

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

/** What the scheduler decided since the last activity (I5); idempotent by (runId, seq). */
export interface DecisionRow {
  readonly seq: number;
  readonly nodeId: string;
  readonly item: number;
  readonly kind: 'skippedByFailure' | 'cancelled' | 'retryWait';
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
  /** How long the owner lease lasts, ms; renewed by `renew`. */
  readonly ownerMs: number;
  readonly decisions: readonly DecisionRow[];
}

export type ReserveOutcome =
  /** Ours: run the tool, then complete or fail with this token. */
  | { readonly outcome: 'reserved'; readonly fencingToken: number }
  /** Done before (redelivery, crash): the stored result stands. */
  | { readonly outcome: 'completed'; readonly row: OperationRow; readonly artifacts: readonly ArtifactRow[] }
  /** This attempt failed before: the stored failure stands. */
  | { readonly outcome: 'failed'; readonly row: OperationRow }
  /** A live owner works on it until `ownerUntil`: wait, then ask again. */
  | { readonly outcome: 'busy'; readonly ownerUntil: number }
  /** Same key, other arguments (OPERATION_CONFLICT). */
  | { readonly outcome: 'conflict'; readonly row: OperationRow }
  /** Run cancelled or terminal: nothing may start (O-14). */
  | { readonly outcome: 'stopped'; readonly control: RunControl; readonly status: RunStatus };

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface RunProjection {
  readonly run: RunRow;
  readonly plan: PlanRow | null;
  readonly operations: readonly OperationRow[];
  readonly decisions: readonly DecisionRow[];
  readonly artifacts: readonly ArtifactRow[];
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
  /** Sets the control flag unless the run is terminal; idempotent; appends `run.control`. */
  setControl(
    runId: string,
    control: RunControl,
    actor: string,
    now: number,
  ): Promise<{ readonly accepted: boolean; readonly run: RunRow }>;
  /** Ends a run once. A second call, or one on a terminal row, changes nothing and answers the row as it is (I10). */
  finishRun(
    runId: string,
    end: {
      readonly status: RunStatus;
      readonly headline: string | null;
      readonly error: NodeError | null;
      readonly now: number;
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
  /** Writes artifact rows and `completed` in one transaction; false when the token is stale (a late write is refused). */
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
  fail(
    operationKey: string,
    fencingToken: number,
    failure: { readonly error: NodeError; readonly checks: readonly CheckResult[]; readonly now: number },
  ): Promise<boolean>;
  /** Decisions that no activity carried. */
  recordDecisions(runId: string, decisions: readonly DecisionRow[], now: number): Promise<void>;

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
