import type { ToolResult } from '../catalog/tool.ts';
import { outcomeOf } from '../ledger/outcome.ts';
import type { Decision } from '../orchestration/messages.ts';
import { evaluateWhen, unmetExpectation, ownValuesOfExpect, valuesOfWhen } from '../plan/conditions.ts';
import { ToolError } from '../plan/errors.ts';
import { referencesOf } from '../plan/nodeReferences.ts';
import { operationKey } from '../plan/operationKey.ts';
import { outputRefOf } from '../plan/resolveReference.ts';
import type { JsonValue } from '../plan/types.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';
import { parseBytes } from './upstream.ts';
import { itemSeen, nodesOf, scopeFor } from './values.ts';

/**
 * Why the node's `when` does not let it run, which is neutral; null = it runs.
 * Throws INVALID_ARGUMENT (unexpected) for a comparison of unlike types or a path that a completed output does not have,
 * UPSTREAM_NOT_COMPLETED when a node it looks at has not ended.
 */
export async function skippedBy(
  services: Services,
  context: NodeContext,
  decisions: readonly Decision[],
): Promise<string | null> {
  const { node, plan, item } = context;
  if (node.when === undefined) return null;
  const scope = await scopeFor(context, valuesOfWhen(node, nodesOf(plan), item?.index));
  const result = evaluateWhen(scope);
  switch (result.outcome) {
    case 'holds':
      return null;
    case 'fails':
      return `when: ${result.reason}`;
    case 'error':
      throw new ToolError('INVALID_ARGUMENT', `when: ${result.reason}`, { class: 'unexpected' });
    case 'absent': {
      const { nodeId } = result.from;
      const ended = await howItEnded(services, context, decisions, nodeId);
      if (ended !== null) return `needs ${nodeId}, which ${ended}`;
      throw new ToolError('INVALID_ARGUMENT', `when: ${result.reason}`, { class: 'unexpected' });
    }
  }
}

/**
 * How a node without the output in question ended: it failed or was skipped; null = it completed. One that has not ended
 * lets nothing be concluded: UPSTREAM_NOT_COMPLETED.
 */
export async function howItEnded(
  services: Services,
  context: NodeContext,
  decisions: readonly Decision[],
  nodeId: string,
): Promise<string | null> {
  const { run, warranted } = context;
  const { runId, tenant } = run;
  const seen = itemSeen(context, nodeId);
  const key = operationKey({ tenant, runId, revision: warranted.revision, nodeId, item: seen, action: 'do' });
  const row = await services.ledger.getOperation(key);
  if (row !== undefined) {
    const outcome = outcomeOf(row.state);
    if (outcome === 'failed' || outcome === 'unknown') return 'failed';
    if (outcome === 'completed') return null;
  } else {
    // Decisions of single items are not listed: a missing row is all there is to see.
    const listed = seen === -1 ? ((await services.ledger.project(runId))?.decisions ?? []) : [];
    const skipped = [...decisions, ...listed].some(
      (decision) => decision.nodeId === nodeId && decision.kind !== 'retryWait',
    );
    if (skipped || seen !== -1) return 'was skipped';
  }
  throw new ToolError('UPSTREAM_NOT_COMPLETED', `${nodeId} has not ended.`);
}

/**
 * What an item needs and does not find, in words; null = nothing. The scheduler settles whole nodes, and items of one
 * group; it knows nothing of single items of another group, and a lane nothing of nodes outside its own. A node is not
 * called before what it needs has ended (I1), so that a need without a row was skipped.
 */
export async function lackedBy(
  services: Services,
  context: NodeContext,
): Promise<{ readonly kind: 'skippedByCondition' | 'skippedByFailure'; readonly reason: string } | null> {
  const { run, warranted, node, item } = context;
  if (item === null) return null;
  const { nodes } = warranted.schedule;
  for (const index of nodes.find(({ id }) => id === node.id)?.needs ?? []) {
    const nodeId = nodes[index]?.id ?? '';
    const seen = itemSeen(context, nodeId);
    const of = { tenant: run.tenant, runId: run.runId, revision: warranted.revision, nodeId, item: seen };
    const row = await services.ledger.getOperation(operationKey({ ...of, action: 'do' }));
    const outcome = row === undefined ? 'skipped' : outcomeOf(row.state);
    const label = seen === -1 ? nodeId : `${nodeId}[${String(seen)}]`;
    if (outcome === 'open') throw new ToolError('UPSTREAM_NOT_COMPLETED', `${label} has not ended.`);
    if (outcome === 'skipped') return { kind: 'skippedByCondition', reason: `needs ${label}, which was skipped` };
    if (outcome !== 'completed') return { kind: 'skippedByFailure', reason: `needs ${label}, which failed` };
  }
  return null;
}

/** Checks `expect` over the outputs just made. Throws CHECK_FAILED, class `unexpected`, with the values. */
export async function requireExpected(context: NodeContext, result: ToolResult): Promise<void> {
  const { node, plan, item } = context;
  if (node.expect === undefined || node.expect.length === 0) return;
  const own = new Map<string, JsonValue>();
  for (const name of ownValuesOfExpect(node)) {
    const output = result.outputs.get(name);
    if (output !== undefined) own.set(name, parseBytes(output.bytes, `${node.id}.${name}`));
  }
  const nodes = nodesOf(plan);
  const needed = referencesOf(node).flatMap(({ place, target }) =>
    place === 'expect' && target?.kind === 'node' ? [outputRefOf(node, nodes, target, item?.index)] : [],
  );
  const unmet = unmetExpectation(await scopeFor(context, needed), own);
  if (unmet !== undefined) throw unmet;
}
