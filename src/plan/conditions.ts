/** `when` before a node or item starts, `expect` after it has ended (design §2). Pure: the `node` activity calls these. */
import { ToolError } from './errors.ts';
import { referencesOf } from './nodeReferences.ts';
import { evaluatePredicate, operandsIn, type PredicateResult } from './predicate.ts';
import { outputRefOf, type OutputRef, type Scope } from './resolveReference.ts';
import type { JsonValue, PlanNode } from './types.ts';

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function outputsAt(
  place: 'when' | 'items',
  node: PlanNode,
  nodes: ReadonlyMap<string, PlanNode>,
  index: number | undefined,
): readonly OutputRef[] {
  const found = new Map<string, OutputRef>();
  for (const reference of referencesOf(node)) {
    if (reference.place !== place || reference.target?.kind !== 'node') continue;
    const ref = outputRefOf(node, nodes, reference.target, index);
    found.set(`${ref.nodeId}.${ref.output}`, ref);
  }
  return [...found].sort(byKey).map(([, ref]) => ref);
}

/** Outputs that `when` reads: look these up before `evaluateWhen`; those that are not there are left out. Sorted. */
export const valuesOfWhen = (
  node: PlanNode,
  nodes: ReadonlyMap<string, PlanNode>,
  index?: number,
): readonly OutputRef[] => outputsAt('when', node, nodes, index);

/** Outputs that `forEach.items` reads, always those of whole nodes. Sorted. */
export const valuesOfItems = (node: PlanNode): readonly OutputRef[] => outputsAt('items', node, new Map(), undefined);

/** Names of the node's own outputs whose JSON values `expect` reads. Sorted. */
export function ownValuesOfExpect(node: PlanNode): readonly string[] {
  const names = new Set<string>();
  for (const { place, target } of referencesOf(node)) {
    if (place === 'expect' && target?.kind === 'output') names.add(target.name);
  }
  return [...names].sort();
}

/** Whether the node or item runs. Without `when` it does. What an absent output means, the caller knows: see `from`. */
export function evaluateWhen(scope: Scope): PredicateResult {
  const { when } = scope.node;
  if (when === undefined) return { outcome: 'holds', reason: '' };
  return evaluatePredicate(when, operandsIn(scope));
}

/**
 * The first expectation that the outputs do not meet, as the error of the node: CHECK_FAILED of class `unexpected`, with
 * the predicate's number and the values (≤ 500 characters). `undefined` when all hold. One that has no answer is not met.
 * @param own JSON values of the node's own outputs, by name.
 */
export function unmetExpectation(scope: Scope, own: ReadonlyMap<string, JsonValue>): ToolError | undefined {
  const lookup = operandsIn({ ...scope, own });
  for (const [i, predicate] of (scope.node.expect ?? []).entries()) {
    const { outcome, reason } = evaluatePredicate(predicate, lookup);
    if (outcome === 'holds') continue;
    const message = `expect[${String(i)}] is not met: ${reason}`.slice(0, 500);
    return new ToolError('CHECK_FAILED', message, { class: 'unexpected' });
  }
  return undefined;
}
