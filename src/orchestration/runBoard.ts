import { Board, type BoardCounts, type Close } from './board.ts';
import { consequence } from './consequence.ts';
import { GroupBoard } from './groupBoard.ts';
import { followersOf } from './ready.ts';
import type { Schedule } from './schedule.ts';
import { newTask, type Settlement, type SkipKind, type Task } from './task.ts';

/** What people see of a whole node. */
type NodeState = keyof BoardCounts['nodes'];

interface NodeBox {
  /** Edges into it that are not settled. */
  missing: number;
  state: NodeState;
  /** Undefined while open, and for a node that failed for good or was closed: nothing follows from those. */
  settlement?: Settlement;
  /** Of a node without `forEach`. */
  readonly task: Task;
  readonly group: GroupBoard | null;
}

/** The board of a run: whole nodes, `forEach` groups, their gathers and lanes. */
export class RunBoard extends Board {
  readonly #nodes: readonly NodeBox[];
  readonly #followers: readonly (readonly number[])[];
  readonly #counts: Record<NodeState, number>;
  readonly #groups: readonly GroupBoard[];
  #moving = false;
  #moves: number[] = [];

  constructor(schedule: Schedule) {
    super(schedule, 'path');
    this.#followers = followersOf(schedule);
    this.#groups = (schedule.groups ?? []).map(
      (group) =>
        new GroupBoard(schedule, group.members, {
          ready: (task) => {
            this.ready(task);
          },
          skipped: (task, kind, reason) => {
            this.skip(task, kind, reason);
          },
          skipNode: (node, kind, reason) => {
            this.#skipNode(node, kind, reason);
          },
          settlementOf: (node) => this.#nodes[node]?.settlement,
          edgesLeft: (node) => this.#nodes[node]?.missing ?? 0,
        }),
    );
    this.#nodes = schedule.nodes.map((node, index) => ({
      missing: node.after.length,
      state: 'pending',
      task: newTask('node', index),
      group: node.group === undefined ? null : (this.#groups[node.group] ?? null),
    }));
    this.#counts = { pending: schedule.nodes.length, running: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
    this.#nodes.forEach((box, index) => {
      if (box.missing === 0) this.#edgesSettled(index);
    });
  }

  override take(suspended: boolean): Task | undefined {
    const task = super.take(suspended);
    if (task !== undefined && this.#nodes[task.node]?.state === 'pending') this.#enter(task.node, 'running');
    return task;
  }

  expanded(task: Task, count: number, mode: 'inline' | 'lanes'): void {
    task.state = 'done';
    if (this.closed === null) this.#groupOf(task)?.expand(count, mode, this.schedule.window);
  }

  finished(): boolean {
    return this.#counts.pending === 0 && this.#counts.running === 0;
  }

  unfinished(): readonly string[] {
    return this.#nodes.flatMap(({ state }, index) =>
      state === 'pending' || state === 'running' ? [this.schedule.nodes[index]?.id ?? ''] : [],
    );
  }

  counts(): BoardCounts {
    let all = 0;
    let settled = 0;
    for (const group of this.#groups) {
      all += group.instances;
      settled += group.settledInstances;
    }
    return { nodes: { ...this.#counts }, items: { all, settled } };
  }

  protected settled(task: Task, settlement: Settlement): void {
    if (task.kind === 'node' && task.item < 0) this.#settleNode(task.node, settlement);
    else if (task.kind === 'gather') this.#settleNode(task.node, settlement);
    else if (task.kind === 'expand') this.#groupOf(task)?.notExpanded(settlement);
    else if (this.closed === null) this.#groupOf(task)?.settle(task, settlement);
  }

  protected failedHard(task: Task): void {
    if (task.item < 0 && this.#isOpen(task.node)) this.#enter(task.node, 'failed');
  }

  protected closeAll(close: Close): void {
    for (const group of this.#groups)
      for (const task of group.tasks()) {
        if (task.state === 'waiting') super.closeTask(task, close, true);
        else if (task.state === 'retrying' && task.kind === 'node') this.giveUp(task, close);
        else if (task.state === 'pending' || task.state === 'ready' || task.state === 'held')
          super.closeTask(task, close, false);
      }
    this.#nodes.forEach((box, index) => {
      if (!this.#isOpen(index)) return;
      const task = box.group === null ? box.task : box.group.gatherOf(index);
      if (task?.state === 'running' || task?.state === 'following') return;
      if (task?.state === 'retrying' && task.lost === 0) {
        task.state = 'failed';
        this.#enter(index, 'failed');
      } else this.closeTask(task ?? newTask('gather', index), close, true);
    });
  }

  protected override closeTask(task: Task, close: Close, say: boolean): void {
    const whole = task.item < 0;
    if (whole && !this.#isOpen(task.node)) return;
    super.closeTask(task, close, say);
    if (whole) this.#enter(task.node, close.kind === 'cancelled' ? 'cancelled' : 'skipped');
  }

  #groupOf(task: Task): GroupBoard | null {
    return this.#nodes[task.node]?.group ?? null;
  }

  #isOpen(node: number): boolean {
    const state = this.#nodes[node]?.state;
    return state === 'pending' || state === 'running';
  }

  #enter(node: number, state: NodeState): void {
    const box = this.#nodes[node];
    if (box === undefined) return;
    this.#counts[box.state] -= 1;
    this.#counts[state] += 1;
    box.state = state;
  }

  #skipNode(node: number, kind: SkipKind, reason: string): void {
    const box = this.#nodes[node];
    if (box === undefined || !this.#isOpen(node)) return;
    box.task.state = 'skipped';
    this.decide({ node, item: -1 }, kind, 0, reason);
    this.#settleNode(node, kind);
  }

  /** Moves along the edges with a list, not by recursion: chains are as long as plans are. */
  #settleNode(node: number, settlement: Settlement): void {
    const box = this.#nodes[node];
    if (box === undefined || !this.#isOpen(node)) return;
    box.settlement = settlement;
    this.#enter(node, settlement === 'done' ? 'succeeded' : settlement === 'failed' ? 'failed' : 'skipped');
    if (this.closed !== null) return;
    this.#moves.push(node);
    if (this.#moving) return;
    this.#moving = true;
    for (let next = this.#moves.shift(); next !== undefined; next = this.#moves.shift())
      for (const follower of this.#followers[next] ?? []) {
        const followed = this.#nodes[follower];
        if (followed === undefined) continue;
        followed.missing -= 1;
        if (followed.missing === 0) this.#edgesSettled(follower);
      }
    this.#moving = false;
  }

  #edgesSettled(node: number): void {
    const box = this.#nodes[node];
    if (box === undefined || !this.#isOpen(node)) return;
    if (box.group !== null && !box.group.isHead(node)) {
      box.group.edgesSettled(node);
      return;
    }
    const needs = this.schedule.nodes[node]?.needs ?? [];
    const skip = consequence(
      needs.map((need) => [this.schedule.nodes[need]?.id ?? '', this.#nodes[need]?.settlement] as const),
    );
    if (skip === null && box.group === null) this.ready(box.task);
    else if (skip === null) box.group?.open();
    else {
      this.#skipNode(node, skip.kind, skip.reason);
      box.group?.skipRest(skip.kind);
    }
  }
}
