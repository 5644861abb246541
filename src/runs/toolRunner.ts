import type { Catalog } from '../catalog/catalog.ts';
import type { ToolDefinition, ToolResult, ToolRun } from '../catalog/tool.ts';
import { ToolError } from '../plan/errors.ts';
import type { ToolRunner, ToolRunOptions } from './services.ts';

/**
 * Runs a tool in this process, bounded by time and signal. The tool gets the signal and should heed it; one that does
 * not is left behind, and what it answers later is not used.
 * Throws the tool's own `ToolError`, NODE_TIMEOUT, or CANCELLED.
 */
export async function runInHost(
  tool: ToolDefinition,
  run: ToolRun<unknown>,
  { signal, timeoutMs }: Pick<ToolRunOptions, 'signal' | 'timeoutMs'>,
): Promise<ToolResult> {
  if (tool.run === undefined) throw new ToolError('TOOL_FAILED', `${tool.name} is a remote job and can't run here.`);
  const cancelled = (): ToolError => new ToolError('CANCELLED', 'The work was cancelled.');
  if (signal.aborted) throw cancelled();
  const abort = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (error: ToolError): void => {
    reject(error);
    abort.abort(error);
  };
  const onAbort = (): void => {
    stop(cancelled());
  };
  const timer = setTimeout(() => {
    stop(new ToolError('NODE_TIMEOUT', `${tool.name} took longer than ${String(timeoutMs)} ms.`));
  }, timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([tool.run({ ...run, signal: abort.signal }), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Tools that say `runsIn: 'host'` run here, all others in the pool's processes. */
export function hostAndChildTools(catalog: Catalog, pool: ToolRunner): ToolRunner {
  return {
    run(name, run, options) {
      const tool = catalog.get(name);
      return tool?.runsIn === 'host' ? runInHost(tool, run, options) : pool.run(name, run, options);
    },
    inspect: (bytes, name, signal) => pool.inspect(bytes, name, signal),
    close: () => pool.close(),
  };
}
