import { isItemWise } from '../plan/itemWise.ts';
import { scopeOf, type ItemValue, type OutputRef, type Scope } from '../plan/resolveReference.ts';
import type { JsonValue, Plan, PlanNode } from '../plan/types.ts';
import type { Upstream } from './upstream.ts';

/** Whose references are resolved. */
export interface Viewer {
  readonly plan: Plan;
  readonly node: PlanNode;
  /** The item this instance works on; null outside `forEach`. */
  readonly item: ItemValue | null;
  readonly upstream: Upstream;
}

const keyOf = ({ nodeId, output, item }: OutputRef): string => `${nodeId}.${output}[${String(item ?? -1)}]`;

/** The item of another node that a node sees: its own where both run over the same items, otherwise -1, the whole. */
export function itemSeen({ plan, node, item }: Omit<Viewer, 'upstream'>, otherId: string): number {
  const other = plan.nodes.find(({ id }) => id === otherId);
  return item !== null && other !== undefined && isItemWise(node, other) ? item.index : -1;
}

/** Reads the needed outputs, as far as they are there, and answers the scope in which references are resolved. */
export async function scopeFor({ plan, node, item, upstream }: Viewer, needed: readonly OutputRef[]): Promise<Scope> {
  const values = new Map<string, JsonValue>();
  for (const ref of needed) {
    const row = await upstream.find(ref.nodeId, ref.item ?? -1, ref.output);
    if (row !== undefined) values.set(keyOf(ref), await upstream.value(row));
  }
  const lookup = (nodeId: string, output: string, at?: number): JsonValue | undefined =>
    values.get(keyOf(at === undefined ? { nodeId, output } : { nodeId, output, item: at }));
  return scopeOf(plan, node, lookup, item ?? undefined);
}

export const nodesOf = (plan: Plan): ReadonlyMap<string, PlanNode> => new Map(plan.nodes.map((one) => [one.id, one]));
