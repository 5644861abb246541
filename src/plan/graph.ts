/** Graph algorithms over ids. All are iterative, and every tie is broken by id, so the order of the input never shows. */

/** Edges by node: `graph.get(id)` holds the ids that `id` comes after. Every id named as a dependency is a key. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export type EdgeOrigin = 'declared' | 'referenced';
export interface Edge {
  /** The node that waits. */
  readonly node: string;
  /** What it waits for. */
  readonly after: string;
  readonly origin: EdgeOrigin;
}

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Builds a graph from ids and edges; edges from or to unknown ids are left out. */
export function buildGraph(
  ids: Iterable<string>,
  edges: Iterable<Pick<Edge, 'node' | 'after'>>,
): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const id of ids) graph.set(id, new Set());
  for (const { node, after } of edges) if (graph.has(after)) graph.get(node)?.add(after);
  return graph;
}

/** For every id the ids that come directly after it. */
export function successors(graph: Graph): Map<string, string[]> {
  const next = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const id of [...graph.keys()].sort(ascending))
    for (const after of graph.get(id) ?? []) next.get(after)?.push(id);
  return next;
}

/**
 * Kahn's algorithm (Comm. ACM 5, 1962): dependencies first, among ready ids the smallest first. When there is a cycle,
 * the ids on or behind it are missing from the answer.
 */
export function topologicalOrder(graph: Graph): string[] {
  const next = successors(graph);
  const waiting = new Map([...graph].map(([id, after]) => [id, after.size]));
  const ready = [...graph.keys()].filter((id) => waiting.get(id) === 0).sort(ascending);
  const order: string[] = [];
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    order.push(id);
    for (const follower of next.get(id) ?? []) {
      const left = (waiting.get(follower) ?? 0) - 1;
      waiting.set(follower, left);
      if (left === 0) insertSorted(ready, follower);
    }
  }
  return order;
}

function insertSorted(list: string[], id: string): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, id);
}

/**
 * A shortest cycle through the smallest id that lies on one, as ids in the direction of waiting, the first repeated at
 * the end (`a → b → a`: a waits for b, b for a). `undefined` when there is none. Self-loops are not looked at.
 */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set(topologicalOrder(graph));
  const rest = [...graph.keys()].filter((id) => !done.has(id)).sort(ascending);
  for (const start of rest) {
    const cameFrom = new Map<string, string>();
    const queue = [start];
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (const after of [...(graph.get(id) ?? [])].sort(ascending)) {
        if (after === id) continue;
        if (after === start) return unwind(cameFrom, start, id);
        if (cameFrom.has(after) || done.has(after)) continue;
        cameFrom.set(after, id);
        queue.push(after);
      }
    }
  }
  return undefined;
}

function unwind(cameFrom: ReadonlyMap<string, string>, start: string, last: string): string[] {
  const path = [start];
  for (let id: string | undefined = last; id !== undefined && id !== start; id = cameFrom.get(id)) path.push(id);
  path.push(start);
  return path.reverse();
}

/** Every id that must come before `id`, directly or not. */
export function ancestors(graph: Graph, id: string): Set<string> {
  const found = new Set<string>();
  const stack = [...(graph.get(id) ?? [])];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    stack.push(...(graph.get(next) ?? []));
  }
  return found;
}

/** The same reachability with the fewest edges (Aho, Garey, Ullman 1972; unique for an acyclic graph). */
export function transitiveReduction(graph: Graph): Map<string, string[]> {
  const behind = new Map<string, Set<string>>();
  const reduced = new Map<string, string[]>();
  for (const id of topologicalOrder(graph)) {
    const direct = [...(graph.get(id) ?? [])];
    const indirect = new Set(direct.flatMap((after) => [...(behind.get(after) ?? [])]));
    reduced.set(id, direct.filter((after) => !indirect.has(after)).sort(ascending));
    for (const after of direct) indirect.add(after);
    behind.set(id, indirect);
  }
  return reduced;
}

/** Longest path by weight over an acyclic graph: total weight and the ids on it, first to last (ties by id). */
export function criticalPath(
  graph: Graph,
  weight: (id: string) => number,
): { readonly length: number; readonly ids: readonly string[] } {
  const best = new Map<string, { readonly length: number; readonly from: string | undefined }>();
  let end: string | undefined;
  for (const id of topologicalOrder(graph)) {
    let from: string | undefined;
    for (const after of [...(graph.get(id) ?? [])].sort(ascending)) {
      if (from === undefined || (best.get(after)?.length ?? 0) > (best.get(from)?.length ?? 0)) from = after;
    }
    best.set(id, { length: weight(id) + (from === undefined ? 0 : (best.get(from)?.length ?? 0)), from });
    if (end === undefined || (best.get(id)?.length ?? 0) > (best.get(end)?.length ?? 0)) end = id;
  }
  const ids: string[] = [];
  for (let id = end; id !== undefined; id = best.get(id)?.from) ids.push(id);
  return { length: end === undefined ? 0 : (best.get(end)?.length ?? 0), ids: ids.reverse() };
}
