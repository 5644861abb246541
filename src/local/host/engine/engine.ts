import type { Clock } from '../clock.ts';
import type { HostConfig } from '../config/hostJson.ts';
import type { LoadedApp } from '../core/loadApp.ts';
import { isFinal } from '../durable/events.ts';
import type { ActivityRecord } from '../store/activityTable.ts';
import type { InstanceRecord } from '../store/instanceTable.ts';
import type { Store } from '../store/store.ts';
import { runActivity, type ActivityScope } from './activityRunner.ts';
import { ClientOperations } from './clientOperations.ts';
import { runEpisode, type EpisodeScope } from './episodeRunner.ts';
import type { FunctionIndex } from './functionIndex.ts';
import { HistoryCache } from './historyCache.ts';
import type { HostLog } from './hostLog.ts';
import { OnceLog } from './onceLog.ts';
import { TimerAlarm } from './timerAlarm.ts';
import { WorkQueue } from './workQueue.ts';

export interface EngineOptions {
  readonly app: LoadedApp;
  readonly functions: FunctionIndex;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: HostLog;
  readonly config: HostConfig;
  readonly strict: boolean;
  readonly repeatEpisodes: boolean;
  clientBinding(): string;
}

type Listener = (record: InstanceRecord) => void;

/** The dispatcher: orchestrator episodes, activities and timers of one store. */
export class Engine {
  readonly client: ClientOperations;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: HostLog;
  readonly #episodeScope: EpisodeScope;
  readonly #activityScope: ActivityScope;
  readonly #episodes: WorkQueue<string>;
  readonly #activities: WorkQueue<ActivityRecord>;
  readonly #alarm: TimerAlarm;
  readonly #listeners = new Map<string, Set<Listener>>();
  #closed = false;

  constructor(options: EngineOptions) {
    const { app, functions, store, clock, log, config, strict } = options;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    const cache = new HistoryCache(store.instances);
    this.#episodeScope = {
      app,
      functions,
      store,
      cache,
      clock,
      log: new OnceLog(log),
      strict,
      repeatEpisodes: options.repeatEpisodes,
      storeInputs: config.storeInputs,
      maxActions: config.maxActions,
    };
    this.#activityScope = {
      app,
      functions,
      store,
      clock,
      log,
      timeoutMs: config.functionTimeoutMs,
      clientBinding: () => options.clientBinding(),
      closed: () => this.#closed,
    };
    this.#episodes = new WorkQueue(config.maxOrchestrators, (id) =>
      this.#guard(`instance ${id}`, () => this.#episode(id)),
    );
    this.#activities = new WorkQueue(config.maxActivities, (record) =>
      this.#guard(`activity ${record.name}`, () => this.#activity(record)),
    );
    this.#alarm = new TimerAlarm(clock, () => this.#ring());
    this.client = new ClientOperations({
      store,
      functions,
      cache,
      clock,
      strict,
      anyStateOverridable: config.anyStateOverridable,
      kick: (id) => this.#episodes.add(id),
    });
  }

  /** Takes up what the store holds: due messages, timers, and activities without a stored completion. */
  start(): void {
    for (const id of this.#store.inbox.readyInstances(this.#clock.now())) this.#episodes.add(id);
    for (const record of this.#store.activities.all()) this.#activities.add(record);
    this.#armNext();
  }

  /** Number of episodes and activities that are queued or running. */
  get busy(): number {
    return this.#episodes.size + this.#activities.size;
  }

  /**
   * Resolves with the record once it satisfies `wanted` (default: finished), at once or after one of its episodes.
   * @throws when the instance is unknown, or when it has not come by `until` (ms since the epoch)
   */
  async waitFor(
    instanceId: string,
    wanted: (record: InstanceRecord) => boolean = (r) => isFinal(r.status),
    until?: number,
  ): Promise<InstanceRecord> {
    const now = this.#store.instances.get(instanceId);
    if (now === undefined) throw new Error(`There is no instance ${instanceId}.`);
    if (wanted(now)) return now;
    return new Promise((resolve, reject) => {
      const listeners = this.#listeners.get(instanceId) ?? new Set();
      this.#listeners.set(instanceId, listeners);
      const forget = (): void => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(instanceId);
      };
      const listener: Listener = (record) => {
        if (!wanted(record)) return;
        cancel?.();
        forget();
        resolve(record);
      };
      const cancel =
        until === undefined
          ? undefined
          : this.#clock.setTimer(until, () => {
              forget();
              reject(new Error(`The instance ${instanceId} did not get there in time.`));
            });
      listeners.add(listener);
    });
  }

  /**
   * Stops: nothing new starts, running work gets until `graceMs` from now; what is left stays in the store and runs
   * again at the next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#alarm.stop();
    let timer: NodeJS.Timeout | undefined;
    // Real time on purpose: a stop must end also under a manual clock.
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all([this.#episodes.close(), this.#activities.close()]), grace]);
    clearTimeout(timer);
    this.#closed = true;
  }

  async #guard(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#closed) return;
      this.#log(
        'error',
        `${what}: the host failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }

  async #episode(instanceId: string): Promise<void> {
    const aftermath = await runEpisode(this.#episodeScope, instanceId);
    if (aftermath === undefined) return;
    for (const record of aftermath.activities) this.#activities.add(record);
    for (const id of aftermath.kicked) this.#episodes.add(id);
    for (const at of aftermath.timers) this.#alarm.arm(at);
    for (const listener of [...(this.#listeners.get(instanceId) ?? [])]) listener(aftermath.record);
  }

  async #activity(record: ActivityRecord): Promise<void> {
    const waiting = await runActivity(this.#activityScope, record);
    if (waiting !== undefined) this.#episodes.add(waiting);
  }

  #ring(): void {
    for (const id of this.#store.inbox.instancesWithDueTimer(this.#clock.now())) this.#episodes.add(id);
    this.#armNext();
  }

  #armNext(): void {
    const next = this.#store.inbox.nextTimer(this.#clock.now());
    if (next !== undefined) this.#alarm.arm(next);
  }
}
