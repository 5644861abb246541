import type { Schedule, ScheduleNode } from '../../../src/orchestration/schedule.ts';
import { Random } from '../fanout/random.ts';

/** What the simulated world does with a node; the interpreter never sees it. */
export interface NodePlan {
  readonly kind: 'plain' | 'wait' | 'job';
  /** Its condition may be false. */
  readonly conditional: boolean;
  /** Items of its group, when it is a `forEach` node. */
  readonly items: number;
  readonly lanes: boolean;
}

export interface RandomSchedule {
  readonly schedule: Schedule;
  readonly plans: readonly NodePlan[];
}

/** A random acyclic schedule with groups, waits, jobs, tolerated failures and needs; the same for the same seed. */
export function randomSchedule(seed: number, start: number): RandomSchedule {
  const random = new Random(seed);
  const chance = (percent: number): boolean => random.chance(percent / 100);
  const size = 1 + random.below(14);
  const nodes: ScheduleNode[] = [];
  const plans: NodePlan[] = [];
  const groups: number[][] = [];
  const mayLack: boolean[] = [];
  for (let i = 0; i < size; i += 1) {
    const last = groups.at(-1);
    const follows = last?.at(-1) === i - 1 && chance(60);
    const isGroup = follows || chance(30);
    const before = follows ? [i - 1] : [...Array(i).keys()].filter(() => chance(35)).slice(-4);
    if (follows) last.push(i);
    else if (isGroup) groups.push([i]);
    const group = isGroup ? groups.length - 1 : undefined;
    const head = plans[groups.at(-1)?.[0] ?? -1];
    const needs = before.filter((index) => mayLack[index] === true && chance(60));
    const soft = chance(25);
    const conditional = chance(15);
    const kind = chance(15) ? 'wait' : chance(12) ? 'job' : 'plain';
    plans.push({
      kind,
      conditional,
      items: !isGroup ? 0 : follows ? (head?.items ?? 0) : random.below(6),
      lanes: isGroup && (follows ? (head?.lanes ?? false) : chance(40)),
    });
    mayLack.push(soft || conditional || needs.length > 0);
    nodes.push({
      id: `n${String(i).padStart(2, '0')}`,
      after: before,
      seconds: 1 + random.below(9),
      attempts: 1 + random.below(4),
      ...(kind === 'plain' ? {} : { kind }),
      ...(needs.length === 0 ? {} : { needs }),
      ...(soft ? { soft: true as const } : {}),
      ...(group === undefined ? {} : { group }),
    });
  }
  const schedule: Schedule = {
    version: 1,
    runId: 'run-1',
    revision: 1,
    warrant: 'a'.repeat(64),
    deadlineAt: start + (chance(15) ? 60_000 : 40 * 86_400_000),
    window: 1 + random.below(5),
    nodes,
    ...(groups.length === 0 ? {} : { groups: groups.map((members) => ({ members, maxItems: 10 })) }),
  };
  return { schedule, plans };
}
