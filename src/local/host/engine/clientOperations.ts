import type { Clock } from '../clock.ts';
import { EventType, isFinal, messageBase, type MessageEvent, type RuntimeStatus } from '../durable/events.ts';
import type { InstanceFilter, InstanceRecord } from '../store/instanceTable.ts';
import type { Store } from '../store/store.ts';
import { ClientError } from './clientError.ts';
import { createInstance } from './commitEpisode.ts';
import { newId } from './episodeRunner.ts';
import type { FunctionIndex } from './functionIndex.ts';
import type { HistoryCache } from './historyCache.ts';
import { checkInstanceId } from './instanceId.ts';

/** What became of a message to an instance. */
export type Delivery = 'accepted' | 'notFound' | 'finished';

export interface ClientScope {
  readonly store: Store;
  readonly functions: FunctionIndex;
  readonly cache: HistoryCache;
  readonly clock: Clock;
  readonly anyStateOverridable: boolean;
  readonly strict: boolean;
  /** An instance has something to do. */
  kick(instanceId: string): void;
}

/** Operations of the durable client. Each is stored and flushed before it returns. */
export class ClientOperations {
  readonly #scope: ClientScope;

  constructor(scope: ClientScope) {
    this.#scope = scope;
  }

  /**
   * Creates an instance.
   * @param input JSON text, or null for none
   * @returns its id
   * @throws ClientError: id of an instance that is not finished (exists); in strict mode also unknown function and
   *   forbidden id (argument). The engine takes both: an instance of an unknown function fails in its first episode.
   */
  start(
    name: string,
    options: { instanceId?: string | undefined; input: string | null; version?: string | undefined },
  ): string {
    const { store, functions, clock, cache, strict } = this.#scope;
    if (strict && functions.orchestrator(name) === undefined) {
      throw new ClientError(
        'argument',
        `The function '${name}' doesn't exist, is disabled, or is not an orchestrator function.`,
      );
    }
    const given = options.instanceId;
    const instanceId = given === undefined || given === '' ? newId() : given;
    if (strict) checkInstanceId(instanceId);
    store.transaction(() => {
      const existing = store.instances.get(instanceId);
      if (existing !== undefined && !isFinal(existing.status) && !this.#scope.anyStateOverridable) {
        throw new ClientError('exists', `An Orchestration instance with the status ${existing.status} already exists.`);
      }
      createInstance(store, {
        instanceId,
        executionId: newId(),
        name,
        version: options.version ?? '',
        input: options.input,
        parent: null,
        at: clock.now(),
      });
    });
    cache.forget(instanceId);
    this.#scope.kick(instanceId);
    return instanceId;
  }

  status(instanceId: string): InstanceRecord | undefined {
    return this.#scope.store.instances.get(instanceId);
  }

  /** Stored events as JSON texts. */
  history(instanceId: string): string[] {
    return this.#scope.store.instances.history(instanceId);
  }

  list(filter: InstanceFilter): InstanceRecord[] {
    return this.#scope.store.instances.list(filter);
  }

  /** @param input JSON text */
  raise(instanceId: string, eventName: string, input: string | null): Delivery {
    if (this.#scope.strict && /^\d+$/.test(eventName)) {
      throw new ClientError(
        'argument',
        `The event name '${eventName}' is a number: the SDK would take it for the result of a task (Q15).`,
      );
    }
    return this.#send(instanceId, (at) => ({
      ...messageBase(at),
      EventType: EventType.EventRaised,
      Name: eventName,
      Input: input,
    }));
  }

  terminate(instanceId: string, reason: string | null): Delivery {
    return this.#send(instanceId, (at) => ({
      ...messageBase(at),
      EventType: EventType.ExecutionTerminated,
      Input: reason,
    }));
  }

  /** @throws ClientError (state) when it is suspended already */
  suspend(instanceId: string, reason: string | null): Delivery {
    if (this.status(instanceId)?.status === 'Suspended') {
      throw new ClientError(
        'state',
        `Cannot suspend the orchestration instance ${instanceId} because instance is in the Suspended state.`,
      );
    }
    return this.#send(instanceId, (at) => ({
      ...messageBase(at),
      EventType: EventType.ExecutionSuspended,
      Reason: reason,
    }));
  }

  /** @throws ClientError (state) when it is not suspended */
  resume(instanceId: string, reason: string | null): Delivery {
    const record = this.status(instanceId);
    if (record !== undefined && !isFinal(record.status) && record.status !== 'Suspended') {
      throw new ClientError(
        'state',
        `Cannot resume the orchestration instance ${instanceId} because instance is in the ${record.status} state.`,
      );
    }
    return this.#send(instanceId, (at) => ({
      ...messageBase(at),
      EventType: EventType.ExecutionResumed,
      Reason: reason,
    }));
  }

  /**
   * Starts the same function with the same input.
   * @throws ClientError when the instance is unknown, or when its id is kept while it runs
   */
  restart(instanceId: string, withNewId: boolean): string {
    const record = this.status(instanceId);
    if (record === undefined)
      throw new ClientError('argument', `An orchestrator with the instanceId ${instanceId} was not found.`);
    return this.start(record.name, {
      input: record.input,
      version: record.version,
      ...(withNewId ? {} : { instanceId }),
    });
  }

  /** Removes one instance in whatever state; false when it is unknown. */
  purge(instanceId: string): boolean {
    const { store, cache } = this.#scope;
    const removed = store.transaction(() => {
      store.inbox.removeInstance(instanceId);
      return store.instances.remove(instanceId);
    });
    cache.forget(instanceId);
    return removed;
  }

  /** Removes by creation time. Without a terminal status in the filter, running instances go too, as on Azure Storage. */
  purgeBy(filter: { createdFrom: number; createdTo: number; statuses: readonly RuntimeStatus[] }): number {
    const terminal = filter.statuses.filter(isFinal);
    const found = this.list({
      createdFrom: filter.createdFrom,
      createdTo: filter.createdTo,
      ...(terminal.length > 0 ? { statuses: terminal } : {}),
    });
    return found.filter((record) => this.purge(record.instanceId)).length;
  }

  #send(instanceId: string, build: (at: number) => MessageEvent): Delivery {
    const { store, clock } = this.#scope;
    const delivery = store.transaction((): Delivery => {
      const record = store.instances.get(instanceId);
      if (record === undefined) return 'notFound';
      if (isFinal(record.status)) return 'finished';
      const at = clock.now();
      store.inbox.add({ instanceId, executionId: null, isTimer: false, dueMs: at, event: build(at) });
      return 'accepted';
    });
    if (delivery === 'accepted') this.#scope.kick(instanceId);
    return delivery;
  }
}
