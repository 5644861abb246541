import type { Schedule } from './schedule.ts';
import type { Task } from './task.ts';

/** For each node the indexes of those with an edge from it, ascending. */
export function followersOf(schedule: Schedule): readonly (readonly number[])[] {
  const followers: number[][] = schedule.nodes.map(() => []);
  schedule.nodes.forEach((node, index) => {
    for (const before of node.after) followers[before]?.push(index);
  });
  return followers;
}

/**
 * Longest remaining path in seconds from each node to an end of the graph, itself included. Runs backwards over an
 * order in which every node comes after its predecessors (Kahn). Throws on a cycle: the validator let none through.
 */
export function remainingSeconds(schedule: Schedule): readonly number[] {
  const { nodes } = schedule;
  const followers = followersOf(schedule);
  const missing = nodes.map((node) => node.after.length);
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

/** Rank of each node: longest remaining critical path first, then node id (I2). */
function ranks(schedule: Schedule): readonly number[] {
  const remaining = remainingSeconds(schedule);
  const id = (index: number): string => schedule.nodes[index]?.id ?? '';
  const sorted = schedule.nodes.map((_, index) => index);
  sorted.sort((a, b) => {
    const gap = (remaining[b] ?? 0) - (remaining[a] ?? 0);
    if (gap !== 0) return gap;
    return id(a) < id(b) ? -1 : id(a) > id(b) ? 1 : 0;
  });
  const rank: number[] = schedule.nodes.map(() => 0);
  sorted.forEach((index, at) => {
    rank[index] = at;
  });
  return rank;
}

/**
 * Order of ready tasks. `path`: remaining path, node id, item (a run). `item`: item first (a lane), so that a chain over
 * the items goes through one after the other.
 */
export function byPriority(schedule: Schedule, first: 'path' | 'item'): (a: Task, b: Task) => number {
  const rank = ranks(schedule);
  const ofRank = (a: Task, b: Task): number => (rank[a.node] ?? 0) - (rank[b.node] ?? 0);
  const ofItem = (a: Task, b: Task): number => a.item - b.item;
  return first === 'path' ? (a, b) => ofRank(a, b) || ofItem(a, b) : (a, b) => ofItem(a, b) || ofRank(a, b);
}
