import { MOST_INLINE } from './lanes.ts';
import type { ScheduleGroup } from './schedule.ts';
import type { Task } from './task.ts';

/**
 * The run's 50 inline instances (I9). An expansion in flight holds what it may take, so that two at once never take more
 * together; what it did not use goes back.
 */
export class InlineBudget {
  #left = MOST_INLINE;
  readonly #held = new Map<Task, number>();

  /** What this expansion may take; the same for every attempt of it. */
  grant(task: Task, group: ScheduleGroup): number {
    const held = this.#held.get(task);
    if (held !== undefined) return held;
    const granted = Math.min(this.#left, group.maxItems * group.members.length);
    this.#left -= granted;
    this.#held.set(task, granted);
    return granted;
  }

  settle(task: Task, used: number): void {
    const held = this.#held.get(task) ?? 0;
    this.#held.delete(task);
    this.#left = Math.max(0, this.#left + held - used);
  }
}
