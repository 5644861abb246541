import type { EventRaised } from './events.ts';
import { ReplayTask } from './replayTask.ts';

/**
 * External events of one execution as the engine keeps them: names ignore case (the SDK does not: Q14), an early
 * event waits in a queue (oldest first), several waiters of one name form a stack (newest first: Q16).
 */
export class EventBuffer {
  readonly #waiters = new Map<string, ReplayTask[]>();
  readonly #buffered = new Map<string, EventRaised[]>();

  /** A wait: takes the oldest buffered event or becomes a waiter. */
  wait(name: string): ReplayTask {
    const key = name.toLowerCase();
    const early = this.#buffered.get(key);
    if (early?.shift() !== undefined) {
      if (early.length === 0) this.#buffered.delete(key);
      return ReplayTask.settled();
    }
    const task = new ReplayTask();
    const list = this.#waiters.get(key);
    if (list === undefined) this.#waiters.set(key, [task]);
    else list.push(task);
    return task;
  }

  /** An event arrives: wakes the newest waiter or is buffered. */
  raise(event: EventRaised): void {
    const key = event.Name.toLowerCase();
    const list = this.#waiters.get(key);
    const waiter = list?.pop();
    if (list?.length === 0) this.#waiters.delete(key);
    if (waiter !== undefined) {
      waiter.settle(false);
      return;
    }
    const early = this.#buffered.get(key);
    if (early === undefined) this.#buffered.set(key, [event]);
    else early.push(event);
  }
}
