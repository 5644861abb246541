import type { Schedule } from './schedule.ts';

/**
 * Longest remaining path in seconds from each node to an end of the graph, itself included. Runs backwards over an
 * order in which every node comes after its predecessors (Kahn). Throws on a cycle: the validator let none through.
 */
export function remainingSeconds(schedule: Schedule): readonly number[] {
  const { nodes } = schedule;
  const followers: number[][] = nodes.map(() => []);
  const missing = nodes.map((node) => node.after.length);
  nodes.forEach((node, index) => {
    for (const before of node.after) followers[before]?.push(index);
  });
  const order = nodes.flatMap((node, index) => (node.after.length === 0 ? [index] : []));
  for (const index of order) {
    for (const next of followers[index] ?? []) {
      const left = (missing[next] ?? 0) - 1;
      missing[next] = left;
      if (left === 0) order.push(next);
    }
  }
  if (order.length !== nodes.length) throw new Error('DETERMINISM_VIOLATION: the schedule has a cycle');
  const remaining: number[] = nodes.map(() => 0);
  for (const index of order.reverse()) {
    const after = (followers[index] ?? []).reduce((most, next) => Math.max(most, remaining[next] ?? 0), 0);
    remaining[index] = after + (nodes[index]?.seconds ?? 0);
  }
  return remaining;
}

/** Sorts ready nodes: longest remaining critical path first, then node id (I2). */
export function byPriority(schedule: Schedule, remaining: readonly number[]): (a: number, b: number) => number {
  return (a, b) => {
    const gap = (remaining[b] ?? 0) - (remaining[a] ?? 0);
    if (gap !== 0) return gap;
    const idA = schedule.nodes[a]?.id ?? '';
    const idB = schedule.nodes[b]?.id ?? '';
    return idA < idB ? -1 : idA > idB ? 1 : 0;
  };
}
