import { Board, type BoardCounts, type Close } from './board.ts';
import { ItemBoard } from './itemBoard.ts';
import type { Schedule } from './schedule.ts';
import { isSettled, taskLabel, type Settlement, type Task } from './task.ts';

/** The board of a lane: some items of one group, item by item. What it never starts is closed by the run's own board. */
export class LaneBoard extends Board {
  readonly #items: ItemBoard;
  readonly #all: number;
  #settled = 0;

  /** @param items `from` ≤ i < `to`; their first attempt has the number `firstAttempt`. */
  constructor(
    schedule: Schedule,
    items: { readonly from: number; readonly to: number; readonly firstAttempt: number },
  ) {
    super(schedule, 'item', items.firstAttempt);
    const members = schedule.nodes.map((_, index) => index);
    this.#all = members.length * (items.to - items.from);
    this.#items = new ItemBoard(schedule, members, items, {
      ready: (task) => {
        this.ready(task);
      },
      skipped: (task, kind, reason) => {
        this.skip(task, kind, reason);
        this.#settled += 1;
      },
      itemsSettled: () => undefined,
    });
    for (const task of this.#items.tasks()) task.attempt = items.firstAttempt - 1;
    this.#items.start();
  }

  expanded(): void {
    throw new Error('DETERMINISM_VIOLATION: a lane expands nothing');
  }

  finished(): boolean {
    return this.#settled === this.#all;
  }

  unfinished(): readonly string[] {
    const open: string[] = [];
    for (const task of this.#items.tasks())
      if (!isSettled(task)) open.push(taskLabel(this.schedule.nodes[task.node]?.id ?? '', task.item));
    return open;
  }

  counts(): BoardCounts {
    const nodes = {
      pending: 0,
      running: this.schedule.nodes.length,
      succeeded: 0,
      failed: 0,
      skipped: 0,
      cancelled: 0,
    };
    return { nodes, items: { all: this.#all, settled: this.#settled } };
  }

  protected settled(task: Task, settlement: Settlement): void {
    this.#settled += 1;
    if (this.closed === null) this.#items.settle(task, settlement);
  }

  protected failedHard(): void {
    this.#settled += 1;
  }

  protected closeAll(close: Close): void {
    for (const task of this.#items.tasks()) {
      if (task.state === 'waiting') this.closeTask(task, close, true);
      else if (task.state === 'retrying') this.giveUp(task, close);
      else if (task.state === 'pending' || task.state === 'ready' || task.state === 'held')
        this.closeTask(task, close, false);
    }
  }
}
