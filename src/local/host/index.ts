import { join } from 'node:path';
import { clientBinding, type DurableUrls } from './client/urls.ts';
import { startRpcServer } from './client/rpcServer.ts';
import { systemClock, type Clock } from './clock.ts';
import { readHostConfig } from './config/hostJson.ts';
import type { Settings } from './config/settings.ts';
import { loadApp, type LoadedApp } from './core/loadApp.ts';
import type { ClientOperations } from './engine/clientOperations.ts';
import { Engine } from './engine/engine.ts';
import { indexFunctions } from './engine/functionIndex.ts';
import type { HostLog, LogLevel } from './engine/hostLog.ts';
import { serveApp, WEBHOOK_PATH, type AppServerScope } from './http/appServer.ts';
import { empty } from './http/httpTriggers.ts';
import { hostKeys, type HostKeys } from './http/keys.ts';
import { listenLoopback, type Listener } from './http/loopback.ts';
import { buildRoutes } from './http/routes.ts';
import { serveManagement } from './management/httpAdapter.ts';
import type { InstanceRecord } from './store/instanceTable.ts';
import { openStore } from './store/store.ts';
import { TimerTriggers } from './timers/timerTriggers.ts';

export { manualClock, type Clock } from './clock.ts';
export { StoreLockedError } from './store/lock.ts';

export interface HostOptions {
  /** Folder of package.json and host.json. */
  readonly appDirectory: string;
  /** Files to load instead of package.json's `main`. */
  readonly entryFiles?: readonly string[];
  /** Folder of the store; made when missing. */
  readonly stateDirectory: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Settings for `%NAME%` in host.json and bindings; default: the process's environment. */
  readonly env?: Settings;
  readonly clock?: Clock;
  /** Default: the console, without debug lines. */
  readonly log?: (level: LogLevel, message: string, functionName?: string) => void;
  /** Checks function keys; off by default, like Core Tools. The durable webhooks always need their key. */
  readonly enableAuth?: boolean;
  /** Fails an instance that would hang or go wrong silently on Azure. */
  readonly strict?: boolean;
  /**
   * Runs every orchestrator episode twice over the same history and fails the instance when the answers differ: finds
   * clocks, random numbers and counters that no history shows. Logs of orchestrators come twice.
   */
  readonly repeatEpisodes?: boolean;
  /** An app that is loaded already (a second host in one process). */
  readonly app?: LoadedApp;
  /** How long running work gets at `stop`, ms; 5 000 by default. */
  readonly graceMs?: number;
}

export interface Host {
  readonly port: number;
  /** 0 when the endpoint is off. */
  readonly rpcPort: number;
  /** `http://localhost:<port>`. */
  readonly baseUrl: string;
  readonly keys: HostKeys;
  readonly app: LoadedApp;
  /** Operations of the durable client, in-process. */
  readonly client: ClientOperations;
  /** Resolves with the record once it satisfies `wanted` (default: finished). */
  waitFor(instanceId: string, wanted?: (record: InstanceRecord) => boolean): Promise<InstanceRecord>;
  /** Stops accepting, waits for running work, leaves the rest in the store, closes it. */
  stop(): Promise<void>;
}

const consoleLog: HostLog = (level, message, functionName) => {
  if (level === 'debug') return;
  const line = functionName === undefined ? message : `[${functionName}] ${message}`;
  if (level === 'error' || level === 'warning') console.error(line);
  else console.log(line);
};

/** Levels of the worker protocol in the host's words. */
function levelOf(level: string): LogLevel {
  if (level === 'error' || level === 'critical') return 'error';
  if (level === 'warning' || level === 'information') return level;
  return 'debug';
}

/** Steps of a stop, in this order: no new work, then the endpoint that running work calls, then the app, then the store. */
const PHASES = ['work', 'rpc', 'app', 'store'] as const;
type OnStop = (phase: (typeof PHASES)[number], step: () => Promise<void> | void) => void;

