import { consequence } from './consequence.ts';
import type { Schedule } from './schedule.ts';
import { newTask, taskLabel, type Settlement, type SkipKind, type Task } from './task.ts';

/** What the board of the items tells the board around it. */
export interface ItemSink {
  ready(task: Task): void;
  /** Skipped in consequence: the scheduler's decision. */
  skipped(task: Task, kind: SkipKind, reason: string): void;
  /** Every item of this node is settled. */
  itemsSettled(node: number): void;
}

interface Row {
  readonly tasks: readonly Task[];
  readonly missing: number[];
  readonly settled: (Settlement | undefined)[];
  readonly followers: number[];
  left: number;
}

/** The items `from` ≤ i < `to` of some `forEach` nodes that run item by item: an edge joins equal items only. */
export class ItemBoard {
  readonly #schedule: Schedule;
  readonly #from: number;
  readonly #sink: ItemSink;
  readonly #rows = new Map<number, Row>();

  constructor(schedule: Schedule, members: readonly number[], items: { from: number; to: number }, sink: ItemSink) {
    this.#schedule = schedule;
    this.#from = items.from;
    this.#sink = sink;
    const count = items.to - items.from;
    const all = new Set(members);
    for (const node of members) {
      const edges = (schedule.nodes[node]?.after ?? []).filter((before) => all.has(before)).length;
      this.#rows.set(node, {
        tasks: Array.from({ length: count }, (_, i) => newTask('node', node, items.from + i)),
        missing: Array.from({ length: count }, () => edges),
        settled: Array.from({ length: count }, () => undefined),
        followers: [],
        left: count,
      });
    }
    for (const node of members)
      for (const before of schedule.nodes[node]?.after ?? []) this.#rows.get(before)?.followers.push(node);
  }

  /** Makes the items of every node without predecessors ready; without items, every node is settled at once. */
  start(): void {
    for (const [node, row] of this.#rows) {
      if (row.left === 0) this.#sink.itemsSettled(node);
      row.tasks.forEach((task, i) => {
        if (row.missing[i] === 0) this.#sink.ready(task);
      });
    }
  }

  *tasks(): Generator<Task> {
    for (const row of this.#rows.values()) yield* row.tasks;
  }

  /** Settles one item of one node and, in consequence, followers that need its output. */
  settle(task: Task, settlement: Settlement): void {
    const offset = task.item - this.#from;
    const work: [number, Settlement][] = [[task.node, settlement]];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const [node, how] = next;
      const row = this.#rows.get(node);
      if (row === undefined || row.settled[offset] !== undefined) continue;
      row.settled[offset] = how;
      row.left -= 1;
      for (const follower of row.followers) {
        const skip = this.#edgeSettled(follower, offset);
        if (skip !== null) work.push([follower, skip]);
      }
      if (row.left === 0) this.#sink.itemsSettled(node);
    }
  }

  #edgeSettled(node: number, offset: number): SkipKind | null {
    const row = this.#rows.get(node);
    const task = row?.tasks[offset];
    if (row === undefined || task === undefined) return null;
    const left = (row.missing[offset] ?? 0) - 1;
    row.missing[offset] = left;
    if (left > 0 || task.state !== 'pending') return null;
    const needs = (this.#schedule.nodes[node]?.needs ?? []).map(
      (need) =>
        [taskLabel(this.#schedule.nodes[need]?.id ?? '', task.item), this.#rows.get(need)?.settled[offset]] as const,
    );
    const skip = consequence(needs);
    if (skip === null) this.#sink.ready(task);
    else this.#sink.skipped(task, skip.kind, skip.reason);
    return skip?.kind ?? null;
  }
}
