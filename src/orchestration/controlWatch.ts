import type { z } from 'zod';
import { notTooOften, readAnswer, type Calls } from './answer.ts';
import { controlResult, endReason } from './messages.ts';
import { ACTIVITY, CHILD, controlEvent } from './names.ts';
import type { Pending, Timer, Verbs } from './verbs.ts';

export type Control = z.infer<typeof controlResult>;

export interface ControlIds {
  readonly runId: string;
  readonly instanceId: string;
  readonly warrant: string;
}

/** The question for the flag, or the pause before it is asked again. */
interface Asking {
  readonly pending: Pending;
  readonly tries: number;
  /** Something woke us meanwhile: the answer may be older than that. */
  again: boolean;
}

/**
 * What the run is told from outside. The event only wakes; the ledger's flag is read, and the next event awaited is the
 * one after the change that was read (I6). Work goes on while the flag is being read. While the run is suspended a
 * recorded `hold` child is open, a second way to notice that it goes on.
 */
export class ControlWatch {
  readonly #verbs: Verbs;
  readonly #calls: Calls;
  readonly #ids: ControlIds;
  readonly #holds = new Set<Pending>();
  readonly #begun = new Set<string>();
  #seq: number;
  #event: Pending;
  #asking: Asking | null = null;
  #heard = false;
  #suspended = false;
  #late = false;

  constructor(verbs: Verbs, calls: Calls, ids: ControlIds, seq: number) {
    this.#verbs = verbs;
    this.#calls = calls;
    this.#ids = ids;
    this.#seq = seq;
    this.#event = verbs.event(controlEvent(ids.runId, seq + 1));
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  /** Whether the flag is being read. */
  get asking(): boolean {
    return this.#asking !== null;
  }

  /** A hold child has met the deadline on the ledger's clock, which counts. */
  get late(): boolean {
    return this.#late;
  }

  get holds(): readonly Pending[] {
    return [...this.#holds];
  }

  /** What wakes, beside the question that is open; an event that has woken us once is waited for no more. */
  get wakers(): readonly Pending[] {
    return this.#heard ? [...this.#holds] : [...this.#holds, this.#event];
  }

  get question(): readonly Pending[] {
    return this.#asking === null ? [] : [this.#asking.pending];
  }

  /** The ledger gave something back because the run is suspended: nothing more is tried until the flag was read. */
  heldBack(): void {
    this.#suspended = true;
    this.ask();
  }

  /** Reads the flag; a question that is open already is asked again after its answer. */
  ask(): void {
    if (this.#asking === null) this.#call(1);
    else this.#asking.again = true;
  }

  /** Once the run stops no answer matters: a pause ends, a call is awaited. */
  stop(): void {
    if (this.#asking?.pending.kind !== 'time') return;
    (this.#asking.pending as Timer).cancel();
    this.#asking = null;
  }

  /** Takes a settled pending; the flag when it was the answer. With `stopped` nothing is asked again. */
  settled(pending: Pending, stopped: boolean): Control | null {
    if (pending === this.#asking?.pending) return this.#answered(this.#asking, stopped);
    if (pending === this.#event) this.#heard = true;
    if (this.#holds.has(pending) && endReason(pending.outcome()) === 'deadline') {
      this.#holds.delete(pending);
      this.#late = true;
      return null;
    }
    if (this.#holds.delete(pending) || pending === this.#event) this.ask();
    return null;
  }

  #call(tries: number): void {
    const { runId, instanceId, warrant } = this.#ids;
    const pending = this.#verbs.activity(ACTIVITY.control, { version: 1, runId, by: instanceId, warrant });
    this.#asking = { pending, tries, again: false };
  }

  #answered({ pending, tries, again }: Asking, stopped: boolean): Control | null {
    this.#asking = null;
    if (stopped) return null;
    if (pending.kind !== 'activity') {
      this.#call(tries + 1);
      return null;
    }
    const read = readAnswer(pending, controlResult);
    if (!read.ok) {
      notTooOften(ACTIVITY.control, tries, read.message);
      this.#asking = { pending: this.#calls.pause(ACTIVITY.control, tries), tries, again };
      return null;
    }
    const answer = read.value;
    this.#take(answer);
    if (again) this.#call(1);
    return answer;
  }

  #take(answer: Control): void {
    const { runId } = this.#ids;
    if (answer.seq !== this.#seq || this.#event.outcome() !== undefined) {
      this.#seq = answer.seq;
      this.#event = this.#verbs.event(controlEvent(runId, answer.seq + 1));
      this.#heard = false;
    }
    this.#suspended = answer.control === 'suspend';
    const hold = answer.hold?.instanceId;
    if (!this.#suspended || hold === undefined || this.#begun.has(hold)) return;
    this.#begun.add(hold);
    this.#holds.add(this.#verbs.child(CHILD.sleep, hold, { version: 1, runId, instanceId: hold }));
  }
}
