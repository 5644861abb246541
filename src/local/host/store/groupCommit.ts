import type { Database } from './database.ts';

interface Waiting {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/**
 * Commits that several instances want in the same turn of the event loop, flushed to disk together: the flush is what
 * costs. Each piece of work is a savepoint of its own, so it is stored as a whole or not at all whatever becomes of
 * the others, and nobody is told before the flush.
 */
export class GroupCommit {
  readonly #db: Database;
  #waiting: Waiting[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves with the value of `work` once it is on disk; rejects with its error, or with that of the commit. */
  async run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: (value) => resolve(value as T), reject });
      if (this.#waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    let outcomes: Outcome[];
    try {
      outcomes = this.#db.transaction(() => group.map(({ work }) => this.#piece(work)));
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    group.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i];
      if (outcome?.ok === true) resolve(outcome.value);
      else reject(outcome?.error);
    });
  }

  #piece(work: () => unknown): Outcome {
    try {
      return { ok: true, value: this.#db.savepoint(work) };
    } catch (error) {
      return { ok: false, error };
    }
  }
}
