/**
 * Local storage emulator: one per state folder, in its own process group, so that it survives the host that started it
 * (crash tests kill the host, never the emulator: it saves its index only every 5 s) and is found again by the next one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { commandLineHas, freePort, isAlive, pause, until } from './processes.ts';

export interface Azurite {
  /** For blob, queue and table; the published development account, of use on this machine only. */
  readonly connectionString: string;
  readonly pid: number;
  /** True when an earlier start was found again. */
  readonly found: boolean;
  /** Ends the emulator after it has saved its index. */
  stop(): Promise<void>;
}

const ACCOUNT = 'devstoreaccount1';
/** Published in the emulator's documentation; not a secret. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const recordSchema = z.object({
  pid: z.int().positive(),
  blob: z.int().positive(),
  queue: z.int().positive(),
  table: z.int().positive(),
});
type Emulator = z.infer<typeof recordSchema>;

const READY_MS = 30_000;
const STOP_MS = 15_000;

/** Connection string of the three local services; they all answer on 127.0.0.1. */
function connectionStringOf({ blob, queue, table }: Emulator): string {
  const endpoint = (port: number): string => `http://127.0.0.1:${port}/${ACCOUNT}`;
  return [
    'DefaultEndpointsProtocol=http',
    `AccountName=${ACCOUNT}`,
    `AccountKey=${KEY}`,
    `BlobEndpoint=${endpoint(blob)}`,
    `QueueEndpoint=${endpoint(queue)}`,
    `TableEndpoint=${endpoint(table)}`,
  ].join(';');
}

/**
 * Finds the emulator of this state folder or starts it (free ports, data inside the folder); safe when several
 * processes call it at once. Throws with the emulator's own log when it does not come up within 30 s.
 */
export async function ensureAzurite(options: { readonly stateDirectory: string }): Promise<Azurite> {
  const folder = resolve(options.stateDirectory, 'azurite');
  await mkdir(folder, { recursive: true });
  const release = await lock(join(folder, 'start.lock'));
  try {
    const earlier = await findRunning(folder);
    if (earlier !== undefined) return handle(earlier, folder, true);
    return handle(await start(folder), folder, false);
  } finally {
    await release();
  }
}

function handle(emulator: Emulator, folder: string, found: boolean): Azurite {
  return {
    connectionString: connectionStringOf(emulator),
    pid: emulator.pid,
    found,
    stop: () => stop(emulator, folder),
  };
}

const recordPath = (folder: string): string => join(folder, 'emulator.json');

/** The recorded emulator, only if that very process still runs and answers. */
async function findRunning(folder: string): Promise<Emulator | undefined> {
  let emulator: Emulator;
  try {
    emulator = recordSchema.parse(JSON.parse(await readFile(recordPath(folder), 'utf8')));
  } catch {
    return undefined;
  }
  if (!isAlive(emulator.pid) || (await commandLineHas(emulator.pid, ['azurite', folder])) === false) return undefined;
  // It may be starting still, or busy.
  return (await until(() => answers(emulator), 10_000)) ? emulator : undefined;
}

/** Any HTTP answer with the emulator's own header will do: an unsigned request is refused, but by it. */
async function answers(emulator: Emulator): Promise<boolean> {
  const ports = [emulator.blob, emulator.queue, emulator.table];
  const probes = ports.map(async (port) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/${ACCOUNT}?comp=list`, {
        signal: AbortSignal.timeout(2_000),
      });
      await response.arrayBuffer();
      return (response.headers.get('server') ?? '').startsWith('Azurite-');
    } catch {
      return false;
    }
  });
  return (await Promise.all(probes)).every(Boolean);
}

async function start(folder: string): Promise<Emulator> {
  const [blob, queue, table] = [await freePort(), await freePort(), await freePort()];
  const logPath = join(folder, 'emulator.log');
  const log = await open(logPath, 'a');
  const program = createRequire(import.meta.url).resolve('azurite/dist/src/azurite.js');
  const flags = ['--location', join(folder, 'data'), '--silent', '--skipApiVersionCheck', '--disableTelemetry'];
  const ports = ['--blobPort', String(blob), '--queuePort', String(queue), '--tablePort', String(table)];
  const child = spawn(process.execPath, [program, ...flags, ...ports], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  // Listened to before anything is awaited, or the event would be missed.
  const spawned = once(child, 'spawn');
  await log.close();
  await spawned;
  const pid = child.pid ?? 0;
  const emulator: Emulator = { pid, blob, queue, table };
  // Recorded before it is ready: if we die now, the next start finds it in place of starting a second one.
  await writeFile(`${recordPath(folder)}.new`, JSON.stringify(emulator));
  await rename(`${recordPath(folder)}.new`, recordPath(folder));
  const ready = await until(async () => child.exitCode !== null || (await answers(emulator)), READY_MS);
  if (!ready || child.exitCode !== null) {
    await stop(emulator, folder);
    const tail = (await readFile(logPath, 'utf8')).slice(-2_000);
    throw new Error(`The storage emulator did not start; its log ends with:\n${tail}`);
  }
  child.unref();
  return emulator;
}

async function stop(emulator: Emulator, folder: string): Promise<void> {
  if (isAlive(emulator.pid) && (await commandLineHas(emulator.pid, ['azurite', folder])) !== false) {
    signalGroup(emulator.pid, 'SIGTERM');
    if (!(await until(() => isGone(emulator.pid), STOP_MS))) signalGroup(emulator.pid, 'SIGKILL');
  }
  await rm(recordPath(folder), { force: true });
}

/** A stopped child of this process stays a zombie until Node reaps it, so "no command line" counts as gone too. */
async function isGone(pid: number): Promise<boolean> {
  return !isAlive(pid) || (await commandLineHas(pid, ['azurite'])) === false;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Gone already.
  }
}

const LOCK_STALE_MS = READY_MS + 15_000;

/** A lock file with the owner's pid; one whose owner died, or that is older than any start may take, is broken. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    if (await isStale(path)) await rm(path, { force: true });
    else await pause(100);
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, 'utf8'));
    const { mtimeMs } = await stat(path);
    const old = Date.now() - mtimeMs;
    if (old > LOCK_STALE_MS) return true;
    // An empty file has just been created and not yet written.
    return owner > 0 && old > 500 && !isAlive(owner);
  } catch {
    return false;
  }
}
