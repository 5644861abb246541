/** Schedules whose nodes are plain sleeps: a node's id says how long, `n07-0250` sleeps 250 ms. */
import type { Schedule, ScheduleNode } from '../../../src/orchestration/schedule.ts';
import { Random } from '../fanout/random.ts';

export const msOf = (nodeId: string): number => Number(nodeId.slice(nodeId.indexOf('-') + 1));

const nodeId = (index: number, ms: number): string =>
  `n${String(index).padStart(3, '0')}-${String(ms).padStart(4, '0')}`;

function scheduleOf(nodes: readonly { readonly ms: number; readonly after: readonly number[] }[]): Schedule {
  return {
    version: 1,
    runId: 'makespan',
    revision: 1,
    warrant: '0'.repeat(64),
    deadlineAt: Date.now() + 3_600_000,
    window: 64,
    nodes: nodes.map(({ ms, after }, index): ScheduleNode => ({
      id: nodeId(index, ms),
      after,
      seconds: ms / 1000,
      attempts: 1,
    })),
  };
}

/** A chain of three 0.5 s nodes beside, and independent of, one node of 2 s. */
export const chainBesideOne = (): Schedule =>
  scheduleOf([
    { ms: 500, after: [] },
    { ms: 500, after: [0] },
    { ms: 500, after: [1] },
    { ms: 2000, after: [] },
  ]);

/** 30 nodes of 20 to 400 ms; each comes after up to three of the ten nodes before it. */
export function randomGraph(seed: number): Schedule {
  const random = new Random(seed);
  return scheduleOf(
    Array.from({ length: 30 }, (_, index) => {
      const after = new Set<number>();
      for (let i = 0; i < 3; i += 1)
        if (index > 0 && random.chance(0.6)) after.add(Math.max(0, index - 1 - random.below(Math.min(index, 10))));
      return { ms: 20 + random.below(381), after: [...after].sort((a, b) => a - b) };
    }),
  );
}

/** Longest path, ms: no scheduler can be faster. */
export function criticalPathMs(schedule: Schedule): number {
  const ends: number[] = [];
  for (const node of schedule.nodes)
    ends.push(node.after.reduce((latest, before) => Math.max(latest, ends[before] ?? 0), 0) + msOf(node.id));
  return Math.max(...ends);
}

/** Indexes by depth: what a wave scheduler starts together, each wave after the whole one before. */
export function wavesOf(schedule: Schedule): readonly (readonly number[])[] {
  const depth: number[] = [];
  for (const node of schedule.nodes)
    depth.push(node.after.reduce((deepest, before) => Math.max(deepest, (depth[before] ?? 0) + 1), 0));
  return Array.from({ length: Math.max(...depth) + 1 }, (_, wave) =>
    depth.flatMap((at, index) => (at === wave ? [index] : [])),
  );
}

/** What waves cost at least: the longest node of each, one after another, ms. */
export const waveMs = (schedule: Schedule): number =>
  wavesOf(schedule).reduce(
    (sum, wave) => sum + Math.max(...wave.map((index) => msOf(schedule.nodes[index]?.id ?? 'n-0'))),
    0,
  );
