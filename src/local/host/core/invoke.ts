import type { CoreInvocationContext, CoreRequest, HookData, ProgrammingModel } from './contract.ts';
import type { FunctionEntry, Registry } from './registry.ts';
import type { Invocation, InvocationResult, TypedData } from './types.ts';

/** What one invocation runs against. */
export interface InvokeScope {
  readonly registry: Registry;
  readonly model: ProgrammingModel;
  readonly appHookData: HookData;
}

/** Writes a log line through the `log` hooks, which may change level and message. */
export function logThroughHooks(
  registry: Registry,
  entry: { level: string; category: string; message: string; functionName?: string; invocationContext?: unknown },
): void {
  const context: Record<string, unknown> = {
    hookData: {},
    level: entry.level,
    category: entry.category,
    message: entry.message,
    invocationContext: entry.invocationContext,
  };
  for (const hook of registry.hooks('log')) hook(context);
  const level = typeof context['level'] === 'string' ? context['level'] : entry.level;
  const message = typeof context['message'] === 'string' ? context['message'] : entry.message;
  registry.log(level, entry.category, message, entry.functionName);
}

/** Text of whatever was thrown; an Error's message stays untouched because Durable state travels in it. */
function failure(error: unknown): InvocationResult {
  if (error instanceof Error) {
    // The SDK deletes the stack of its own failure error, whatever the type says.
    const stack: unknown = error.stack;
    return { ok: false, message: error.message, stack: typeof stack === 'string' ? stack : '' };
  }
  // JSON.stringify gives undefined for a function or a symbol.
  const json = JSON.stringify(error) as string | undefined;
  const message = typeof error === 'string' ? error : (json ?? typeof error);
  return { ok: false, message, stack: '' };
}

function outputsOf(data: readonly { name: string; data: TypedData }[] | undefined): Map<string, TypedData> {
  return new Map((data ?? []).map((output) => [output.name, output.data]));
}

/** Shows the library which part of the invocation runs; between and after them none, so that it can warn of late calls (Q33). */
async function during<T>(
  context: CoreInvocationContext,
  state: NonNullable<CoreInvocationContext['state']>,
  work: () => Promise<T>,
): Promise<T> {
  context.state = state;
  try {
    return await work();
  } finally {
    context.state = undefined;
  }
}

async function run(scope: InvokeScope, entry: FunctionEntry, invocation: Invocation): Promise<InvocationResult> {
  const { registry, model, appHookData } = scope;
  const request: CoreRequest = {
    invocationId: invocation.invocationId,
    functionId: entry.registered.id,
    inputData: invocation.inputs,
    ...(invocation.triggerMetadata === undefined ? {} : { triggerMetadata: invocation.triggerMetadata }),
  };
  const seen: { context?: unknown } = {};
  const coreContext: CoreInvocationContext = {
    invocationId: invocation.invocationId,
    request,
    metadata: entry.metadata,
    state: undefined,
    log: (level, category, message) =>
      logThroughHooks(registry, {
        level,
        category,
        message,
        functionName: entry.registered.name,
        invocationContext: seen.context,
      }),
  };
  const invocationModel = model.getInvocationModel(coreContext);
  const { context, inputs } = await invocationModel.getArguments();
  seen.context = context;
  const hookData: HookData = {};

  const pre: Record<string, unknown> = {
    hookData,
    appHookData,
    invocationContext: context,
    functionCallback: entry.callback,
    inputs,
  };
  await during(coreContext, 'preInvocationHooks', async () => {
    for (const hook of registry.hooks('preInvocation')) await hook(pre);
  });
  const callback = pre['functionCallback'];
  const args = pre['inputs'];
  if (typeof callback !== 'function' || !Array.isArray(args)) {
    throw new TypeError('A preInvocation hook replaced functionCallback or inputs with something of another type.');
  }

  const post: Record<string, unknown> = {
    hookData,
    appHookData,
    invocationContext: context,
    inputs: args,
    result: null,
    error: null,
  };
  try {
    post['result'] = await during(coreContext, 'invocation', () =>
      invocationModel.invokeFunction(context, args, callback as FunctionEntry['callback']),
    );
  } catch (error) {
    post['error'] = error;
  }
  invocation.observe?.(context);
  await during(coreContext, 'postInvocationHooks', async () => {
    for (const hook of registry.hooks('postInvocation')) await hook(post);
  });
  // Throwing null or undefined counts as success with the result null, as in the real worker.
  if (post['error'] !== null && post['error'] !== undefined) return failure(post['error']);
  const response = await invocationModel.getResponse(context, post['result']);
  return { ok: true, returnValue: response.returnValue, outputs: outputsOf(response.outputData) };
}

/** One invocation in the order of the real worker: arguments, pre hooks, handler, post hooks, response. Never rejects. */
export async function invoke(scope: InvokeScope, invocation: Invocation): Promise<InvocationResult> {
  const entry = scope.registry.find(invocation.functionName);
  if (entry === undefined)
    return { ok: false, message: `No function named "${invocation.functionName}" is registered.`, stack: '' };
  try {
    return await run(scope, entry, invocation);
  } catch (error) {
    return failure(error);
  }
}
