import { digest } from '../plan/canonical.ts';
import { ToolError } from '../plan/errors.ts';
import { valuesOfItems } from '../plan/conditions.ts';
import { MAX_ITEMS, resolveItems } from '../plan/forEach.ts';
import type { ItemValue } from '../plan/resolveReference.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import type { RunRow } from '../ledger/port.ts';
import type { Services } from '../runs/services.ts';
import { headOf, type WarrantedPlan } from '../runs/warranted.ts';
import { Upstream } from './upstream.ts';
import { scopeFor } from './values.ts';

/** Digest of the resolved items of an expansion. */
export function itemsDigest(items: readonly JsonValue[]): string {
  return digest('items.v1:', items);
}

/**
 * The items of a `forEach` node, from the warrant's plan and completed rows (I5). Throws UPSTREAM_NOT_COMPLETED when they
 * are not there, INVALID_ARGUMENT (unexpected) when they are no list or too many.
 */
export async function itemsOf(
  warranted: WarrantedPlan,
  node: PlanNode,
  upstream: Upstream,
  maxItems = MAX_ITEMS,
): Promise<readonly JsonValue[]> {
  const viewer = { plan: warranted.plan, node, item: null, upstream };
  return resolveItems(await scopeFor(viewer, valuesOfItems(node)), maxItems);
}

/** Expansions kept for the next activities of this process: what was expanded never changes. */
const KEPT = 16;
const kept = new Map<string, readonly JsonValue[]>();

/**
 * One item of an expanded `forEach` node. The items are resolved again and compared with the digest that the expansion
 * recorded; a verified list is kept, so that the cost per item does not grow with their number.
 * Throws UPSTREAM_NOT_COMPLETED before the expansion, STATE_INVALID when the items have changed since.
 */
export async function itemOf(
  services: Services,
  run: RunRow,
  warranted: WarrantedPlan,
  node: PlanNode,
  index: number,
): Promise<ItemValue> {
  const head = headOf(warranted, node.id);
  const key = `${run.runId}:${String(warranted.revision)}:${head}`;
  let items = kept.get(key);
  if (items === undefined) {
    const expansion = await services.ledger.getExpansion(run.runId, warranted.revision, head);
    if (expansion === undefined) throw new ToolError('UPSTREAM_NOT_COMPLETED', `${head} has not been expanded.`);
    items = await itemsOf(warranted, node, new Upstream(services, run));
    if (items.length !== expansion.count || itemsDigest(items) !== expansion.itemsDigest) {
      throw new ToolError('STATE_INVALID', `The items of ${node.id} are not those that were expanded.`, {
        class: 'unexpected',
      });
    }
  }
  kept.delete(key);
  kept.set(key, items);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value);
  const value = items[index];
  if (value === undefined) throw new ToolError('WARRANT_MISMATCH', `${node.id} has no item ${String(index)}.`);
  return { index, value };
}
