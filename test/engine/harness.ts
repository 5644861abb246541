/**
 * The real Durable Task extension for tests: Azurite, the Node runner with a function app, and the .NET host between
 * them, each in a process of its own that can be killed and started again.
 *
 *   const engine = await startEngineHost({ entryFiles: [path], hubName: 'hub1' });
 *   await engine.start('fanoutRoot', 'id-1', { seed: 1 });
 *   const status = await engine.waitForEnd('id-1');
 *   await engine.stop();
 */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { freePort } from '../../src/local/azurite/processes.ts';
import { startAzurite, type Azurite } from './azurite.ts';
import { buildEngineHost, HOST_DLL } from './dotnet.ts';
import { EngineClient } from './engineClient.ts';
import { keepLines, startProcess, type Running } from './processes.ts';
import type { EngineAddress, RunnerSetup } from './runnerProtocol.ts';

export { buildEngineHost, engineMissing } from './dotnet.ts';

const here = import.meta.dirname;

export interface EngineOptions {
  /** Folder with the app's package.json and host.json; the repository by default. */
  readonly appDirectory?: string;
  /** Files that register functions, instead of package.json's main. */
  readonly entryFiles?: readonly string[];
  /** 3 to 45 letters and digits, one a run: where host.json names none, and as GEOAGENT_TASK_HUB. */
  readonly hubName: string;
  /** An emulator to share; by default one is started and stopped with the engine. */
  readonly azurite?: Azurite;
  /** For the app, and for what host.json names. */
  readonly env?: Readonly<Record<string, string>>;
  /** The app's port; any free one by default. */
  readonly port?: number;
  readonly enableAuth?: boolean;
  /** What a lost runner means for its calls; `redeliver` by default (test/support/hosts/types.ts). */
  readonly workerLoss?: 'redeliver' | 'fail';
}

/** The engine's RPC client, its processes, and the app's port. */
export interface Engine extends EngineClient {
  /** `http://localhost:<port>`, the app's HTTP functions and the durable webhooks. */
  readonly baseUrl: string;
  readonly keys: RunnerSetup['keys'];
  readonly connectionString: string;
  /** SIGKILL. Calls in it are lost; what that means is `workerLoss`. */
  killRunner(): Promise<void>;
  /** Resolves when the runner has ended by itself. */
  runnerGone(): Promise<void>;
  /** Starts the runner again on the same ports (after `killRunner`). */
  restartRunner(): Promise<void>;
  /** SIGKILL. What it had taken from the queues comes back when its visibility timeout has passed (EngineSettings.cs). */
  killHost(): Promise<void>;
  /** Starts the .NET host again on the same task hub (after `killHost`). */
  restartHost(): Promise<void>;
  /** SIGKILL of runner and host; never of Azurite. */
  crash(): Promise<void>;
  /** Starts what is not running. */
  restart(): Promise<void>;
  /** Last output lines of all its processes. */
  log(): string;
  stop(): Promise<void>;
}

/** Builds what is missing and starts everything; resolves when HTTP is served and instances can be started. */
export async function startEngineHost(options: EngineOptions): Promise<Engine> {
  await buildEngineHost();
  const azurite = options.azurite ?? (await startAzurite());
  const lines = keepLines();
  const env = {
    GEOAGENT_TASK_HUB: options.hubName,
    ...options.env,
    AzureWebJobsStorage: azurite.connectionString,
    NODE_OPTIONS: '',
  };
  const keys = { master: randomUUID(), function: randomUUID(), durable: randomUUID() };
  const httpPort = options.port ?? (await freePort());
  const controlPort = await freePort();
  const baseUrl = `http://localhost:${String(httpPort)}`;
  const control = `http://127.0.0.1:${String(controlPort)}/`;
  const setup: RunnerSetup = {
    appDirectory: options.appDirectory ?? resolve(here, '../..'),
    entryFiles: options.entryFiles ?? [],
    controlPort,
    httpPort,
    keys,
    enableAuth: options.enableAuth === true,
  };
  const client = new EngineClient('');
  let runner: Running | undefined;
  let host: Running | undefined;

  const connect = async (): Promise<void> => {
    if (runner === undefined || host === undefined) return;
    const address = JSON.parse(host.ready) as EngineAddress;
    client.rpcBaseUrl = (JSON.parse(address.client) as { rpcBaseUrl: string }).rpcBaseUrl;
    const response = await fetch(new URL('connect', control), { method: 'POST', body: host.ready });
    if (!response.ok) throw new Error(`The runner refused the engine: ${await response.text()}\n${lines.text()}`);
  };
  const startRunner = async (): Promise<void> => {
    runner ??= await startProcess({
      name: 'runner',
      command: process.execPath,
      args: [join(here, 'runner.ts'), JSON.stringify(setup)],
      env,
      readyLine: /^READY()$/,
      lines,
    });
    await connect();
  };
  const startHost = async (): Promise<void> => {
    const args = {
      runner: control,
      appDirectory: setup.appDirectory,
      hubName: options.hubName,
      webhookUrl: `${baseUrl}/runtime/webhooks/durabletask?code=${keys.durable}`,
      workerLoss: options.workerLoss ?? 'redeliver',
    };
    host ??= await startProcess({
      name: 'host',
      command: 'dotnet',
      args: [HOST_DLL, JSON.stringify(args)],
      // The extension's own web servers take their log level from here.
      env: { ...env, Logging__LogLevel__Default: process.env['ENGINE_LOG'] ?? 'Warning' },
      readyLine: /^READY (.*)$/,
      limitMs: 120_000,
      lines,
    });
    await connect();
  };
  const killRunner = async (): Promise<void> => {
    await runner?.kill();
    runner = undefined;
  };
  const killHost = async (): Promise<void> => {
    await host?.kill();
    host = undefined;
  };
  const restart = async (): Promise<void> => {
    await startRunner();
    await startHost();
  };
  const stop = async (): Promise<void> => {
    // Without a runner the host would wait for its calls: nothing is left to end gracefully.
    if (runner === undefined) await killHost();
    await host?.stop();
    await runner?.stop();
    host = runner = undefined;
    if (options.azurite === undefined) await azurite.stop();
  };
  try {
    await restart();
  } catch (error) {
    await stop();
    throw error;
  }
  return Object.assign(client, {
    baseUrl,
    keys,
    connectionString: azurite.connectionString,
    killRunner,
    runnerGone: async () => {
      await runner?.gone;
      runner = undefined;
    },
    restartRunner: startRunner,
    killHost,
    restartHost: startHost,
    crash: async () => {
      await Promise.all([killRunner(), killHost()]);
    },
    restart,
    log: () => [lines.text(), azurite.tail()].join('\n'),
    stop,
  });
}
