/** Child processes of the engine tests: start one, wait for its ready line, stop it by closing its input. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Running {
  readonly process: ChildProcess;
  /** What stood behind the word that meant ready. */
  readonly ready: string;
  /** Last lines of both outputs. */
  tail(): string;
  /** Closes the input, then SIGTERM, then SIGKILL, a limit between each. */
  stop(limitMs?: number): Promise<void>;
}

export interface StartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The line that means ready; its first group becomes `ready`. */
  readonly readyLine: RegExp;
  readonly limitMs?: number;
}

const KEPT_LINES = 60;

function exited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function exitWithin(child: ChildProcess, limitMs: number): Promise<boolean> {
  if (exited(child)) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limitMs);
  const onExit = (): void => resolve(true);
  child.once('exit', onExit);
  const gone = await promise;
  clearTimeout(timer);
  child.off('exit', onExit);
  return gone;
}

async function stop(child: ChildProcess, limitMs: number): Promise<void> {
  child.stdin?.end();
  if (await exitWithin(child, limitMs)) return;
  child.kill('SIGTERM');
  if (await exitWithin(child, 2_000)) return;
  child.kill('SIGKILL');
  await exitWithin(child, 2_000);
}

/** Starts a process and resolves at its ready line; rejects with its last output when it ends or is too slow. */
export async function startProcess(options: StartOptions): Promise<Running> {
  const child = spawn(options.command, options.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    if (process.env['ENGINE_ECHO'] !== undefined) console.error(`${options.name}: ${line}`);
    const match = options.readyLine.exec(line);
    if (match !== null) resolve(match[1] ?? '');
  };
  createInterface(child.stdout).on('line', keep);
  createInterface(child.stderr).on('line', keep);
  const tail = (): string => lines.join('\n');
  child.once('error', reject);
  child.once('exit', (code, signal) =>
    reject(new Error(`${options.name} ended (${code ?? signal ?? ''}):\n${tail()}`)),
  );
  const timer = setTimeout(
    () => reject(new Error(`${options.name} was not ready in time:\n${tail()}`)),
    options.limitMs ?? 60_000,
  );
  try {
    const ready = await promise;
    return { process: child, ready, tail, stop: (limitMs = 10_000) => stop(child, limitMs) };
  } catch (error) {
    await stop(child, 100);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
