import { digest } from './canonical.ts';
import type { Plan, PlanNode } from './types.ts';

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The form that is hashed: nodes sorted by id, `dependsOn` sorted and unique. */
function digestForm(plan: Plan): Plan {
  const nodes: PlanNode[] = plan.nodes.map((node) => ({
    ...node,
    dependsOn: [...new Set(node.dependsOn)].sort(ascending),
  }));
  nodes.sort((a, b) => ascending(a.id, b.id));
  return { ...plan, nodes };
}

/**
 * Digest of a normalised plan (contracts.md "Plan"): SHA-256 of `plan.v1:` and RFC 8785 JSON. The order of nodes,
 * dependencies and members does not matter, nor how a number was written.
 */
export const planDigest = (plan: Plan): string => digest('plan.v1:', digestForm(plan));
