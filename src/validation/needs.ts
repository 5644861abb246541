/** Which outputs a node can't do without, among nodes that may end without any: see `ScheduleNode.needs`. */
import type { Catalog } from '../catalog/catalog.ts';
import type { ForEachGroup } from '../plan/forEach.ts';
import { topologicalOrder, type Graph } from '../plan/graph.ts';
import { isItemWise } from '../plan/itemWise.ts';
import { referencesOf } from '../plan/nodeReferences.ts';
import type { PlanNode } from '../plan/types.ts';

/** Ids of the nodes whose outputs `node` uses where nothing stands in for them. An optional port takes `default: null`. */
function uses(node: PlanNode, catalog: Catalog): Set<string> {
  const found = new Set<string>();
  const inputs = new Map(Object.entries(catalog.get(node.tool)?.ports.inputs ?? {}));
  for (const { target, place, needed, pointer } of referencesOf(node)) {
    if (target?.kind !== 'node' || place === 'expect' || target.nodeId === node.id) continue;
    const port = place === 'args' ? inputs.get(pointer.split('/')[2] ?? '') : undefined;
    if (needed || port?.required === true) found.add(target.nodeId);
  }
  return found;
}

/**
 * A node may end without outputs when it has a `when`, tolerates its failure, or needs a node that may. An item of a
 * `forEach` node alike, for item-wise references to it. The gathered outputs of a loop are there even if all items were
 * skipped; they are missing only when the whole group is: when a member needs something outside the group, or tolerates
 * failure. Answers the needed nodes by node id, sorted; nodes on a cycle are left out.
 */
export function needsOf(
  nodes: readonly PlanNode[],
  graph: Graph,
  groups: readonly ForEachGroup[],
  catalog: Catalog,
): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const groupOf = new Map(groups.flatMap((group) => group.members.map((id) => [id, group] as const)));
  const wants = new Map(nodes.map((node) => [node.id, uses(node, catalog)]));
  /** Outputs as a whole may be missing. */
  const wholeEmpty = new Set<string>();
  /** The output of single items may be missing. */
  const itemEmpty = new Set<string>();
  const needs = new Map<string, readonly string[]>();
  const seen = new Set<ForEachGroup>();
  for (const id of topologicalOrder(graph)) {
    const node = byId.get(id);
    if (node === undefined) continue;
    const group = groupOf.get(id);
    const mayLack = (consumer: PlanNode, other: string): boolean => {
      const from = byId.get(other);
      if (from === undefined) return false;
      return wholeEmpty.has(other) || (isItemWise(consumer, from) && itemEmpty.has(other));
    };
    if (group !== undefined && !seen.has(group)) {
      seen.add(group);
      // Everything outside that members use comes before the head.
      const members = group.members.flatMap((member) => byId.get(member) ?? []);
      const inside = new Set(group.members);
      const mayBeSkipped = members.some(
        (member) =>
          member.onFailure === 'continue' ||
          [...(wants.get(member.id) ?? [])].some((other) => !inside.has(other) && mayLack(member, other)),
      );
      if (mayBeSkipped) for (const member of group.members) wholeEmpty.add(member);
    }
    const needed = [...(wants.get(id) ?? [])].filter((other) => {
      const isInside = group?.members.includes(other) === true;
      return isInside ? itemEmpty.has(other) : mayLack(node, other);
    });
    needs.set(id, needed.sort());
    const mayEnd = node.when !== undefined || node.onFailure === 'continue' || needed.length > 0;
    if (mayEnd) (node.forEach === undefined ? wholeEmpty : itemEmpty).add(id);
  }
  return needs;
}
