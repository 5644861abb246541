/** Rows of the ledger, as every store gives them. Times are milliseconds since the epoch, UTC. */
import type { Labels, CheckResult } from '../catalog/tool.ts';
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

export const OPERATION_STATES = [
  'reserved',
  'submitted',
  'completed',
  'failed',
  'unknown',
  'adopted',
  'resubmitted',
  'needsDecision',
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

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
