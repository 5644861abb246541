import { digest } from './canonical.ts';
import { sha256Hex } from './sha256.ts';

/** One execution of one node: the part of a run that the ledger makes happen at most once. */
export interface OperationIdentity {
  readonly tenant: string;
  readonly runId: string;
  readonly revision: number;
  readonly nodeId: string;
  /** Index of the `forEach` item, -1 for a node without. */
  readonly item: number;
  readonly action: 'do' | 'undo';
}

/**
 * Key of `WorkflowOperations` (design §6): 64 hex digits, unique over tenants, runs, revisions, nodes, items and
 * do/undo. The attempt is no part of it: a retry is the same operation.
 */
export function operationKey(operation: OperationIdentity): string {
  const { tenant, runId, revision, nodeId, item, action } = operation;
  return digest('operation.v1:', { tenant, runId, revision, nodeId, item, action });
}

/** Instance id of a child orchestration: `<runId>-<12 hex of node, item, revision, attempt>` (design §5), ≤ 77 characters. */
export function childInstanceId(
  runId: string,
  child: { readonly nodeId: string; readonly item: number; readonly revision: number; readonly attempt: number },
): string {
  const { nodeId, item, revision, attempt } = child;
  return `${runId}-${digest('child.v1:', { nodeId, item, revision, attempt }).slice(0, 12)}`;
}

/** Id of an artifact: one per output of a node and item of a run, `art_` + 32 hex. */
export function artifactId(runId: string, nodeId: string, item: number, output: string): string {
  return `art_${digest('artifact.v1:', { runId, nodeId, item, output }).slice(0, 32)}`;
}

/** Digest of the resolved arguments as they are recorded when an operation is reserved. */
export function argsDigest(resolved: unknown): string {
  return digest('args.v1:', resolved);
}

/** Digest of bytes, as artifacts carry it. */
export const bytesDigest = (bytes: Uint8Array): string => sha256Hex(bytes);
