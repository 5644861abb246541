import { consequence } from './consequence.ts';
import { ItemBoard } from './itemBoard.ts';
import { laneChunks } from './lanes.ts';
import type { Schedule } from './schedule.ts';
import { newTask, type Settlement, type SkipKind, type Task } from './task.ts';

/** What a group asks of, and tells, the board of the run. */
export interface GroupSink {
  ready(task: Task): void;
  /** One item was skipped in consequence. */
  skipped(task: Task, kind: SkipKind, reason: string): void;
  /** A whole member is skipped. */
  skipNode(node: number, kind: SkipKind, reason: string): void;
  settlementOf(node: number): Settlement | undefined;
  /** Edges into a node that are not settled; the members before it count until their gathers are done. */
  edgesLeft(node: number): number;
}

/**
 * One `forEach` group of a run: expand → items (inline, or chunks in lanes) → a gather per member. Members are in
 * topological order, the head first. A head that is skipped takes the group along: without it nothing is expanded.
 */
export class GroupBoard {
  readonly #schedule: Schedule;
  readonly #members: readonly number[];
  readonly #sink: GroupSink;
  readonly #gathers = new Map<number, Task>();
  readonly #itemsSettled = new Set<number>();
  readonly #expand: Task;
  #items: ItemBoard | null = null;
  #lanes: readonly Task[] = [];
  #lanesLeft = 0;
  #instances = 0;
  #settledInstances = 0;

  constructor(schedule: Schedule, members: readonly number[], sink: GroupSink) {
    this.#schedule = schedule;
    this.#members = members;
    this.#sink = sink;
    this.#expand = newTask('expand', members[0] ?? 0);
  }

  /** Instances (items × members) known so far, and how many are settled; lanes count when they end. */
  get instances(): number {
    return this.#instances;
  }

  get settledInstances(): number {
    return this.#settledInstances;
  }

  isHead(node: number): boolean {
    return this.#members[0] === node;
  }

  gatherOf(node: number): Task | undefined {
    return this.#gathers.get(node);
  }

  /** Tasks below whole nodes: items and lanes, and the expansion. */
  *tasks(): Generator<Task> {
    if (this.#items !== null) yield* this.#items.tasks();
    yield* this.#lanes;
  }

  /** Every edge into the head is settled: members that need something which is not there are skipped whole. */
  open(): void {
    for (const node of this.#members.slice(1)) {
      const needs = this.#schedule.nodes[node]?.needs ?? [];
      const skip = consequence(needs.map((need) => [this.#id(need), this.#sink.settlementOf(need)] as const));
      if (skip !== null) this.#sink.skipNode(node, skip.kind, skip.reason);
    }
    this.#sink.ready(this.#expand);
  }

  /** The head is skipped, or could not be expanded: so is the rest. */
  skipRest(kind: SkipKind): void {
    const head = this.#id(this.#members[0] ?? 0);
    const what = kind === 'skippedByCondition' ? 'which was skipped' : 'which could not run';
    for (const node of this.#members.slice(1))
      this.#sink.skipNode(node, kind, `runs over the items of ${head}, ${what}`);
  }

  expand(count: number, mode: 'inline' | 'lanes', window: number): void {
    const members = this.#active();
    this.#instances = count * members.length;
    if (mode === 'inline' || count === 0) {
      this.#items = new ItemBoard(
        this.#schedule,
        members,
        { from: 0, to: count },
        {
          ready: (task) => {
            this.#sink.ready(task);
          },
          skipped: (task, kind, reason) => {
            this.#settledInstances += 1;
            this.#sink.skipped(task, kind, reason);
          },
          itemsSettled: (node) => {
            this.#nodeSettled(node);
          },
        },
      );
      this.#items.start();
      return;
    }
    const head = this.#members[0] ?? 0;
    this.#lanes = laneChunks(count, window, this.#members.length).map(({ from, to }) =>
      newTask('lane', head, from, to),
    );
    this.#lanesLeft = this.#lanes.length;
    for (const lane of this.#lanes) this.#sink.ready(lane);
  }

  /** An item or a lane is settled. */
  settle(task: Task, settlement: Settlement): void {
    if (task.kind === 'node') {
      this.#settledInstances += 1;
      this.#items?.settle(task, settlement);
      return;
    }
    const members = this.#active();
    this.#settledInstances += (task.to - task.item) * members.length;
    this.#lanesLeft -= 1;
    if (this.#lanesLeft === 0) for (const node of members) this.#nodeSettled(node);
  }

  /** The expansion was skipped or its failure is tolerated. */
  notExpanded(settlement: Settlement): void {
    const head = this.#members[0] ?? 0;
    const skip = settlement === 'failed' ? 'skippedByFailure' : 'skippedByCondition';
    this.#sink.skipNode(head, skip, settlement === 'failed' ? 'its items could not be expanded' : 'it has no items');
    this.skipRest(skip);
  }

  /** Every member before it has been gathered. */
  edgesSettled(node: number): void {
    this.#gatherWhenReady(node);
  }

  #id(node: number): string {
    return this.#schedule.nodes[node]?.id ?? '';
  }

  #active(): readonly number[] {
    return this.#members.filter((node) => this.#sink.settlementOf(node) === undefined);
  }

  #nodeSettled(node: number): void {
    this.#itemsSettled.add(node);
    this.#gatherWhenReady(node);
  }

  #gatherWhenReady(node: number): void {
    if (!this.#itemsSettled.has(node) || this.#gathers.has(node) || this.#sink.edgesLeft(node) > 0) return;
    const gather = newTask('gather', node);
    this.#gathers.set(node, gather);
    this.#sink.ready(gather);
  }
}
