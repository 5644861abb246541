import type { Decision } from './messages.ts';
import type { Task } from './task.ts';
import type { Pending, Timer } from './verbs.ts';

/** What a pending of the interpreter is for. */
export type WorkKind =
  /** The activity of a task. */
  | 'call'
  /** A lane's child orchestration. */
  | 'lane'
  /** A lane whose child was lost is being recorded under its next attempt. */
  | 'record'
  /** Timer or sleep child of a wait. */
  | 'sleep'
  /** The child that follows a remote job. */
  | 'job'
  /** Timer or sleep child before the next attempt. */
  | 'backoff';

export interface Work {
  readonly kind: WorkKind;
  readonly task: Task;
  readonly attempt: number;
  /** Decisions that its input carried. */
  readonly carried: readonly Decision[];
  readonly label: string;
}

/** Calls that hold a slot of the window (I3): activities and lanes; waits and jobs hold none. */
function holdsSlot({ kind }: Work): boolean {
  return kind === 'call' || kind === 'lane' || kind === 'record';
}

/** Everything that the interpreter has started and not yet seen the end of. */
export class OpenWork {
  readonly #open = new Map<Pending, Work>();
  #slots = 0;

  get size(): number {
    return this.#open.size;
  }

  get slots(): number {
    return this.#slots;
  }

  add(pending: Pending, work: Work): void {
    this.#open.set(pending, work);
    if (holdsSlot(work)) this.#slots += 1;
  }

  /** Removes and answers what a settled pending was for. */
  close(pending: Pending): Work | undefined {
    const work = this.#open.get(pending);
    if (work === undefined) return undefined;
    this.#open.delete(pending);
    if (holdsSlot(work)) this.#slots -= 1;
    return work;
  }

  /** Those that hold a slot first: a result that is there is never overtaken by a timer. */
  *pendings(): Generator<Pending> {
    for (const [pending, work] of this.#open) if (holdsSlot(work)) yield pending;
    for (const [pending, work] of this.#open) if (!holdsSlot(work)) yield pending;
  }

  /** Waits over timers end at once (I7); children end by the ledger's flag and are awaited. */
  cancelTimers(): void {
    for (const pending of [...this.#open.keys()]) {
      if (pending.kind !== 'time') continue;
      (pending as Timer).cancel();
      this.close(pending);
    }
  }

  hasChildren(): boolean {
    for (const pending of this.#open.keys()) if (pending.kind === 'child') return true;
    return false;
  }

  /** What is running, for the status. */
  *labels(): Generator<string> {
    for (const work of this.#open.values()) if (holdsSlot(work)) yield work.label;
  }
}
