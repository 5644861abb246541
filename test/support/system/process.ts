/** The whole system as users run it: a child process of its own, killed for real when a test says so. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const READY_MS = 90_000;

export interface RunningSystem {
  readonly baseUrl: string;
  readonly state: string;
  readonly output: () => string;
  /** SIGKILL to the host alone: the storage emulator lives in its own process group and stays. */
  kill(): Promise<void>;
  /** Graceful end, storage emulator included. */
  stop(): Promise<void>;
}

export function temporaryState(): string {
  return mkdtempSync(join(tmpdir(), 'geoagent-e2e-'));
}

/** Starts `npm start`'s process on a free port; resolves when it says it is ready. */
export async function startProcess(options: {
  readonly state: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<RunningSystem> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist', 'local', 'main.js'), 'start', '--port', '0', '--state', options.state, '--strict'],
    {
      cwd: ROOT,
      env: { ...process.env, GEOAGENT_STATE: options.state, PORT: '0', NODE_OPTIONS: '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_MS);
    const look = (): void => {
      const match = /ready (http:\/\/\S+)\/api\/ui/.exec(output);
      if (match?.[1] === undefined) return;
      clearTimeout(timer);
      resolve(match[1]);
    };
    child.stdout.on('data', look);
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${String(code)} before it was ready:\n${output}`));
    });
  });
  return {
    baseUrl,
    state: options.state,
    output: () => output,
    kill: () => end(child, 'SIGKILL'),
    stop: async () => {
      await end(child, 'SIGTERM');
      rmSync(options.state, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await gone;
}
