import { Worker } from 'node:worker_threads';
import type { ToolDefinition, ToolInput, ToolRun } from '../../catalog/tool.ts';
import { ToolError, type NodeError } from '../../plan/errors.ts';
import { pack, unpack } from './payload.ts';
import type { Job, ToParent, WireResult, WireRun } from './protocol.ts';

/** What a tool process can do. */
export interface ChildWork {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly inspect: (bytes: Uint8Array, name: string) => unknown;
}

/** Serves one host over IPC until it disconnects. Called once, by the entry of a tool process. */
export function serveTools(work: ChildWork): void {
  const limit = startWatchdog();
  process.on('message', (message) => {
    void handle(message as Job, work, limit);
  });
  process.on('disconnect', () => {
    process.exit(0);
  });
  send({ kind: 'ready' });
}

/** Shared memory: `[0]` is the largest resident size in MB, 0 = no job. */
function startWatchdog(): Int32Array {
  const limitMb = new Int32Array(new SharedArrayBuffer(4));
  const file = import.meta.url.endsWith('.ts') ? './watchdog.ts' : './watchdog.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: { parent: process.ppid, limitMb } });
  worker.on('error', () => process.exit(70));
  return limitMb;
}

function send(message: ToParent): void {
  // Without a host there is nobody to tell; `disconnect` ends the process.
  if (process.connected) process.send?.(message);
}

async function handle(job: Job, work: ChildWork, limit: Int32Array): Promise<void> {
  const idleMb = Math.ceil(process.memoryUsage.rss() / 1024 / 1024);
  Atomics.store(limit, 0, idleMb + job.memoryMb);
  try {
    const value =
      job.kind === 'run'
        ? await runTool(job.tool, job.run, job.directory, work)
        : await work.inspect(await unpack(job.bytes), job.name);
    send({ kind: 'done', id: job.id, value, rssMb: process.memoryUsage.rss() / 1024 / 1024 });
  } catch (error) {
    send({ kind: 'failed', id: job.id, ...described(error) });
  } finally {
    Atomics.store(limit, 0, 0);
  }
}

async function runTool(name: string, wire: WireRun, directory: string, work: ChildWork): Promise<WireResult> {
  const tool = work.tools.get(name);
  if (tool === undefined) throw new ToolError('TOOL_REMOVED', `There is no tool ${name} here.`);
  const inputs = new Map<string, ToolInput>();
  for (const [port, input] of wire.inputs) inputs.set(port, { ...input, bytes: await unpack(input.bytes) });
  const run: ToolRun<unknown> = { ...wire, inputs };
  // Jobs are driven by the host alone: they call out, which a tool process may not.
  if (tool.run === undefined) throw new ToolError('TOOL_REMOVED', `${name} does not run in a tool process.`);
  const result = await tool.run(run);
  const outputs: [string, WireResult['outputs'][number][1]][] = [];
  for (const [port, output] of result.outputs) {
    outputs.push([port, { ...output, bytes: await pack(output.bytes, directory, `out-${outputs.length}`) }]);
  }
  return { outputs, checks: result.checks };
}

/** Expected failures as they are; anything else is a bug or a bound of the engine and gets no trace to people. */
function described(error: unknown): { error: NodeError; detail?: string } {
  if (error instanceof ToolError) return { error: error.toNodeError() };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof RangeError && /allocation|string length|array length|buffer/i.test(error.message)) {
    return { error: memoryError(), detail };
  }
  return {
    error: {
      code: 'TOOL_FAILED',
      class: 'permanent',
      message: 'The tool failed for a reason it does not expect: this is a fault of ours.',
    },
    detail,
  };
}

/** What a person is told when a job needed more memory than it may. */
export function memoryError(): NodeError {
  return {
    code: 'TOOL_FAILED',
    class: 'permanent',
    message: 'The work needs more memory than it may use: give smaller data, a smaller area or a coarser resolution.',
  };
}
