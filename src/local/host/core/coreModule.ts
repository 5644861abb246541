/**
 * Provides `@azure/functions-core` inside this process. The library keeps its registration state in module variables,
 * so the object is one per process and forwards to the app that is being loaded or was loaded last.
 */
import Module from 'node:module';
import { Disposable } from './contract.ts';
import type { CoreModule, ProgrammingModel } from './contract.ts';
import type { Registry } from './registry.ts';
import { AppLoadError } from './types.ts';

const CORE_NAME = '@azure/functions-core';

type Load = (this: unknown, request: string, parent: { filename?: string } | undefined, isMain: boolean) => unknown;
/** Node's CommonJS entry point; `import` of a CommonJS package reaches it too, because the package itself requires. */
const loader = Module as unknown as { _load: Load; _cache: Record<string, unknown> };

let current: Registry | undefined;
let model: ProgrammingModel | undefined;
let installed = false;
const requirers = new Set<string>();
let registrationError: AppLoadError | undefined;

function need(): Registry {
  if (current === undefined) throw new Error('No function app is loaded in this process.');
  return current;
}

/** Keeps the first registration error even if the app swallows it. */
function noting<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof AppLoadError) registrationError ??= error;
    throw error;
  }
}

function setModel(next: ProgrammingModel): void {
  if (model !== undefined && model !== next) {
    throw new AppLoadError(
      'TWO_LIBRARY_COPIES',
      `Two copies of @azure/functions are loaded, each with its own registrations: ${[...requirers].sort().join(' and ')}. Make the app and durable-functions resolve to one copy.`,
    );
  }
  model = next;
}

const core: CoreModule = {
  version: '3.11.0',
  hostVersion: '4.1037.0',
  registerFunction: (metadata, callback) => noting(() => need().addFunction(metadata, callback)),
  setProgrammingModel: (next) => noting(() => setModel(next)),
  getProgrammingModel: () => model,
  registerHook: (name, callback) => need().addHook(name, callback),
  log: (level, category, message) => need().log(level, category, message),
  Disposable,
};

/**
 * Makes the name answer, once a process. Throws when the library was loaded before: it has then switched to its
 * test mode for good and would register nothing.
 */
export function installCoreModule(): void {
  if (installed) return;
  const early = Object.keys(loader._cache).find((file) => /[\\/]@azure[\\/]functions[\\/]dist[\\/]/.test(file));
  if (early !== undefined) {
    throw new AppLoadError(
      'LIBRARY_LOADED_TOO_EARLY',
      `${early} was loaded before the host; load the app through the host only.`,
    );
  }
  const original = loader._load;
  loader._load = function load(request, parent, isMain) {
    if (request !== CORE_NAME) return original.call(this, request, parent, isMain);
    if (parent?.filename !== undefined) requirers.add(parent.filename);
    return core;
  };
  installed = true;
}

/** Makes `registry` the receiver of registrations; clears the noted error. */
export function useRegistry(registry: Registry): void {
  current = registry;
  registrationError = undefined;
}

/** The first refused registration since `useRegistry`, also when the app caught it. */
export function notedError(): AppLoadError | undefined {
  return registrationError;
}

/** The model the library has set; undefined when no entry file used the library. */
export function programmingModel(): ProgrammingModel | undefined {
  return model;
}
