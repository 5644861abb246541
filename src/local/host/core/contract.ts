/**
 * The part of the `@azure/functions-core` contract that the library and the SDK use. At run time there is no such
 * package: the host provides an object of this shape when the library requires that name.
 * Source of the shapes: the types the library itself is compiled against (`@azure/functions` 4.16).
 */
import type { TypedData } from './types.ts';

export type FunctionCallback = (...args: unknown[]) => unknown;

export interface CoreBinding {
  readonly type?: string;
  readonly direction?: string;
  readonly [option: string]: unknown;
}

/** What `registerFunction` gets. */
export interface CoreFunctionMetadata {
  readonly name: string;
  readonly functionId?: string;
  readonly bindings: Readonly<Record<string, CoreBinding>>;
  readonly retryOptions?: unknown;
}

export interface CoreRequest {
  readonly invocationId: string;
  readonly functionId: string;
  readonly inputData: readonly { readonly name: string; readonly data: TypedData }[];
  readonly triggerMetadata?: Readonly<Record<string, TypedData>>;
}

export interface CoreInvocationContext {
  readonly invocationId: string;
  readonly request: CoreRequest;
  readonly metadata: CoreFunctionMetadata;
  state: 'preInvocationHooks' | 'postInvocationHooks' | 'invocation' | undefined;
  log(level: string, category: string, message: string): void;
}

export interface CoreResponse {
  readonly outputData?: readonly { readonly name: string; readonly data: TypedData }[];
  readonly returnValue?: TypedData | null;
}

export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<CoreResponse>;
}

export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: CoreInvocationContext): InvocationModel;
  getCapabilities(defaults: Record<string, string>): Promise<Record<string, string>> | Record<string, string>;
}

export type HookData = Record<string, unknown>;

/** A hook gets one context object and may write to the fields its kind allows. */
export type HookCallback = (context: Record<string, unknown>) => unknown;

export const HOOK_NAMES = ['appStart', 'appTerminate', 'preInvocation', 'postInvocation', 'log'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** The library disposes hooks and functions through objects of this class. */
export class Disposable {
  readonly #onDispose: () => void;

  constructor(onDispose: () => void) {
    this.#onDispose = onDispose;
  }

  static from(...items: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }

  dispose(): void {
    this.#onDispose();
  }
}

/** The object handed out for `require('@azure/functions-core')`. */
export interface CoreModule {
  readonly version: string;
  readonly hostVersion: string;
  registerFunction(metadata: CoreFunctionMetadata, callback: FunctionCallback): Disposable;
  setProgrammingModel(model: ProgrammingModel): void;
  getProgrammingModel(): ProgrammingModel | undefined;
  registerHook(name: string, callback: HookCallback): Disposable;
  log(level: string, category: string, message: string): void;
  readonly Disposable: typeof Disposable;
}
