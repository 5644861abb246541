import { canonicalJson } from './canonical.ts';
import type { ForEach, PlanNode } from './types.ts';

/** Plans are never changed once parsed, and their items may be large: the text of each is made once. */
const texts = new WeakMap<ForEach, string>();

/** Text that is equal exactly for nodes over canonically equal items; `undefined` for a node without `forEach`. */
export function itemsKey(node: PlanNode): string | undefined {
  if (node.forEach === undefined) return undefined;
  let text = texts.get(node.forEach);
  if (text === undefined) {
    text = canonicalJson(node.forEach.items);
    texts.set(node.forEach, text);
  }
  return text;
}

/**
 * Whether a reference from `node` to `other` gives the output of the same item: both are `forEach` nodes over the same
 * items. From anywhere else a `forEach` node gives its gathered outputs, an array in the order of the items.
 */
export function isItemWise(node: PlanNode, other: PlanNode): boolean {
  const key = itemsKey(node);
  return key !== undefined && node.id !== other.id && key === itemsKey(other);
}
