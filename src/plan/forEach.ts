/** `forEach` (design §2): which nodes run item by item together, and over which items. */
import { ToolError } from './errors.ts';
import { topologicalOrder, transitiveReduction, type Graph } from './graph.ts';
import { itemsKey } from './itemWise.ts';
import { resolveReference, type Scope } from './resolveReference.ts';
import { substitute } from './substitute.ts';
import type { JsonValue, PlanNode } from './types.ts';

/** Most items of one `forEach` (contracts.md FANOUT_LIMIT). */
export const MAX_ITEMS = 10_000;

export interface ForEachGroup {
  /** Topological, ties by id; the first is the head, the only one with edges from outside the group. */
  readonly members: readonly string[];
  /** The smallest of its members. */
  readonly maxItems: number;
}

/**
 * Groups of `forEach` nodes that run item by item: a node follows when, in the transitively reduced graph, it has edges
 * and all of them come from one group over the same items. Any other `forEach` node heads a group of its own. Sorted by
 * the id of the head. Nodes on a cycle are in no group.
 */
export function forEachGroups(nodes: readonly PlanNode[], graph: Graph): ForEachGroup[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const keys = new Map(nodes.map((node) => [node.id, itemsKey(node)]));
  const reduced = transitiveReduction(graph);
  const groups: { readonly key: string; readonly members: string[]; maxItems: number }[] = [];
  const groupOf = new Map<string, (typeof groups)[number]>();
  for (const id of topologicalOrder(graph)) {
    const key = keys.get(id);
    if (key === undefined) continue;
    const before = new Set((reduced.get(id) ?? []).map((after) => groupOf.get(after)));
    const [only, ...others] = before;
    const maxItems = byId.get(id)?.forEach?.maxItems ?? 1;
    let group = others.length === 0 && only?.key === key ? only : undefined;
    if (group === undefined) {
      group = { key, members: [], maxItems };
      groups.push(group);
    }
    group.members.push(id);
    group.maxItems = Math.min(group.maxItems, maxItems);
    groupOf.set(id, group);
  }
  return groups
    .map(({ members, maxItems }) => ({ members, maxItems }))
    .sort((a, b) => ((a.members[0] ?? '') < (b.members[0] ?? '') ? -1 : 1));
}

/**
 * The items of a `forEach` node, from the plan and completed results. @param scope of the node, without an item.
 * Throws `ToolError` UPSTREAM_NOT_COMPLETED when a value is not there, INVALID_ARGUMENT (`unexpected`) when what came is
 * no array or has more than `maxItems` elements, STATE_INVALID when the plan is none that validation lets through.
 */
export function resolveItems(scope: Scope, maxItems = scope.node.forEach?.maxItems ?? 0): readonly JsonValue[] {
  const { node } = scope;
  if (node.forEach === undefined) throw new ToolError('STATE_INVALID', `node ${node.id} has no forEach`);
  const items = substitute<never>(node.forEach.items, (reference, target) => {
    const found = resolveReference(scope, reference, target);
    if (found.state === 'value') return found.value;
    if (found.state === 'invalid')
      throw new ToolError('STATE_INVALID', `node ${node.id}: ${reference.ref} has no value in forEach.items`);
    if (found.found) {
      const what = `the items of ${node.id} are ${reference.ref}, and that output has no such member`;
      throw new ToolError('INVALID_ARGUMENT', what, { class: 'unexpected' });
    }
    throw new ToolError('UPSTREAM_NOT_COMPLETED', `${node.id} needs ${reference.ref}, which has no value`);
  }) as JsonValue;
  if (!Array.isArray(items)) {
    const what = items === null ? 'null' : typeof items === 'object' ? 'an object' : `a ${typeof items}`;
    throw new ToolError('INVALID_ARGUMENT', `the items of ${node.id} are ${what}, no array`, { class: 'unexpected' });
  }
  if (items.length > maxItems) {
    const message = `${node.id} would run for ${String(items.length)} items; its plan allows ${String(maxItems)}`;
    throw new ToolError('INVALID_ARGUMENT', message, { class: 'unexpected' });
  }
  return items;
}
