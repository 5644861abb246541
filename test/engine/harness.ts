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
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EngineClient } from './engineClient.ts';
import { startProcess } from './processes.ts';
import type { Running } from './processes.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const HOST_FOLDER = join(here, 'host');
const HOST_DLL = join(HOST_FOLDER, 'bin/Release/net10.0/EngineHost.dll');
/** Azurite's published development key; every emulator has it. */
const AZURITE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

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

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      const { promise, resolve: listening } = Promise.withResolvers<undefined>();
      server.listen(0, '127.0.0.1', () => listening(undefined));
      await promise;
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => {
      const { promise, resolve: closed } = Promise.withResolvers<undefined>();
      server.close(() => closed(undefined));
      return promise;
    }),
  );
  return ports;
}

export interface Azurite {
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** An emulator of its own on free ports, in memory. */
export async function startAzurite(): Promise<Azurite> {
  const [blob, queue, table] = await freePorts(3);
  const require = createRequire(import.meta.url);
  const main = join(require.resolve('azurite/package.json'), '../dist/src/azurite.js');
  const ports = ['--blobPort', String(blob), '--queuePort', String(queue), '--tablePort', String(table)];
  const running = await startProcess({
    name: 'azurite',
    command: process.execPath,
    args: [
      main,
      '--inMemoryPersistence',
      '--skipApiVersionCheck',
      '--disableTelemetry',
      '--silent',
      '--loose',
      ...ports,
    ],
    readyLine: /(Table) service is successfully listening/i,
  });
  const endpoint = (kind: string, port: number | undefined): string =>
    `${kind}Endpoint=http://127.0.0.1:${port ?? 0}/devstoreaccount1`;
  return {
    connectionString: [
      'DefaultEndpointsProtocol=http;AccountName=devstoreaccount1',
      `AccountKey=${AZURITE_KEY}`,
      endpoint('Blob', blob),
      endpoint('Queue', queue),
      endpoint('Table', table),
    ].join(';'),
    // It doesn't watch its input.
    stop: () => running.stop(0),
  };
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
