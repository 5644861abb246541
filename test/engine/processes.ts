/** Child processes of the engine tests: start one, wait for its ready line, stop it by closing its input, or kill it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Kept for each process. */
const KEPT_LINES = 60;
const LONGEST_LINE = 600;

/** Last output lines of some processes. */
export interface Lines {
  /** Reads both outputs of a process from now on. `seen` gets each line as it was written. */
  read(name: string, child: ChildProcess, seen?: (line: string) => void): void;
  /** Process by process, its name in front of each line. */
  text(): string;
}

/** ENGINE_ECHO=1 also prints every line as it comes. */
export function keepLines(): Lines {
  const kept = new Map<string, string[]>();
  return {
    read(name, child, seen) {
      const lines = kept.get(name) ?? [];
      kept.set(name, lines);
      const keep = (line: string): void => {
        const marked = `${name.padEnd(8)}| ${line.slice(0, LONGEST_LINE)}`;
        lines.push(marked);
        if (lines.length > KEPT_LINES) lines.shift();
        if (process.env['ENGINE_ECHO'] !== undefined) console.error(marked);
        seen?.(line);
      };
      for (const stream of [child.stdout, child.stderr]) if (stream !== null) createInterface(stream).on('line', keep);
    },
    text: () => [...kept.values()].flat().join('\n'),
  };
}

export interface Running {
  readonly process: ChildProcess;
  /** What stood behind the word that meant ready. */
  readonly ready: string;
  /** Its last output lines, and those of the processes that it shares `lines` with. */
  tail(): string;
  /** Closes the input, then SIGTERM, then SIGKILL, a limit between each. */
  stop(limitMs?: number): Promise<void>;
  /** Resolves when it has ended, whatever the reason. */
  readonly gone: Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
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
  /** Where its lines go; by default it has its own. */
  readonly lines?: Lines;
}

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
  // Writing to the input of a killed process is no error of the test.
  child.stdin.on('error', () => undefined);
  const lines = options.lines ?? keepLines();
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = (line: string): void => {
    const match = options.readyLine.exec(line);
    if (match !== null) resolve(match[1] ?? '');
  };
  lines.read(options.name, child, look);
  child.once('error', reject);
  child.once('exit', (code, signal) =>
    reject(new Error(`${options.name} ended (${code ?? signal ?? ''}):\n${lines.text()}`)),
  );
  const timer = setTimeout(
    () => reject(new Error(`${options.name} was not ready in time:\n${lines.text()}`)),
    options.limitMs ?? 60_000,
  );
  try {
    const ready = await promise;
    return {
      process: child,
      ready,
      gone,
      tail: () => lines.text(),
      stop: (limitMs = 10_000) => stop(child, limitMs),
      async kill() {
        child.kill('SIGKILL');
        await exitWithin(child, 10_000);
      },
    };
  } catch (error) {
    await stop(child, 100);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
