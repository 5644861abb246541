/** Classes of expected failures (design §5 "Errors"). Only `transient` and `throttled` are ever retried. */
export type ErrorClass = 'transient' | 'throttled' | 'permanent' | 'denied' | 'unexpected' | 'unknown';

/** Codes of contracts.md "Node errors", beside the observation codes a tool may refuse a file with. */
export type NodeErrorCode =
  | 'ARTIFACT_NOT_FOUND'
  | 'ARTIFACT_CORRUPT'
  | 'ARTIFACT_LOST'
  | 'RESULT_TOO_LARGE'
  | 'NOT_ENCODABLE'
  | 'EMPTY_RESULT'
  | 'COVERAGE_TOO_LOW'
  | 'TOO_FEW_STATIONS'
  | 'NODE_TIMEOUT'
  | 'WARRANT_MISMATCH'
  | 'UPSTREAM_NOT_COMPLETED'
  | 'OPERATION_CONFLICT'
  | 'DETERMINISM_VIOLATION'
  | 'TOOL_REMOVED'
  | 'TOOL_FAILED'
  | 'CHECK_FAILED'
  | 'CANCELLED'
  | 'STATE_INVALID'
  | 'SCHEDULER_STALLED'
  | 'EGRESS_DENIED'
  | 'STORE_UNAVAILABLE'
  | 'UPLOAD_INVALID'
  | 'SOURCE_REQUIRED'
  | 'CRS_MISMATCH'
  | 'CRS_NOT_PROJECTED'
  | 'UNIT_MISMATCH'
  | 'EXTENT_DISJOINT'
  | 'WINDOW_MISMATCH'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_AUTHORIZED'
  | 'JOB_FAILED'
  | 'JOB_TIMED_OUT'
  | 'SUBMIT_UNKNOWN'
  | 'RESULT_EXPIRED';

/** A failure as a value: what crosses an activity boundary and stands in the ledger. */
export interface NodeError {
  readonly code: NodeErrorCode;
  readonly class: ErrorClass;
  /** At most 2 KB; for people; never a stack trace. */
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Thrown by tools for an expected failure; anything else that a tool throws becomes `TOOL_FAILED`/`permanent`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: NodeErrorCode;
  readonly class: ErrorClass;
  readonly retryAfterMs: number | undefined;

  constructor(code: NodeErrorCode, message: string, options: { class?: ErrorClass; retryAfterMs?: number } = {}) {
    super(message);
    this.code = code;
    this.class = options.class ?? 'permanent';
    this.retryAfterMs = options.retryAfterMs;
  }

  toNodeError(): NodeError {
    const base = { code: this.code, class: this.class, message: this.message.slice(0, 2000) };
    return this.retryAfterMs === undefined ? base : { ...base, retryAfterMs: this.retryAfterMs };
  }
}
