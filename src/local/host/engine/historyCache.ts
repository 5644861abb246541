import type { HistoryEvent } from '../durable/events.ts';
import type { InstanceTable } from '../store/instanceTable.ts';

interface Cached {
  readonly executionId: string;
  readonly texts: string[];
  readonly events: HistoryEvent[];
}

/** Histories of recently used instances, so that an episode does not read and parse them again. Holds committed events only. */
export class HistoryCache {
  readonly #instances: InstanceTable;
  readonly #entries = new Map<string, Cached>();
  readonly #limit: number;

  /** @param limit largest number of instances held */
  constructor(instances: InstanceTable, limit = 256) {
    this.#instances = instances;
    this.#limit = limit;
  }

  /** The stored events of this execution, as texts and parsed. */
  read(
    instanceId: string,
    executionId: string,
  ): { readonly texts: readonly string[]; readonly events: readonly HistoryEvent[] } {
    let entry = this.#entries.get(instanceId);
    if (entry?.executionId !== executionId) {
      const texts = this.#instances.history(instanceId);
      entry = { executionId, texts, events: texts.map((text) => JSON.parse(text) as HistoryEvent) };
    }
    // Last used stands last; the first is dropped when there are too many.
    this.#entries.delete(instanceId);
    this.#entries.set(instanceId, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  /** To be called after the commit that appended these events. */
  appended(instanceId: string, executionId: string, texts: readonly string[], events: readonly HistoryEvent[]): void {
    const entry = this.#entries.get(instanceId);
    if (entry?.executionId !== executionId) return;
    entry.texts.push(...texts);
    entry.events.push(...events);
  }

  forget(instanceId: string): void {
    this.#entries.delete(instanceId);
  }
}
