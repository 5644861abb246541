import { Disposable, HOOK_NAMES } from './contract.ts';
import type { CoreFunctionMetadata, FunctionCallback, HookCallback, HookName } from './contract.ts';
import { AppLoadError } from './types.ts';
import type { FunctionBinding, LogSink, RegisteredFunction } from './types.ts';

/** A registered function with what an invocation needs. */
export interface FunctionEntry {
  readonly registered: RegisteredFunction;
  readonly metadata: CoreFunctionMetadata;
  readonly callback: FunctionCallback;
}

const CLIENT_TYPES = new Set(['durableclient', 'orchestrationclient']);

function readBindings(metadata: CoreFunctionMetadata): Map<string, FunctionBinding> {
  const bindings = new Map<string, FunctionBinding>();
  for (const [name, binding] of Object.entries(metadata.bindings)) {
    const { type, direction } = binding;
    if (typeof type !== 'string' || (direction !== 'in' && direction !== 'out' && direction !== 'inout')) {
      throw new AppLoadError(
        'INVALID_FUNCTION',
        `Function "${metadata.name}": binding "${name}" needs a type and a direction in, out or inout.`,
      );
    }
    bindings.set(name, { ...binding, type, direction });
  }
  return bindings;
}

function describe(metadata: CoreFunctionMetadata): RegisteredFunction {
  const bindings = readBindings(metadata);
  const triggers = [...bindings].filter(([, binding]) => /trigger$/i.test(binding.type));
  const [first] = triggers;
  if (first === undefined || triggers.length > 1) {
    throw new AppLoadError(
      'INVALID_FUNCTION',
      `Function "${metadata.name}" must have exactly one trigger binding, it has ${triggers.length}.`,
    );
  }
  const clientInputs = [...bindings]
    .filter(([, binding]) => CLIENT_TYPES.has(binding.type.toLowerCase()))
    .map(([name]) => name);
  const base = { name: metadata.name, id: metadata.functionId ?? metadata.name, bindings, clientInputs };
  const described = { ...base, triggerName: first[0], trigger: first[1] };
  return metadata.retryOptions === undefined ? described : { ...described, retryOptions: metadata.retryOptions };
}

/** What one app has registered: functions until the list is read, hooks at any time. */
export class Registry {
  readonly log: LogSink;
  readonly #byLowerName = new Map<string, FunctionEntry>();
  readonly #ids = new Set<string>();
  readonly #hooks = new Map<HookName, HookCallback[]>(HOOK_NAMES.map((name) => [name, []]));
  #locked = false;

  constructor(log: LogSink) {
    this.log = log;
  }

  /** Throws AppLoadError for a late, duplicate (ignoring case) or malformed registration. */
  addFunction(metadata: CoreFunctionMetadata, callback: FunctionCallback): Disposable {
    if (this.#locked) {
      throw new AppLoadError(
        'INVALID_FUNCTION',
        `Function "${metadata.name}" was registered after the app had started; register at the top level of an entry file.`,
      );
    }
    const registered = describe(metadata);
    const key = registered.name.toLowerCase();
    if (this.#byLowerName.has(key) || this.#ids.has(registered.id)) {
      throw new AppLoadError('DUPLICATE_FUNCTION', `A function named "${registered.name}" is already registered.`);
    }
    this.#byLowerName.set(key, { registered, metadata: { ...metadata, functionId: registered.id }, callback });
    this.#ids.add(registered.id);
    return new Disposable(() => {
      if (this.#locked) throw new Error(`Function "${registered.name}" can't be withdrawn after the app has started.`);
      this.#byLowerName.delete(key);
      this.#ids.delete(registered.id);
    });
  }

  addHook(name: string, callback: HookCallback): Disposable {
    const list = this.#hooks.get(name as HookName);
    if (list === undefined) throw new RangeError(`Unrecognized hook "${name}"; known: ${HOOK_NAMES.join(', ')}.`);
    list.push(callback);
    return new Disposable(() => {
      const index = list.indexOf(callback);
      if (index >= 0) list.splice(index, 1);
    });
  }

  /** The hooks of one kind as they stand now, in order of registration. */
  hooks(name: HookName): readonly HookCallback[] {
    return [...(this.#hooks.get(name) ?? [])];
  }

  /** Closes registration and returns the functions in order of registration. */
  lock(): readonly RegisteredFunction[] {
    this.#locked = true;
    return [...this.#byLowerName.values()].map((entry) => entry.registered);
  }

  /** Looks a function up, ignoring case as the real host does. */
  find(name: string): FunctionEntry | undefined {
    return this.#byLowerName.get(name.toLowerCase());
  }
}
