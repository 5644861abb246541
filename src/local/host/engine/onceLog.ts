import type { HostLog, LogLevel } from './hostLog.ts';

/**
 * Says each thing about an instance once. An episode replays the whole history, so what was found in one is found again
 * in all that follow.
 */
export class OnceLog {
  readonly #log: HostLog;
  readonly #limit: number;
  readonly #said = new Map<string, Set<string>>();

  /** @param limit most instances that are remembered; of older ones a thing may be said again */
  constructor(log: HostLog, limit = 1_000) {
    this.#log = log;
    this.#limit = limit;
  }

  say(level: LogLevel, instanceId: string, text: string, functionName: string): void {
    let said = this.#said.get(instanceId);
    if (said === undefined) {
      said = new Set();
      const [oldest] = this.#said.keys();
      if (this.#said.size >= this.#limit && oldest !== undefined) this.#said.delete(oldest);
      this.#said.set(instanceId, said);
    }
    if (said.has(text)) return;
    said.add(text);
    this.#log(level, `${instanceId}: ${text}`, functionName);
  }

  /** The instance has ended, or begins anew. */
  forget(instanceId: string): void {
    this.#said.delete(instanceId);
  }
}
