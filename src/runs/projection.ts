import { outcomeOf, type Outcome } from '../ledger/outcome.ts';
import type { DecisionRow, OperationRow, RunProjection } from '../ledger/port.ts';
import type { Plan, PlanNode } from '../plan/types.ts';

export type NodeState =
  | 'pending'
  | 'ready'
  | 'waitingForResource'
  | 'waitingForApproval'
  | 'running'
  | 'polling'
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'skippedByCondition'
  | 'skippedByFailure'
  | 'cancelled'
  | 'compensated';

export interface NodeView {
  readonly id: string;
  readonly tool: string;
  readonly dependsOn: readonly string[];
  readonly state: NodeState;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly waitingFor?: { readonly kind: string; readonly reason: string };
  readonly outputs?: Readonly<Record<string, ArtifactView>>;
  readonly error?: { readonly code: string; readonly class: string; readonly message: string };
  readonly insertedBy?: string;
}

/** An artifact as it is shown outside the process: no storage address. */
export interface ArtifactView {
  readonly id: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly type: unknown;
  readonly fileName: string;
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const SHOWN: Readonly<Record<Outcome, NodeState>> = {
  completed: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  open: 'running',
};

const stateOf = (operation: OperationRow): NodeState => SHOWN[outcomeOf(operation.state)];

/** What people see is a projection of the ledger: one view a node, in plan order. Pure. */
export function projectNodes(projection: RunProjection, plan: Plan): readonly NodeView[] {
  const operations = new Map(projection.operations.filter((row) => row.item === -1).map((row) => [row.nodeId, row]));
  const closed = new Map<string, DecisionRow>();
  const waits = new Map<string, DecisionRow>();
  for (const decision of projection.decisions)
    (decision.kind === 'retryWait' ? waits : closed).set(decision.nodeId, decision);
  const succeeded = new Set(
    [...operations.values()].filter((row) => stateOf(row) === 'succeeded').map((row) => row.nodeId),
  );
  const ended = projection.run.endedAt !== null;

  return plan.nodes.map((node) => {
    const base = describe(node);
    const operation = operations.get(node.id);
    if (operation === undefined) {
      const decision = closed.get(node.id);
      const waiting = node.dependsOn.every((id) => succeeded.has(id)) ? 'ready' : 'pending';
      const state: NodeState =
        decision === undefined ? waiting : decision.kind === 'cancelled' ? 'cancelled' : 'skippedByFailure';
      const more =
        decision === undefined ? {} : { error: { code: state, class: 'permanent', message: decision.reason } };
      return { ...base, state, attempt: 0, startedAt: null, endedAt: null, ...more };
    }
    const wait = waits.get(node.id);
    const retrying = !ended && operation.state === 'failed' && wait?.attempt === operation.attempt;
    const state = retrying ? 'pending' : stateOf(operation);
    const done = state === 'succeeded' || state === 'failed' || state === 'unknown';
    return {
      ...base,
      state,
      attempt: operation.attempt,
      startedAt: iso(operation.createdAt),
      endedAt: done ? iso(operation.updatedAt) : null,
      ...(retrying ? { waitingFor: { kind: 'retry', reason: wait.reason } } : {}),
      ...(state === 'succeeded' ? { outputs: outputsOf(projection, node.id) } : {}),
      ...(operation.errorCode === null || state === 'succeeded'
        ? {}
        : {
            error: {
              code: operation.errorCode,
              class: operation.errorClass ?? 'permanent',
              message: operation.errorMessage ?? '',
            },
          }),
    };
  });
}

function describe(node: PlanNode): Pick<NodeView, 'id' | 'tool' | 'dependsOn' | 'insertedBy'> {
  const base = { id: node.id, tool: node.tool, dependsOn: node.dependsOn };
  return node.insertedBy === undefined ? base : { ...base, insertedBy: node.insertedBy };
}

function outputsOf(projection: RunProjection, nodeId: string): Readonly<Record<string, ArtifactView>> {
  const rows = projection.artifacts.filter((row) => row.nodeId === nodeId && row.item === -1);
  return Object.fromEntries(rows.map((row) => [row.output, artifactView(row)]));
}

export function artifactView(row: RunProjection['artifacts'][number]): ArtifactView {
  return {
    id: row.id,
    sha256: row.sha256,
    bytes: row.bytes,
    mediaType: row.mediaType,
    type: row.type,
    fileName: row.fileName,
  };
}
