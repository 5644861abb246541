/** One shape over both hosts, so that one e2e suite runs on the embedded host and on the real engine. */

export type HostName = 'embedded' | 'engine';
export const HOST_NAMES: readonly HostName[] = ['embedded', 'engine'];

/** An instance as the management API answers it. */
export interface InstanceStatus {
  readonly name: string;
  readonly instanceId: string;
  /** `Pending Running Suspended ContinuedAsNew Completed Failed Terminated Canceled`. */
  readonly runtimeStatus: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly customStatus: unknown;
  readonly createdTime: string;
  readonly lastUpdatedTime: string;
  readonly historyEvents?: readonly Readonly<Record<string, unknown>>[];
}

export interface StatusQuery {
  readonly showHistory?: boolean;
  readonly showHistoryOutput?: boolean;
}

/** An answer of the management API, unread: for cases that look at status codes, headers and bodies. */
export interface ManagementAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * The durable management API under `/runtime/webhooks/durabletask`. Every method but `send` and `find` throws
 * `ManagementError` unless the answer says that it was done.
 */
export interface ManagementClient {
  /** Answers the id: the given one, or the engine's when `id` is undefined. */
  start(name: string, id: string | undefined, input: unknown): Promise<string>;
  status(id: string, query?: StatusQuery): Promise<InstanceStatus>;
  /** Undefined where the engine knows no such instance. */
  find(id: string, query?: StatusQuery): Promise<InstanceStatus | undefined>;
  raise(id: string, event: string, data: unknown): Promise<void>;
  terminate(id: string, reason: string): Promise<void>;
  suspend(id: string, reason: string): Promise<void>;
  resume(id: string, reason: string): Promise<void>;
  purge(id: string): Promise<void>;
  /** Any request, e.g. `send('GET', 'instances/x?showInput=false')`; the key is added. */
  send(method: string, path: string, body?: unknown): Promise<ManagementAnswer>;
}

export interface TestHost {
  readonly name: HostName;
  /** `http://localhost:<port>`; the same after `restart`. */
  readonly baseUrl: string;
  readonly client: ManagementClient;
  /** The app's environment, as the host process was given it. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of the app's ledger and of the embedded host's store (`GEOAGENT_STATE`). */
  readonly stateDirectory: string;
  /** Polls until the instance has ended. @param limitMs default 60 000 */
  waitForEnd(id: string, limitMs?: number): Promise<InstanceStatus>;
  /** Polls until `predicate` holds; a missing instance is waited for. @param limitMs default 60 000 */
  waitUntil(id: string, predicate: (status: InstanceStatus) => boolean, limitMs?: number): Promise<InstanceStatus>;
  /** kill -9 of everything but Azurite. */
  crash(): Promise<void>;
  /** Starts what was killed, on the same storage, task hub, state folder and port. */
  restart(): Promise<void>;
  /** kill -9 of the process with the app's code alone. The embedded host has only one process: the same as `crash`. */
  crashRunner(): Promise<void>;
  /** kill -9 of the engine's process alone. The embedded host has only one process: the same as `crash`. */
  crashEngine(): Promise<void>;
  /** Resolves when the process with the app's code has ended by itself. */
  runnerGone(): Promise<void>;
  /** Runs a timer function by hand (`POST /admin/functions/{name}`); resolves when it was accepted. */
  runTimer(functionName: string): Promise<void>;
  /** Moves the host's and the app's time forward; only with `clock: true`, so only on the embedded host. */
  advance(ms: number): Promise<void>;
  /** Time as host and app see it, ms since the epoch. */
  now(): Promise<number>;
  /** Last output lines of its processes, each with the process's name in front. */
  log(): string;
  stop(): Promise<void>;
}

export interface TestHostOptions {
  /** Folder with package.json and host.json; the repository by default. */
  readonly appDirectory?: string;
  /** Files that register functions, absolute or relative to the app; the repository's src/functions by default. */
  readonly entryFiles?: readonly string[];
  /** For the app, over the defaults (development, fresh task hub, fresh state folder, Azurite). */
  readonly env?: Readonly<Record<string, string>>;
  /** Lets `advance` move time. The engine refuses it: Azure's clock can't be moved. */
  readonly clock?: boolean;
  /** Checks function keys. */
  readonly enableAuth?: boolean;
  /** Embedded host only: fail an instance that would go wrong on the real engine. Default true. */
  readonly strict?: boolean;
  /** Engine only: what a lost runner means for its running invocations (see WorkerLoss). Default `redeliver`. */
  readonly workerLoss?: WorkerLoss;
}

/**
 * What the engine's host tells the extension about invocations whose runner died:
 * `redeliver` — nothing, the same message is executed again by the next runner (as when the whole instance is lost);
 * `fail` — a failed invocation, as the Functions host does it for Node when only its worker process has ended: an
 * activity ends in TaskFailed ("node exited with code 137 (0x89)"), an orchestrator ends Failed.
 */
export type WorkerLoss = 'redeliver' | 'fail';
