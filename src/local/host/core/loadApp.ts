/** Loads an unmodified function app (`@azure/functions` v4 model) into this process. One app a process. */
import type { HookData } from './contract.ts';
import { installCoreModule, notedError, programmingModel, useRegistry } from './coreModule.ts';
import { loadEntryFiles } from './entryFiles.ts';
import { invoke } from './invoke.ts';
import { Registry } from './registry.ts';
import { AppLoadError } from './types.ts';
import type { LoadedApp, LoadOptions } from './types.ts';

export { AppLoadError } from './types.ts';
export type * from './types.ts';

/** What a current worker announces; the library adds its own and, in stream mode, `HttpUri`. */
const WORKER_CAPABILITIES = {
  RawHttpBodyBytes: 'true',
  RpcHttpTriggerMetadataRemoved: 'true',
  RpcHttpBodyOnly: 'true',
  IgnoreEmptyValuedRpcHttpHeaders: 'true',
  UseNullableValueDictionaryForHttp: 'true',
  WorkerStatus: 'true',
  TypedDataCollection: 'true',
  HandlesWorkerTerminateMessage: 'true',
};

const TERMINATE_LIMIT_MS = 5_000;

let loading = false;

async function runStartHooks(registry: Registry, appDirectory: string, appHookData: HookData): Promise<void> {
  const context = { hookData: {}, appHookData, functionAppDirectory: appDirectory };
  for (const hook of registry.hooks('appStart')) {
    try {
      await hook(context);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new AppLoadError('APP_START_HOOK_FAILED', `An appStart hook failed: ${message}`, { cause: error });
    }
  }
}

async function runTerminateHooks(registry: Registry, appHookData: HookData, limitMs: number): Promise<void> {
  const context = { hookData: {}, appHookData };
  const hooks = async (): Promise<'done'> => {
    for (const hook of registry.hooks('appTerminate')) {
      try {
        await hook(context);
      } catch (error) {
        registry.log(
          'error',
          'system',
          `An appTerminate hook failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    return 'done';
  };
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'limit'>((resolve) => {
    timer = setTimeout(() => resolve('limit'), limitMs);
  });
  const first = await Promise.race([hooks(), limit]);
  clearTimeout(timer);
  if (first === 'limit')
    registry.log('warning', 'system', `appTerminate hooks took longer than ${limitMs} ms; going on without them.`);
}

async function load(options: LoadOptions): Promise<LoadedApp> {
  installCoreModule();
  const registry = new Registry(options.log);
  const appHookData: HookData = {};
  useRegistry(registry);
  let loadError: unknown;
  try {
    await loadEntryFiles(options);
  } catch (error) {
    loadError = error;
  }
  // As in the real worker: start hooks run even when a file failed, the failure surfaces afterwards.
  if (loadError === undefined) await runStartHooks(registry, options.appDirectory, appHookData);
  else await runStartHooks(registry, options.appDirectory, appHookData).catch(() => undefined);
  const refused = notedError();
  if (refused !== undefined) throw refused;
  if (loadError !== undefined) throw loadError as Error;
  const model = programmingModel();
  const functions = registry.lock();
  if (model === undefined || functions.length === 0) {
    throw new AppLoadError('NO_FUNCTIONS', 'The entry files registered no function through @azure/functions.');
  }
  // Exactly once: it locks the library's setup and, in stream mode, starts its proxy server.
  const capabilities = await model.getCapabilities({ ...WORKER_CAPABILITIES });
  let stopping: Promise<void> | undefined;
  return {
    functions,
    capabilities,
    invoke: (invocation) => invoke({ registry, model, appHookData }, invocation),
    stop: () => (stopping ??= runTerminateHooks(registry, appHookData, options.terminateLimitMs ?? TERMINATE_LIMIT_MS)),
  };
}

/**
 * Loads the app: provides the core module, loads the entry files, runs the appStart hooks, asks for the capabilities
 * and closes registration. Rejects with AppLoadError (`code`, message that says what to change). A second load in the
 * same process registers only files that Node has not loaded yet.
 */
export async function loadApp(options: LoadOptions): Promise<LoadedApp> {
  if (loading) throw new AppLoadError('LOAD_IN_PROGRESS', 'Another app is being loaded in this process.');
  loading = true;
  try {
    return await load(options);
  } finally {
    loading = false;
  }
}
