import type { JsonValue } from './types.ts';

/** One RFC 6902 operation of a proposed fix. Paths are relative to the plan. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** Codes of contracts.md "Findings", and those of the structural parser. */
export type FindingCode =
  | 'BAD_JSON'
  | 'UNKNOWN_FIELD'
  | 'TOO_DEEP'
  | 'TOO_MANY_KEYS'
  | 'DUPLICATE_KEY'
  | 'FORBIDDEN_KEY'
  | 'LONE_SURROGATE'
  | 'NUMBER_NOT_FINITE'
  | 'INVALID_FIELD'
  | 'UNSUPPORTED_FEATURE'
  | 'EMPTY_PLAN'
  | 'PLAN_TOO_LARGE'
  | 'TOO_MANY_NODES'
  | 'FANOUT_LIMIT'
  | 'INVALID_NODE_ID'
  | 'RESERVED_NODE_ID'
  | 'DUPLICATE_ID'
  | 'SELF_DEPENDENCY'
  | 'UNKNOWN_DEPENDENCY'
  | 'UNDECLARED_DEPENDENCY'
  | 'CYCLE'
  | 'UNKNOWN_TOOL'
  | 'UNKNOWN_ARGUMENT'
  | 'MISSING_ARGUMENT'
  | 'INVALID_ARGUMENT'
  | 'AMBIGUOUS_BINDING'
  | 'UNKNOWN_NODE'
  | 'UNKNOWN_OUTPUT'
  | 'UNKNOWN_OUTPUT_PATH'
  | 'UNKNOWN_INPUT'
  | 'ITEM_OUTSIDE_FOREACH'
  | 'TYPE_MISMATCH'
  | 'UNIT_MISMATCH'
  | 'CRS_MISMATCH'
  | 'CRS_NOT_PROJECTED'
  | 'EXTENT_DISJOINT'
  | 'WINDOW_MISMATCH'
  | 'SOURCE_REQUIRED'
  | 'RETRY_ABOVE_CATALOG'
  | 'TIMEOUT_ABOVE_CATALOG'
  | 'CAPABILITY_MISSING'
  | 'ENDPOINT_IN_PLAN'
  | 'OUTSIDE_REQUEST'
  | 'NOT_AUTHORIZED'
  | 'LABEL_FLOW'
  | 'BUDGET_EXCEEDED'
  | 'DEADLINE_EXCEEDED'
  | 'IRREVERSIBLE_NOT_LAST'
  | 'PLANNING_EXHAUSTED';

/** One thing the validator says: for the person, and word for word for the planner's repair. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  /** JSON pointer into the plan as it was given. */
  readonly path: string;
  readonly nodeId?: string;
  readonly message: string;
  readonly hint?: string;
  readonly fix?: readonly PatchOperation[];
}
