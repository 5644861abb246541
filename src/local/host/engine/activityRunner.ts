import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { InvocationResult, LoadedApp, RegisteredFunction, TypedData } from '../core/loadApp.ts';
import { isFinal } from '../durable/events.ts';
import type { ActivityRecord } from '../store/activityTable.ts';
import type { Store } from '../store/store.ts';
import { activityInput } from './activityInput.ts';
import { completionEvent } from './activityResult.ts';
import { hideCredentials } from './credentialText.ts';
import type { FunctionIndex } from './functionIndex.ts';
import type { HostLog } from './hostLog.ts';

export interface ActivityScope {
  readonly app: LoadedApp;
  readonly functions: FunctionIndex;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: HostLog;
  readonly timeoutMs: number;
  /** JSON text of the durable client binding. */
  clientBinding(): string;
  /** True once the store is about to close: results that come later stay unstored and the call runs again (at least once). */
  closed(): boolean;
}

/** Fails the call after the function timeout; its code cannot be stopped and its late result is dropped. */
async function withTimeout(
  scope: ActivityScope,
  name: string,
  work: Promise<InvocationResult>,
): Promise<InvocationResult> {
  if (!Number.isFinite(scope.timeoutMs)) return work;
  let cancel: (() => void) | undefined;
  const limit = new Promise<InvocationResult>((resolve) => {
    cancel = scope.clock.setTimer(scope.clock.now() + scope.timeoutMs, () =>
      resolve({
        ok: false,
        message: `Timeout value of ${scope.timeoutMs / 1000} s was exceeded by function: Functions.${name}`,
        stack: '',
      }),
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel?.();
  }
}

function inputsOf(fn: RegisteredFunction, data: TypedData, binding: () => string): { name: string; data: TypedData }[] {
  const clients = fn.clientInputs.map((name) => ({ name, data: { string: binding() } }));
  return [{ name: fn.triggerName, data }, ...clients];
}

/**
 * Runs one stored activity call and stores its end: the call's row goes and the completion comes in one transaction,
 * so a crash before it runs the call again and a crash after it does not.
 * @returns the instance to wake; undefined when nobody waits
 */
export async function runActivity(scope: ActivityScope, record: ActivityRecord): Promise<string | undefined> {
  const { store, clock, log } = scope;
  const fn = scope.functions.activity(record.name);
  const data = activityInput(record.input);
  const result: InvocationResult =
    fn === undefined
      ? { ok: false, message: `The function '${record.name}' is not registered any more.`, stack: '' }
      : await withTimeout(
          scope,
          fn.name,
          scope.app.invoke({
            invocationId: randomUUID(),
            functionName: fn.name,
            inputs: inputsOf(fn, data, () => scope.clientBinding()),
            triggerMetadata: { instanceId: { string: record.instanceId }, [fn.triggerName]: data, data },
          }),
        );
  if (scope.closed()) return undefined;
  if (!result.ok) log('warning', `${record.instanceId}: ${hideCredentials(result.message)}`, record.name);
  return store.commit(() => {
    if (!store.activities.remove(record.seq)) return undefined;
    const instance = store.instances.get(record.instanceId);
    if (instance?.executionId !== record.executionId || isFinal(instance.status)) return undefined;
    const at = clock.now();
    const event = completionEvent(record.taskId, record.name, result, at);
    store.inbox.add({
      instanceId: record.instanceId,
      executionId: record.executionId,
      isTimer: false,
      dueMs: at,
      event,
    });
    return record.instanceId;
  });
}
