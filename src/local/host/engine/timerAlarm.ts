import type { Clock } from '../clock.ts';

/** One armed timer for the earliest due message of the whole store; the store keeps the times, not the process. */
export class TimerAlarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at `at` (ms since the epoch) unless an earlier time is armed. */
  arm(at: number): void {
    if (at >= this.#armedFor) return;
    this.#cancel?.();
    this.#armedFor = at;
    this.#cancel = this.#clock.setTimer(at, () => {
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.#cancel = undefined;
      this.#ring();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#armedFor = Number.NEGATIVE_INFINITY;
  }
}
