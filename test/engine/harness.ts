/**
 * The real Durable Task extension for tests: Azurite, the Node runner with a function app, and the .NET host between
 * them, each in a process of its own.
 *
 *   const engine = await startEngineHost({ entryFiles: [path], hubName: 'hub1' });
 *   await engine.start('fanoutRoot', 'id-1', { seed: 1 });
 *   const status = await engine.waitForEnd('id-1');
 *   await engine.stop();
 */
import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startAzurite } from './azurite.ts';
import type { Azurite } from './azurite.ts';
import { EngineClient } from './engineClient.ts';
import { startProcess } from './processes.ts';
import type { Running } from './processes.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const HOST_FOLDER = join(here, 'host');
const HOST_DLL = join(HOST_FOLDER, 'bin/Release/net10.0/EngineHost.dll');

/** Why the engine can't run here, or undefined when a .NET 10 SDK is there. */
export function engineMissing(): string | undefined {
  const probe = spawnSync('dotnet', ['--list-sdks'], { encoding: 'utf8' });
  if (probe.error !== undefined)
    return `no dotnet on PATH (${probe.error.message}); the engine tests need the .NET 10 SDK`;
  return /^1\d\./m.test(probe.stdout) ? undefined : `no .NET SDK 10 or later (found: ${probe.stdout.trim() || 'none'})`;
}

let built: Promise<void> | undefined;

/** Restores and builds the .NET host, once a process; rejects with the compiler's output. */
export function buildEngineHost(): Promise<void> {
  built ??= run('dotnet', ['build', '-c', 'Release', '--nologo', '-v', 'q'], {
    cwd: HOST_FOLDER,
    maxBuffer: 16 << 20,
  }).then(
    () => undefined,
    (error: unknown) => {
      const { stdout = '' } = error as { stdout?: string };
      throw new Error(`The engine host can't be built:\n${stdout.slice(-4_000)}`, { cause: error });
    },
  );
  return built;
}

export interface EngineOptions {
  /** Folder with the app's package.json; the repository by default. */
  readonly appDirectory?: string;
  /** Files that register functions, instead of package.json's main. */
  readonly entryFiles?: readonly string[];
  /** 3 to 45 letters and digits; one a test. */
  readonly hubName: string;
  /** An emulator to share; by default one is started and stopped with the engine. */
  readonly azurite?: Azurite;
  /** For the runner, so for the app. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Engine extends EngineClient {
  readonly runner: Running;
  readonly host: Running;
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** Builds what is missing and starts everything; resolves when instances can be started. */
export async function startEngineHost(options: EngineOptions): Promise<Engine> {
  await buildEngineHost();
  const azurite = options.azurite ?? (await startAzurite());
  const started: { stop(): Promise<void> }[] = options.azurite === undefined ? [azurite] : [];
  const stop = async (): Promise<void> => {
    for (const process_ of started.splice(0).reverse()) await process_.stop();
  };
  try {
    const AzureWebJobsStorage = azurite.connectionString;
    const runner = await startProcess({
      name: 'runner',
      command: process.execPath,
      args: [join(here, 'runner.ts'), options.appDirectory ?? resolve(here, '../..'), ...(options.entryFiles ?? [])],
      env: { AzureWebJobsStorage, ...options.env },
      readyLine: /^READY (\d+)$/,
    });
    started.push(runner);
    const host = await startProcess({
      name: 'host',
      command: 'dotnet',
      args: [HOST_DLL, `http://127.0.0.1:${runner.ready}/`, options.hubName],
      // The extension's own web servers take their log level from here.
      env: { AzureWebJobsStorage, Logging__LogLevel__Default: 'Warning' },
      readyLine: /^READY (.*)$/,
      limitMs: 120_000,
    });
    started.push(host);
    const { rpcBaseUrl } = JSON.parse(host.ready) as { rpcBaseUrl: string };
    return Object.assign(new EngineClient(rpcBaseUrl), { runner, host, connectionString: AzureWebJobsStorage, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
