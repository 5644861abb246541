/**
 * A task of the host's replay. Continuations run at once and synchronously when it settles, as they do under the
 * engine's synchronous scheduler: the order of ids depends on it.
 */
export class ReplayTask {
  #settled = false;
  #failed = false;
  #final = false;
  readonly #continuations: (() => void)[] = [];

  get settled(): boolean {
    return this.#settled;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** The failure says of itself that it must not be retried. */
  get final(): boolean {
    return this.#final;
  }

  /** Settles the task; later calls do nothing. */
  settle(failed: boolean, final = false): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#failed = failed;
    this.#final = final;
    for (const next of this.#continuations.splice(0)) next();
  }

  /** Runs `next` when the task settles, or now when it has. */
  then(next: () => void): void {
    if (this.#settled) next();
    else this.#continuations.push(next);
  }

  static settled(failed = false): ReplayTask {
    const task = new ReplayTask();
    task.settle(failed);
    return task;
  }
}

/** Settles when the first of `tasks` has settled. */
export function firstSettled(tasks: readonly ReplayTask[]): ReplayTask {
  const result = new ReplayTask();
  for (const task of tasks) task.then(() => result.settle(task.failed));
  return result;
}

/** Settles when all of `tasks` have settled, also after a failure (unlike the SDK, which goes on at the first: Q9). */
export function allSettled(tasks: readonly ReplayTask[]): ReplayTask {
  const result = new ReplayTask();
  let open = tasks.length;
  if (open === 0) result.settle(false);
  for (const task of tasks) {
    task.then(() => {
      open -= 1;
      if (open === 0) result.settle(tasks.some((t) => t.failed));
    });
  }
  return result;
}
