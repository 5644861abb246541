import { outcomeOf, type Outcome } from '../ledger/outcome.ts';
import type { DecisionRow, InstanceRow, ItemCounts, OperationRow, RunProjection } from '../ledger/port.ts';
import type { Schedule } from '../orchestration/schedule.ts';
import type { Plan, PlanNode } from '../plan/types.ts';
import { followEdges } from './followEdges.ts';
import { headOf, openPlanRow } from './warranted.ts';

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

/** What a node waits for, and until when at the latest. */
export interface WaitView {
  readonly kind: 'wait' | 'job' | 'retry' | 'items';
  readonly reason: string;
  readonly until?: string;
}

/** How the items of a `forEach` node stand. `failed` counts those whose end nobody knows too. */
export interface ItemsView {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly open: number;
}

export interface NodeView {
  readonly id: string;
  readonly tool: string;
  readonly dependsOn: readonly string[];
  readonly state: NodeState;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly waitingFor?: WaitView;
  readonly externalJobId?: string;
  readonly items?: ItemsView;
  readonly outputs?: Readonly<Record<string, ArtifactView>>;
  readonly error?: { readonly code: string; readonly class: string; readonly message: string };
  /** Why it was skipped. */
  readonly reason?: string;
  /** True when it failed and the plan goes on without it. */
  readonly tolerated?: true;
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

/** What was aborted because the run ended is no failure of the node. */
const stateOf = (operation: OperationRow): NodeState =>
  operation.state === 'failed' && operation.errorCode === 'CANCELLED' ? 'cancelled' : SHOWN[outcomeOf(operation.state)];

/** Everything known of one node, before it is put into words. */
interface Known {
  readonly node: PlanNode;
  readonly operation: OperationRow | undefined;
  readonly closed: DecisionRow | undefined;
  readonly wait: DecisionRow | undefined;
  readonly items: ItemsView | undefined;
  readonly expandedAt: number | null;
  /** Children that wait for this node, not ended. */
  readonly children: readonly InstanceRow[];
}

/**
 * What people see is a projection of the ledger: one view a node, in plan order. Pure.
 * @param instances children that are not ended, for what a node waits for
 */
export function projectNodes(
  projection: RunProjection,
  plan: Plan,
  instances: readonly InstanceRow[] = [],
): readonly NodeView[] {
  const schedule = projection.plan === null ? undefined : openPlanRow(projection.plan).schedule;
  const known = gatherKnown(projection, plan, schedule, instances);
  const ended = projection.run.endedAt !== null;
  const views = known.map((one) => viewOf(projection, one, ended));
  return followEdges(views, schedule);
}

function gatherKnown(
  projection: RunProjection,
  plan: Plan,
  schedule: Schedule | undefined,
  instances: readonly InstanceRow[],
): readonly Known[] {
  const operations = new Map(projection.operations.filter((row) => row.item === -1).map((row) => [row.nodeId, row]));
  const closed = new Map<string, DecisionRow>();
  const waits = new Map<string, DecisionRow>();
  for (const decision of projection.decisions)
    if (decision.item === -1) (decision.kind === 'retryWait' ? waits : closed).set(decision.nodeId, decision);
  const counts = new Map(projection.items.map((one) => [one.nodeId, one]));
  return plan.nodes.map((node) => {
    const head = node.forEach === undefined || schedule === undefined ? undefined : headOf({ schedule }, node.id);
    const expansion = projection.expansions.find((row) => row.nodeId === head);
    return {
      node,
      operation: operations.get(node.id),
      closed: closed.get(node.id),
      wait: waits.get(node.id),
      items: expansion === undefined ? undefined : itemsView(expansion.count, counts.get(node.id)),
      expandedAt: expansion?.createdAt ?? null,
      children: instances.filter(({ nodeId, item }) => item === -1 && nodeId.replace('$backoff:', '') === node.id),
    };
  });
}

function itemsView(total: number, counts: ItemCounts | undefined): ItemsView {
  const { completed = 0, failed = 0, unknown = 0, skipped = 0 } = counts ?? {};
  const ended = completed + failed + unknown + skipped;
  return { total, completed, failed: failed + unknown, skipped, open: Math.max(0, total - ended) };
}

function viewOf(projection: RunProjection, known: Known, ended: boolean): NodeView {
  const { node, operation, closed, wait, items, children } = known;
  const base = { ...describe(node), ...(items === undefined ? {} : { items }) };
  if (operation === undefined) return unstarted(base, known);

  const retrying = !ended && operation.state === 'failed' && wait?.attempt === operation.attempt;
  const open = outcomeOf(operation.state) === 'open';
  const state: NodeState = retrying
    ? 'pending'
    : operation.state === 'submitted' && !ended
      ? 'polling'
      : stateOf(operation);
  const done = !retrying && !open;
  const soft = node.onFailure === 'continue' && (state === 'failed' || state === 'unknown');
  const waitingFor = retrying
    ? waitView(
        'retry',
        wait.reason,
        children.find(({ nodeId }) => nodeId.startsWith('$')),
      )
    : open && !ended
      ? openWait(children)
      : undefined;
  return {
    ...base,
    state,
    attempt: operation.attempt,
    // The own operation of a loop only gathers; the work began with the expansion.
    startedAt: iso(known.expandedAt ?? operation.createdAt),
    endedAt: done ? iso(operation.updatedAt) : null,
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(operation.externalJobId === null ? {} : { externalJobId: operation.externalJobId }),
    ...(closed === undefined || done ? {} : { reason: closed.reason }),
    ...(soft ? { tolerated: true as const } : {}),
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
}

function unstarted(base: ReturnType<typeof describe> & { readonly items?: ItemsView }, known: Known): NodeView {
  const { closed, expandedAt, items } = known;
  const plain = { ...base, attempt: 0, startedAt: iso(expandedAt), endedAt: null };
  if (closed === undefined) {
    if (items === undefined) return { ...plain, state: 'pending' };
    const reason = `${String(items.total - items.open)} of ${String(items.total)} items have ended`;
    return { ...plain, state: 'running', waitingFor: { kind: 'items', reason } };
  }
  const { reason } = closed;
  if (closed.kind === 'skippedByCondition') return { ...plain, state: 'skippedByCondition', reason };
  const state = closed.kind === 'cancelled' ? 'cancelled' : 'skippedByFailure';
  return { ...plain, state, reason, error: { code: state, class: 'permanent', message: reason } };
}

function openWait(children: readonly InstanceRow[]): WaitView | undefined {
  const child = children.find(({ nodeId }) => !nodeId.startsWith('$'));
  if (child === undefined) return undefined;
  return child.kind === 'job'
    ? waitView('job', 'a remote job', child)
    : waitView('wait', 'the time it was told to wait for', child);
}

function waitView(kind: WaitView['kind'], reason: string, child: InstanceRow | undefined): WaitView {
  const until = iso(child?.until ?? null);
  return { kind, reason, ...(until === null ? {} : { until }) };
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
