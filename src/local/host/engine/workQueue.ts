/** Most jobs started in one turn of the event loop. */
const BURST = 16;

/**
 * Runs jobs, at most `limit` at a time, each key at most once at a time. A key that is added while it runs runs again
 * afterwards. Jobs start a few a turn of the event loop, so that many episodes do not starve the host.
 */
export class WorkQueue<K> {
  readonly #limit: number;
  readonly #job: (key: K) => Promise<void>;
  readonly #waiting = new Set<K>();
  readonly #running = new Set<K>();
  readonly #again = new Set<K>();
  #idle: (() => void)[] = [];
  #starting = false;
  #closed = false;

  /** @param job must not reject */
  constructor(limit: number, job: (key: K) => Promise<void>) {
    this.#limit = limit;
    this.#job = job;
  }

  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  add(key: K): void {
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#start();
  }

  #start(): void {
    if (this.#starting || this.#closed || this.#waiting.size === 0 || this.#running.size >= this.#limit) return;
    this.#starting = true;
    setImmediate(() => {
      this.#starting = false;
      // Several at once, so that they can commit together.
      for (let i = 0; i < BURST && !this.#closed && this.#running.size < this.#limit; i += 1) {
        const [key] = this.#waiting;
        if (key === undefined) return;
        this.#waiting.delete(key);
        this.#running.add(key);
        void this.#job(key).then(() => this.#ended(key));
      }
      this.#start();
    });
  }

  #ended(key: K): void {
    this.#running.delete(key);
    if (this.#again.delete(key) && !this.#closed) this.#waiting.add(key);
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.#start();
  }

  /** Starts nothing new; resolves when all running jobs have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
