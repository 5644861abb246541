/**
 * The hand-driven binding: a test starts an orchestration, looks at what it has called, and settles calls, events and
 * timers in any order it likes. Time moves only when the test says so.
 */
import type { Json, Outcome, Pending, Step, Timer, Verbs } from '../../src/orchestration/verbs.ts';

const DAY_MS = 86_400_000;

interface Task extends Pending {
  readonly name: string;
  readonly input: Json;
  readonly dueAt: number;
  cancelled: boolean;
  settled: Outcome | undefined;
}

export class HandDriven<T> {
  #now: number;
  readonly #start: number;
  readonly calls: Task[] = [];
  readonly timers: Task[] = [];
  readonly events: Task[] = [];
  readonly statuses: Json[] = [];
  readonly #early = new Map<string, unknown[]>();
  readonly #generator: Step<T>;
  #waiting: readonly Pending[] = [];
  ended: { value: T } | { error: unknown } | undefined;

  constructor(start: (verbs: Verbs) => Step<T>, now = Date.UTC(2026, 0, 5)) {
    this.#now = now;
    this.#start = now;
    this.#generator = start(this.verbs());
    this.#resume();
  }

  verbs(): Verbs {
    const task = (kind: Pending['kind'], label: string, input: Json = null, dueAt = 0): Task & Timer => {
      const made = {
        kind: kind as 'time',
        label,
        name: label,
        input,
        dueAt,
        cancelled: false,
        settled: undefined as Outcome | undefined,
        outcome: () => made.settled,
        cancel: () => {
          if (made.settled === undefined) made.cancelled = true;
        },
      };
      return made;
    };
    return {
      now: () => this.#now,
      activity: (name, input) => this.#keep(this.calls, task('activity', name, structuredClone(input))),
      child: (name, instanceId, input) => this.#keep(this.calls, task('child', `${name}:${instanceId}`, input)),
      event: (name) => {
        const made = this.#keep(this.events, task('event', name));
        const early = this.#early.get(name)?.shift();
        if (early !== undefined) made.settled = { ok: true, value: early };
        return made;
      },
      time: (at) => {
        if (!this.#reaches(at))
          throw new RangeError('I11: no timer is longer than 2 days or later than 5 after the start');
        return this.#keep(this.timers, task('time', new Date(at).toISOString(), null, at));
      },
      reaches: (at) => this.#reaches(at),
      *firstOf(open) {
        for (const pending of open) if (pending.outcome() !== undefined) return pending;
        return (yield open) as Pending;
      },
      status: (value) => void this.statuses.push(value),
    };
  }

  /** Open calls of an activity, oldest first. */
  open(name?: string): Task[] {
    return this.calls.filter((call) => call.settled === undefined && (name === undefined || call.name === name));
  }

  answer(call: Task | undefined, value: unknown): void {
    if (call === undefined) throw new Error('no such open call');
    // Results cross a JSON boundary in production.
    this.#settle(call, { ok: true, value: JSON.parse(JSON.stringify(value)) as unknown });
  }

  lose(call: Task | undefined, message: string): void {
    if (call === undefined) throw new Error('no such open call');
    this.#settle(call, { ok: false, message });
  }

  get now(): number {
    return this.#now;
  }

  /** Raises an event: wakes the newest waiter of that name, or is kept for the next one. */
  raise(name: string, value: unknown = true): void {
    const waiter = this.events.findLast((event) => event.name === name && event.settled === undefined);
    if (waiter === undefined) this.#early.set(name, [...(this.#early.get(name) ?? []), value]);
    else this.#settle(waiter, { ok: true, value });
  }

  /** Moves the clock; due timers fire in order of their due time. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.openTimers()
        .filter((timer) => timer.dueAt <= until)
        .sort((a, b) => a.dueAt - b.dueAt)[0];
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.dueAt);
      this.#settle(due, { ok: true, value: null });
    }
    this.#now = until;
  }

  openTimers(): Task[] {
    return this.timers.filter((timer) => timer.settled === undefined && !timer.cancelled);
  }

  /** I11, as the durable binding has it. */
  #reaches(at: number): boolean {
    return at - this.#now <= 2 * DAY_MS && at - this.#start <= 5 * DAY_MS;
  }

  #keep<K extends Task & Timer>(list: Task[], task: K): K {
    list.push(task);
    return task;
  }

  #settle(task: Task, outcome: Outcome): void {
    if (task.settled !== undefined) throw new Error(`${task.name} is settled already`);
    task.settled = outcome;
    if (this.#waiting.includes(task)) this.#resume(task);
  }

  #resume(task?: Pending): void {
    this.#waiting = [];
    try {
      const step = this.#generator.next(task);
      if (step.done === true) this.ended = { value: step.value };
      else this.#waiting = step.value as readonly Pending[];
    } catch (error) {
      this.ended = { error };
    }
  }
}
