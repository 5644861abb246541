import { TERMINAL_STATUSES, type RunRow } from '../ledger/port.ts';
import type { NodeError } from '../plan/errors.ts';
import type { Services } from '../runs/services.ts';

/**
 * Keeps the owner lease of an operation alive while its tool runs, and looks at the run's control flag on the way:
 * a cancelled run, a passed deadline or a lost lease aborts the tool (I7, O-14).
 */
export class Lease {
  readonly #services: Services;
  readonly #run: RunRow;
  readonly #key: string;
  readonly #token: number;
  readonly #ownerMs: number;
  readonly #heedsRun: boolean;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #busy = false;
  #reason: NodeError | null = null;

  /** @param heedsRun whether a cancelled run and a passed deadline end the work, as against a lost lease alone */
  constructor(services: Services, run: RunRow, key: string, token: number, ownerMs: number, heedsRun = true) {
    this.#heedsRun = heedsRun;
    this.#services = services;
    this.#run = run;
    this.#key = key;
    this.#token = token;
    this.#ownerMs = ownerMs;
    this.#timer = setInterval(() => void this.#beat(), ownerMs / 4);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why the tool was aborted; null when it was not. */
  reason(): NodeError | null {
    return this.#reason;
  }

  release(): void {
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#busy || this.#abort.signal.aborted) return;
    this.#busy = true;
    try {
      const now = this.#services.now();
      if (!(await this.#services.ledger.renew(this.#key, this.#token, now + this.#ownerMs))) {
        this.#stop({
          code: 'STORE_UNAVAILABLE',
          class: 'transient',
          message: 'Another execution of this node took over.',
        });
        return;
      }
      if (!this.#heedsRun) return;
      const run = await this.#services.ledger.getRun(this.#run.runId);
      if (run === undefined || run.control === 'cancel' || TERMINAL_STATUSES.has(run.status)) {
        this.#stop({ code: 'CANCELLED', class: 'permanent', message: 'The run was cancelled.' });
      } else if (run.deadlineAt !== null && now > run.deadlineAt) {
        this.#stop({ code: 'DEADLINE_EXCEEDED', class: 'permanent', message: 'The deadline of the run has passed.' });
      }
    } catch {
      // The store is away for a moment: the lease may lapse, and then the next beat says so.
    } finally {
      this.#busy = false;
    }
  }

  #stop(reason: NodeError): void {
    this.#reason = reason;
    this.#abort.abort();
  }
}
