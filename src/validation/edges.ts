import type { Catalog } from '../catalog/catalog.ts';
import type { Finding, PatchOperation } from '../plan/finding.ts';
import { buildGraph, findCycle, type Edge } from '../plan/graph.ts';
import { referencesOf } from '../plan/nodeReferences.ts';
import type { Plan } from '../plan/types.ts';
import { nameHint, quote, refuse, warn } from './findings.ts';

/** All edges of the plan: declared ∪ referenced, wherever the reference stands (design §2). */
export function edgesOf(plan: Plan): Edge[] {
  const edges: Edge[] = [];
  for (const node of plan.nodes) {
    for (const after of new Set(node.dependsOn)) edges.push({ node: node.id, after, origin: 'declared' });
    const referenced = new Set<string>();
    for (const { target, place } of referencesOf(node)) {
      // What `expect` names is refused; it would wait for what comes after it.
      if (target?.kind === 'node' && place !== 'expect') referenced.add(target.nodeId);
    }
    for (const after of referenced) edges.push({ node: node.id, after, origin: 'referenced' });
  }
  return edges;
}

/** Graph pass: self-dependencies, unknown dependencies, undeclared ones (a warning: the edge is added), cycles. */
export function checkEdges(plan: Plan, catalog: Catalog): Finding[] {
  const ids = new Set(plan.nodes.map(({ id }) => id));
  return [
    ...plan.nodes.flatMap((_, index) => checkDeclared(plan, index, ids)),
    ...checkUndeclared(plan, ids, catalog),
    ...checkCycle(plan, ids),
  ];
}

function checkDeclared(plan: Plan, index: number, ids: ReadonlySet<string>): Finding[] {
  const node = plan.nodes[index];
  if (node === undefined) return [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const [i, after] of node.dependsOn.entries()) {
    if (seen.has(after)) continue;
    seen.add(after);
    const path = `/nodes/${index}/dependsOn/${i}`;
    if (after === node.id) {
      const value = node.dependsOn.filter((other) => other !== after);
      const fix: readonly PatchOperation[] = [{ op: 'replace', path: `/nodes/${index}/dependsOn`, value }];
      findings.push(refuse('SELF_DEPENDENCY', path, `${quote(after)} depends on itself`, { nodeId: node.id, fix }));
    } else if (!ids.has(after)) {
      findings.push(
        refuse(
          'UNKNOWN_DEPENDENCY',
          path,
          `${quote(node.id)} depends on ${quote(after)}, which is no node of this plan`,
          {
            nodeId: node.id,
            ...nameHint(after, ids, 'nodes'),
          },
        ),
      );
    }
  }
  return findings;
}

function checkUndeclared(plan: Plan, ids: ReadonlySet<string>, catalog: Catalog): Finding[] {
  const findings: Finding[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    const missing = referencesOf(node, ['nodes', index]).filter(
      ({ target, place }) =>
        target?.kind === 'node' &&
        place !== 'expect' &&
        target.nodeId !== node.id &&
        ids.has(target.nodeId) &&
        !node.dependsOn.includes(target.nodeId),
    );
    if (missing.length === 0 || !catalog.has(node.tool)) continue;
    const named = missing.map(({ target }) => (target?.kind === 'node' ? target.nodeId : ''));
    // The same for all warnings of this node: applying one or all of them gives the same list.
    const value = [...new Set([...node.dependsOn, ...named])];
    const fix: readonly PatchOperation[] = [{ op: 'add', path: `/nodes/${index}/dependsOn`, value }];
    for (const { pointer: path, ref } of missing) {
      const message = `${quote(node.id)} uses ${quote(ref)} without depending on it; the edge is added`;
      findings.push(warn('UNDECLARED_DEPENDENCY', path, message, { nodeId: node.id, fix }));
    }
  }
  return findings;
}

function checkCycle(plan: Plan, ids: ReadonlySet<string>): Finding[] {
  const edges = edgesOf(plan).filter(({ node, after }) => node !== after);
  const cycle = findCycle(buildGraph(ids, edges));
  if (cycle === undefined) return [];
  const steps: string[] = [];
  for (let i = 0; i + 1 < cycle.length; i += 1) {
    const [node = '', after = ''] = [cycle[i], cycle[i + 1]];
    const origins = edges.filter((edge) => edge.node === node && edge.after === after).map(({ origin }) => origin);
    steps.push(`${node} waits for ${after} (${[...new Set(origins)].join(' and ')})`);
  }
  const first = cycle[0] ?? '';
  const index = plan.nodes.findIndex(({ id }) => id === first);
  return [
    refuse('CYCLE', `/nodes/${index}`, `the nodes wait for each other: ${cycle.join(' → ')}`, {
      nodeId: first,
      hint: steps.join('; '),
    }),
  ];
}
