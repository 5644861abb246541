import type { ResultError } from './messages.ts';
import type { Pending, Timer, Verbs } from './verbs.ts';

const HOUR_MS = 3_600_000;
/** Steps toward a deadline that one timer can't reach (I11): the longest that reaches is taken. */
const STEPS_MS = [48 * HOUR_MS, 24 * HOUR_MS, 6 * HOUR_MS, HOUR_MS];

export const LATE: ResultError = {
  code: 'DEADLINE_EXCEEDED',
  class: 'permanent',
  message: 'The deadline of the run has passed.',
};

/**
 * Watches the absolute deadline of a run with timers that obey I11. Late in the life of an instance none reaches any
 * more; then nothing is armed: whatever is open ends by itself at the deadline, and the interpreter looks after each
 * settlement.
 */
export class Deadline {
  readonly #verbs: Verbs;
  readonly #at: number;
  #timer: Timer | null = null;

  constructor(verbs: Verbs, at: number) {
    this.#verbs = verbs;
    this.#at = at;
    this.#arm();
  }

  /** To wait for; empty when no timer reaches. */
  get pending(): readonly Pending[] {
    return this.#timer === null ? [] : [this.#timer];
  }

  passed(): boolean {
    return this.#verbs.now() >= this.#at;
  }

  /** Takes note of a settled pending and arms the next step when it was ours. */
  settled(pending: Pending): boolean {
    if (pending !== this.#timer) return false;
    this.#timer = null;
    if (!this.passed()) this.#arm();
    return true;
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    const now = this.#verbs.now();
    const at = [this.#at, ...STEPS_MS.map((step) => now + step)].find(
      (step) => step <= this.#at && this.#verbs.reaches(step),
    );
    this.#timer = at === undefined ? null : this.#verbs.time(at);
  }
}