/** Starts everything; each part says how it is stopped as soon as it runs, so that a later failure leaves nothing behind. */
async function begin(options: HostOptions, onStop: OnStop): Promise<Omit<Host, 'stop'>> {
  const settings = options.env ?? process.env;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? consoleLog;
  const graceMs = options.graceMs ?? 5_000;
  const config = readHostConfig(options.appDirectory, settings);
  const store = openStore(join(options.stateDirectory, config.hubName.replace(/[^A-Za-z0-9._-]/g, '_')));
  onStop('store', () => store.close());
  const keys = hostKeys(store);

  // The port must be known before the app is loaded: its durable client builds links from WEBSITE_HOSTNAME.
  const waiting: { serve?: AppServerScope } = {};
  const listener: Listener = await listenLoopback(
    options.port,
    (request, response) => {
      if (waiting.serve === undefined) {
        empty(response, 503);
        return;
      }
      serveApp(waiting.serve, request, response).catch((error: unknown) => {
        log('error', `the host failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        empty(response, 500);
      });
    },
    { ipv6: true },
  );
  onStop('work', () => listener.close(graceMs));
  process.env['WEBSITE_HOSTNAME'] = `localhost:${listener.port}`;

  const app =
    options.app ??
    (await loadApp({
      appDirectory: options.appDirectory,
      log: (level, _category, message, functionName) => log(levelOf(level), message, functionName),
      ...(options.entryFiles === undefined ? {} : { entryFiles: options.entryFiles }),
    }));
  onStop('app', () => app.stop());
  const functions = indexFunctions(app, log);

  const baseUrl = `http://localhost:${listener.port}`;
  let rpcPort = 0;
  const urls = (): DurableUrls => ({
    webhookBase: `${baseUrl}${WEBHOOK_PATH}`,
    rpcBase: rpcPort === 0 ? null : `http://127.0.0.1:${rpcPort}/durabletask/`,
    hubName: config.hubName,
    key: keys.durable,
  });
  const binding = (): string => clientBinding(urls());
  const engine = new Engine({
    app,
    functions,
    store,
    clock,
    log,
    config,
    strict: options.strict === true,
    repeatEpisodes: options.repeatEpisodes === true,
    clientBinding: binding,
  });
  onStop('work', () => engine.stop(graceMs));
  const management = { engine, clock, urls };
  if (config.rpcEnabled) {
    const rpc = await startRpcServer(management, (error) => log('error', `the RPC endpoint failed: ${String(error)}`));
    onStop('rpc', () => rpc.close(graceMs));
    rpcPort = rpc.port;
  }
  const timers = new TimerTriggers(
    { app, clock, monitors: store.monitors, settings, log, clientBinding: binding },
    functions.timers,
  );
  onStop('work', () => timers.stop(graceMs));
  const routes = buildRoutes(functions.http, config.routePrefix, settings, log);
  const http = { app, routes, keys, enableAuth: options.enableAuth === true, log, clientBinding: binding };
  for (const fn of app.functions) log('debug', fn.trigger.type, fn.name);

  engine.start();
  waiting.serve = {
    http,
    timers,
    webhooks: (request, response, url) => serveManagement(management, WEBHOOK_PATH, request, response, url),
  };
  timers.start();
  return {
    port: listener.port,
    rpcPort,
    baseUrl,
    keys,
    app,
    client: engine.client,
    waitFor: (id, wanted) => engine.waitFor(id, wanted),
  };
}

/**
 * Starts the embedded host: loads the app, opens the store, takes up what a crash has left, serves HTTP.
 * @throws StoreLockedError when another host has the store; EADDRINUSE; AppLoadError when the app cannot be loaded
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const steps = new Map(PHASES.map((phase) => [phase, [] as (() => Promise<void> | void)[]]));
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (const phase of PHASES) await Promise.all((steps.get(phase) ?? []).map(async (step) => step()));
  };
  try {
    const host = await begin(options, (phase, step) => steps.get(phase)?.push(step));
    return { ...host, stop: () => (stopped ??= stopAll()) };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
