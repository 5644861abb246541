/**
 * Timers of this process as things that a walk lets pass: while it holds, `setTimeout` and `setInterval` wait for
 * `advanceTo`, so that leases, pauses and retries cost no real time and happen in an order that the seed decides.
 */
interface Armed {
  readonly id: number;
  dueAt: number;
  readonly every: number | null;
  readonly fire: () => void;
}

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
};

export class VirtualTime {
  now: number;
  readonly #armed = new Map<number, Armed>();
  #ids = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** Takes the process's timers over; `restore` gives them back. One at a time in a process. */
  install(): void {
    const arm =
      (repeats: boolean) =>
      (fire: () => void, ms = 0): object => {
        this.#ids += 1;
        const delay = Math.max(1, ms);
        const timer = { id: this.#ids, dueAt: this.now + delay, every: repeats ? delay : null, fire };
        this.#armed.set(timer.id, timer);
        const handle = { id: timer.id, unref: () => handle, ref: () => handle, [Symbol.toPrimitive]: () => timer.id };
        return handle;
      };
    const clear = (handle: unknown): void => {
      const id = (handle as { id?: number } | undefined)?.id;
      if (id !== undefined) this.#armed.delete(id);
    };
    Object.assign(globalThis, {
      setTimeout: arm(false),
      setInterval: arm(true),
      clearTimeout: clear,
      clearInterval: clear,
    });
  }

  restore(): void {
    Object.assign(globalThis, real);
    this.#armed.clear();
  }

  /** The process is gone: so are its timers. */
  forget(): void {
    this.#armed.clear();
  }

  nextDue(): number | undefined {
    return [...this.#armed.values()].map((timer) => timer.dueAt).sort((a, b) => a - b)[0];
  }

  /** Moves to `at` and fires what is due by then, each once. */
  advanceTo(at: number): void {
    this.now = Math.max(this.now, at);
    const due = [...this.#armed.values()].filter((timer) => timer.dueAt <= this.now);
    for (const timer of due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)) {
      if (!this.#armed.has(timer.id)) continue;
      if (timer.every === null) this.#armed.delete(timer.id);
      else timer.dueAt = this.now + timer.every;
      timer.fire();
    }
  }
}
