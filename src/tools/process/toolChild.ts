import { constants, setPriority } from 'node:os';
import { fork, type ChildProcess } from 'node:child_process';
import { ToolError, type NodeError } from '../../plan/errors.ts';
import type { Job, ToParent } from './protocol.ts';
import { memoryError } from './serve.ts';

/** A process that grew beyond this is not used again. */
const RETIRE_RSS_MB = 700;

export interface ChildOptions {
  readonly entry: URL;
  /** Upper bound of the JavaScript heap, whatever a job asks for. */
  readonly heapMb: number;
  /** The only folder the process may write to. */
  readonly directory: string;
  readonly onFault: (detail: string) => void;
}

interface Pending {
  readonly id: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ToolError) => void;
}

/** Tools compute; the host answers people. On a busy machine the host goes first. */
function yieldPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A platform that does not allow it: tools then compete with the host, and all still works.
  }
}

/**
 * One tool process. Empty environment, no output to anybody, no code from strings, no writing outside its folder, no
 * processes of its own. It does one job at a time and survives it, or is killed and replaced.
 */
export class ToolChild {
  readonly #process: ChildProcess;
  readonly #onFault: (detail: string) => void;
  readonly exited: Promise<void>;
  readonly #ready: Promise<void>;
  #pending: Pending | null = null;
  /** Why we killed it ourselves. */
  #killedFor: NodeError | null = null;
  #gone = false;
  #worn = false;

  constructor(options: ChildOptions) {
    this.#onFault = options.onFault;
    this.#process = fork(options.entry, [], {
      serialization: 'advanced',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [
        `--max-old-space-size=${options.heapMb}`,
        '--disallow-code-generation-from-strings',
        '--permission',
        '--allow-fs-read=*',
        `--allow-fs-write=${options.directory}`,
        '--allow-worker',
        // From source, the map page is bundled on first use, which esbuild does in a process of its own. A build has it ready.
        ...(options.entry.pathname.endsWith('.ts') ? ['--allow-child-process'] : []),
        '--no-warnings',
      ],
    });
    yieldPriority(this.#process.pid);
    const started = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<undefined>();
    this.#ready = started.promise;
    this.exited = ended.promise;
    // A child that never becomes ready is told to whoever waits for it; nobody else needs to hear.
    started.promise.catch(() => undefined);
    this.#process.on('message', (message) => {
      const told = message as ToParent;
      if (told.kind === 'ready') started.resolve(undefined);
      else this.#settle(told);
    });
    const end = (error: NodeError): void => {
      this.#gone = true;
      started.reject(toError(error));
      this.#fail(error);
      ended.resolve(undefined);
    };
    this.#process.on('error', (error) => {
      this.#onFault(error.message);
      end(crashError());
    });
    this.#process.on('exit', (code, signal) => {
      end(this.#killedFor ?? this.#exitError(code, signal));
    });
  }

  /** False once the process is gone, killed, or has grown too large to be used again. */
  get usable(): boolean {
    return !this.#gone && !this.#worn && this.#killedFor === null;
  }

  /** Runs one job; on abort or time-out the process is killed, as nothing less stops a computation. */
  async execute(job: Job, limits: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<unknown> {
    const cancel = (): void => this.kill({ code: 'CANCELLED', class: 'permanent', message: 'The work was cancelled.' });
    limits.signal.addEventListener('abort', cancel, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#ready;
      if (limits.signal.aborted) cancel();
      const answer = new Promise<unknown>((resolve, reject) => {
        this.#pending = { id: job.id, resolve, reject };
      });
      timer = setTimeout(() => this.kill(timeoutError(limits.timeoutMs)), limits.timeoutMs);
      if (this.#gone) this.#fail(this.#killedFor ?? crashError());
      else this.#process.send(job, (error) => error !== null && this.#fail(this.#killedFor ?? crashError()));
      return await answer;
    } finally {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', cancel);
      this.#pending = null;
    }
  }

  kill(reason: NodeError): void {
    this.#killedFor ??= reason;
    if (!this.#gone) this.#process.kill('SIGKILL');
  }

  /** Lets the host end while idle children exist: they leave when their channel closes. */
  unref(): void {
    this.#process.unref();
    this.#process.channel?.unref();
  }

  ref(): void {
    this.#process.ref();
    this.#process.channel?.ref();
  }

  #settle(told: Exclude<ToParent, { kind: 'ready' }>): void {
    const pending = this.#pending;
    if (pending === null || pending.id !== told.id) return;
    this.#pending = null;
    if (told.kind === 'done') {
      this.#worn = told.rssMb > RETIRE_RSS_MB;
      pending.resolve(told.value);
      return;
    }
    if (told.detail !== undefined) this.#onFault(told.detail);
    pending.reject(toError(told.error));
  }

  #fail(error: NodeError): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.reject(toError(error));
  }

  #exitError(code: number | null, signal: NodeJS.Signals | null): NodeError {
    // V8 aborts when its heap is full; the watchdog sends SIGTERM; the kernel's own killer sends SIGKILL.
    if (signal === 'SIGABRT' || signal === 'SIGTERM' || signal === 'SIGKILL' || code === 134) return memoryError();
    this.#onFault(`tool process ended with code ${String(code)}, signal ${String(signal)}`);
    return crashError();
  }
}

function toError(error: NodeError): ToolError {
  const { code, message, retryAfterMs } = error;
  return new ToolError(code, message, { class: error.class, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function crashError(): NodeError {
  return { code: 'TOOL_FAILED', class: 'transient', message: 'The process that ran the tool ended unexpectedly.' };
}

function timeoutError(ms: number): NodeError {
  return {
    code: 'NODE_TIMEOUT',
    class: 'permanent',
    message: `The work took longer than ${ms / 1000} s and was stopped.`,
  };
}
