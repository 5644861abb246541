import type { Task } from './task.ts';

/** The ready tasks, most urgent first. The order is total, so the order of insertion never shows (I2). */
export class TaskQueue {
  readonly #compare: (a: Task, b: Task) => number;
  #tasks: Task[] = [];

  constructor(compare: (a: Task, b: Task) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#tasks.length;
  }

  push(task: Task): void {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#tasks[middle];
      if (other !== undefined && this.#compare(other, task) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
  }

  /** Takes the most urgent one that `may` be taken. */
  take(may: (task: Task) => boolean): Task | undefined {
    const at = this.#tasks.findIndex(may);
    return at < 0 ? undefined : this.#tasks.splice(at, 1)[0];
  }

  clear(): void {
    this.#tasks = [];
  }
}
