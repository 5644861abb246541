import type { Finding } from '../plan/finding.ts';
import { ancestors, buildGraph, type Edge } from '../plan/graph.ts';
import type { Plan } from '../plan/types.ts';
import type { ValidationContext } from './context.ts';
import { quote, refuse } from './findings.ts';

/**
 * Effects pass: what cannot be undone comes last (design §4). Nothing may wait for an irreversible node: if what waits
 * fails, the run could not take the effect back.
 */
export function checkEffects(plan: Plan, edges: readonly Edge[], context: ValidationContext): Finding[] {
  const findings: Finding[] = [];
  const graph = buildGraph(
    plan.nodes.map(({ id }) => id),
    edges,
  );
  for (const [index, node] of plan.nodes.entries()) {
    if (context.catalog.get(node.tool)?.compensate?.kind !== 'irreversible') continue;
    const waiting = plan.nodes.filter(({ id }) => id !== node.id && ancestors(graph, id).has(node.id));
    if (waiting.length === 0) continue;
    const message = `${node.tool} cannot be undone, and ${waiting.map(({ id }) => quote(id)).join(', ')} would run after it`;
    findings.push(refuse('IRREVERSIBLE_NOT_LAST', `/nodes/${index}`, message, { nodeId: node.id }));
  }
  return findings;
}
