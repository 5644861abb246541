import type { ToolOutput, ToolResult, ToolRun } from '../../catalog/tool.ts';
import { ToolError } from '../../plan/errors.ts';
import { JobFolders } from './jobFolders.ts';
import { pack, unpack } from './payload.ts';
import type { Job, WireInput, WireResult } from './protocol.ts';
import { ToolChild } from './toolChild.ts';

export interface PoolOptions {
  /** Processes at most; they start when first needed and stay. */
  readonly size: number;
  /** Module that calls `serveTools`; the product's own when left out. */
  readonly entry?: URL;
  /** Upper bound of one process's JavaScript heap, MB. */
  readonly memoryMb?: number;
  /** Told what went wrong inside a process: for the log, never for people. */
  readonly onFault?: (detail: string) => void;
}

export interface JobLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** Runs tools in processes that can be stopped and are capped (design §6). */
export interface ToolPool {
  /**
   * Runs a tool with arguments that its schema has parsed.
   * @throws ToolError: the tool's own, NODE_TIMEOUT, CANCELLED, or TOOL_FAILED (memory, crash).
   */
  run(tool: string, run: ToolRun<unknown>, limits: JobLimits): Promise<ToolResult>;
  /** Looks into an untrusted file. @throws ToolError UPLOAD_INVALID, NODE_TIMEOUT, CANCELLED, TOOL_FAILED. */
  inspect(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<unknown>;
  /** Ends every process; jobs under way fail as cancelled. */
  close(): Promise<void>;
}

const DEFAULT_HEAP_MB = 2048;
const INSPECT = { timeoutMs: 30_000, memoryMb: 1024 } as const;

/** Makes the pool; no process starts before the first job. */
export function createToolPool(options: PoolOptions): ToolPool {
  return new ProcessPool(options);
}

function defaultEntry(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './childMain.ts' : './childMain.js', import.meta.url);
}

class ProcessPool implements ToolPool {
  readonly #options: PoolOptions;
  readonly #folders = new JobFolders();
  readonly #idle: ToolChild[] = [];
  readonly #all = new Set<ToolChild>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #nextId = 1;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async run(tool: string, run: ToolRun<unknown>, limits: JobLimits): Promise<ToolResult> {
    const { inputs, ...rest } = run;
    return this.#withFolder(limits.signal, async (directory) => {
      const wire: [string, WireInput][] = [];
      for (const [port, input] of inputs)
        wire.push([port, { ...input, bytes: await pack(input.bytes, directory, `in-${wire.length}`) }]);
      const job: Job = {
        kind: 'run',
        id: this.#nextId++,
        directory,
        memoryMb: limits.memoryMb,
        tool,
        run: { ...rest, inputs: wire },
      };
      const result = (await this.#execute(job, limits)) as WireResult;
      const outputs = new Map<string, ToolOutput>();
      for (const [port, output] of result.outputs) outputs.set(port, { ...output, bytes: await unpack(output.bytes) });
      return { outputs, checks: result.checks };
    });
  }

  async inspect(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<unknown> {
    return this.#withFolder(signal, async (directory) => {
      const payload = await pack(bytes, directory, 'in-0');
      const job: Job = {
        kind: 'inspect',
        id: this.#nextId++,
        directory,
        memoryMb: INSPECT.memoryMb,
        name,
        bytes: payload,
      };
      return this.#execute(job, { signal, ...INSPECT });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    const children = [...this.#all];
    for (const child of children) {
      // Idle ones do not keep the host alive; waiting for their end must.
      child.ref();
      child.kill({ code: 'CANCELLED', class: 'permanent', message: 'The host is stopping.' });
    }
    await Promise.all(children.map((child) => child.exited));
    await this.#folders.close();
  }

  /** Waits for a place, so that large inputs of waiting jobs stay in memory once and in no file. */
  async #withFolder<T>(signal: AbortSignal, work: (directory: string) => Promise<T>): Promise<T> {
    await this.#place(signal);
    try {
      const directory = await this.#folders.open();
      try {
        return await work(directory);
      } finally {
        await this.#folders.remove(directory);
      }
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** First come, first served. */
  async #place(signal: AbortSignal): Promise<void> {
    const cancelled = (): ToolError => new ToolError('CANCELLED', 'The work was cancelled before it began.');
    while (this.#busy >= this.#options.size && !this.#closed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', give);
          resolve();
        };
        const give = (): void => {
          const at = this.#waiting.indexOf(wake);
          if (at >= 0) this.#waiting.splice(at, 1);
          resolve();
        };
        this.#waiting.push(wake);
        signal.addEventListener('abort', give, { once: true });
      });
    }
    if (this.#closed || signal.aborted) {
      // This one was woken for a place that it does not take.
      if (this.#busy < this.#options.size) this.#waiting.shift()?.();
      throw cancelled();
    }
    this.#busy += 1;
  }

  async #execute(job: Job, limits: JobLimits): Promise<unknown> {
    const child = await this.#child();
    child.ref();
    try {
      return await child.execute(job, limits);
    } finally {
      child.unref();
      if (child.usable) this.#idle.push(child);
      else child.kill({ code: 'TOOL_FAILED', class: 'transient', message: 'The process was replaced.' });
    }
  }

  async #child(): Promise<ToolChild> {
    for (let child = this.#idle.pop(); child !== undefined; child = this.#idle.pop()) if (child.usable) return child;
    const fresh = new ToolChild({
      entry: this.#options.entry ?? defaultEntry(),
      heapMb: this.#options.memoryMb ?? DEFAULT_HEAP_MB,
      directory: await this.#folders.root(),
      onFault: this.#options.onFault ?? (() => undefined),
    });
    this.#all.add(fresh);
    void fresh.exited.then(() => this.#all.delete(fresh));
    return fresh;
  }
}
