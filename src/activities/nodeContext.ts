import type { ToolDefinition } from '../catalog/tool.ts';
import type { RunRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { operationKey } from '../plan/operationKey.ts';
import type { ItemValue } from '../plan/resolveReference.ts';
import type { Plan, PlanNode } from '../plan/types.ts';
import type { Services } from '../runs/services.ts';
import { warrantedPlan, type WarrantedPlan } from '../runs/warranted.ts';
import { itemOf } from './items.ts';
import { Upstream } from './upstream.ts';

/** Which operation an activity is about: ids only. */
export interface NodeIds {
  readonly runId: string;
  readonly revision: number;
  readonly warrant: string;
  readonly nodeId: string;
  /** -1 for a node as a whole. */
  readonly item: number;
  readonly attempt: number;
}

/** One operation of a warranted plan with everything that can be said about it before its inputs are read. */
export interface NodeContext {
  readonly ids: NodeIds;
  readonly run: RunRow;
  readonly warranted: WarrantedPlan;
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly tool: ToolDefinition;
  readonly item: ItemValue | null;
  readonly upstream: Upstream;
  readonly operationKey: string;
  /** Most attempts. */
  readonly attempts: number;
}

/**
 * Opens a node: the plan of this warrant, the tool it was validated against, the item. What starts something asks
 * `authorizeNode` too. Throws WARRANT_MISMATCH, TOOL_REMOVED, STATE_INVALID, UPSTREAM_NOT_COMPLETED.
 * @param whole the `forEach` node itself, not one of its items
 * @param begun it was started while the warrant was good, and is followed to its end also after that has expired
 */
export async function openNode(
  services: Services,
  ids: NodeIds,
  { whole = false, begun = false }: { readonly whole?: boolean; readonly begun?: boolean } = {},
): Promise<NodeContext> {
  const { ledger, catalog } = services;
  const run = await ledger.getRun(ids.runId);
  if (run === undefined) throw new ToolError('STATE_INVALID', 'The run is not in the ledger.', { class: 'unexpected' });
  const warranted = await warrantedPlan(ledger, ids.runId, ids.revision, ids.warrant, begun ? 0 : services.now());
  const node = warranted.plan.nodes.find((candidate) => candidate.id === ids.nodeId);
  if (node === undefined) throw new ToolError('WARRANT_MISMATCH', 'The plan of this warrant has no such node.');
  if (!whole && (node.forEach === undefined) !== (ids.item === -1))
    throw new ToolError('WARRANT_MISMATCH', `The plan of this warrant has no ${ids.nodeId}[${String(ids.item)}].`);
  const tool = catalog.get(node.tool);
  if (tool === undefined || warranted.notes.tools[node.tool] !== tool.version) {
    throw new ToolError(
      'TOOL_REMOVED',
      `${node.tool} is no longer the tool this plan was validated against. Start a new run.`,
    );
  }
  const { runId, revision, nodeId } = ids;
  return {
    ids,
    run,
    warranted,
    plan: warranted.plan,
    node,
    tool,
    item: whole || ids.item === -1 ? null : await itemOf(services, run, warranted, node, ids.item),
    upstream: new Upstream(services, run),
    operationKey: operationKey({ tenant: run.tenant, runId, revision, nodeId, item: ids.item, action: 'do' }),
    attempts: Math.min(node.retry?.maxAttempts ?? tool.retry.maxAttempts, tool.retry.maxAttempts),
  };
}
