import {
  ActionType,
  type Action,
  type ActivityAction,
  type ChildAction,
  type RetryOptions,
  type TimerAction,
} from './actions.ts';
import type { EventBuffer } from './eventBuffer.ts';
import type { IdBook } from './ids.ts';
import { allSettled, firstSettled, ReplayTask } from './replayTask.ts';

const DAY = 86_400_000;
/** Longest single timer, and the slice of longer ones (engine constants of Azure Storage). */
export const MAX_TIMER_MS = 6 * DAY;
export const TIMER_SLICE_MS = 3 * DAY;

export interface InvokeScope {
  readonly ids: IdBook;
  readonly events: EventBuffer;
  /** Time of the episode that the walk is in, ms since the epoch. */
  now(): number;
  /** Id of a child that was given none. */
  childId(actionId: number): string;
  /** Ids that a child must not have: its own ancestor's and its own. */
  readonly forbiddenChildIds: readonly (string | null)[];
  isKnown(kind: 'activity' | 'orchestrator', name: string): boolean;
  /** Notes a call that the engine rejects while it walks the list; it swallows the error and goes on (Q13). */
  refused(reason: string): void;
  continueAsNew(input: unknown): void;
}

const isActivity = (action: ActivityAction | ChildAction): action is ActivityAction =>
  action.actionType === ActionType.CallActivity || action.actionType === ActionType.CallActivityWithRetry;

/** Why the engine would reject this call, or undefined. */
function rejection(scope: InvokeScope, action: ActivityAction | ChildAction): string | undefined {
  const activity = isActivity(action);
  if (!scope.isKnown(activity ? 'activity' : 'orchestrator', action.functionName)) {
    return `Q13: there is no ${activity ? 'activity' : 'orchestrator'} function named '${action.functionName}'; on Azure the instance waits for it for ever`;
  }
  if (isActivity(action) || action.instanceId === undefined || action.instanceId === '') return undefined;
  if (action.instanceId.startsWith('@')) return `a child instance id must not begin with '@': '${action.instanceId}'`;
  if (scope.forbiddenChildIds.includes(action.instanceId))
    return `a child must not have the id of its parent or its own: '${action.instanceId}'`;
  return undefined;
}

function callOnce(scope: InvokeScope, action: ActivityAction | ChildAction): ReplayTask {
  if (isActivity(action)) {
    return scope.ids.schedule({ kind: 'activity', name: action.functionName, input: action.input }).task;
  }
  const given = action.instanceId;
  const instanceId = given === undefined || given === '' ? scope.childId(scope.ids.next) : given;
  return scope.ids.schedule({
    kind: 'child',
    name: action.functionName,
    input: action.input,
    instanceId,
    version: action.version ?? '',
  }).task;
}

function call(scope: InvokeScope, action: ActivityAction | ChildAction): ReplayTask {
  const reason = rejection(scope, action);
  if (reason !== undefined) {
    scope.refused(reason);
    return ReplayTask.settled(true);
  }
  const retry =
    action.actionType === ActionType.CallActivityWithRetry ||
    action.actionType === ActionType.CallSubOrchestratorWithRetry
      ? action.retryOptions
      : undefined;
  return retry === undefined ? callOnce(scope, action) : withRetry(scope, retry, () => callOnce(scope, action));
}

function timer(scope: InvokeScope, fireAt: number, cancelled: boolean): ReplayTask {
  const { id, task } = scope.ids.schedule({ kind: 'timer', fireAt });
  // A timer that is cancelled by now is created and closed in the same step; its TimerFired will be ignored.
  if (cancelled) scope.ids.close(id, true);
  return task;
}

/** Up to 6 days one timer; longer ones run in slices of 3 days, each taking a number when the one before fired. */
function longTimer(scope: InvokeScope, action: TimerAction): ReplayTask {
  const until = Date.parse(action.fireAt);
  const cancelled = action.isCanceled === true;
  if (until - scope.now() <= MAX_TIMER_MS) return timer(scope, until, cancelled);
  const whole = new ReplayTask();
  const step = (): void => {
    const left = until - scope.now();
    const slice = timer(scope, left > TIMER_SLICE_MS ? scope.now() + TIMER_SLICE_MS : until, cancelled);
    slice.then(() => {
      if (slice.failed || until <= scope.now()) whole.settle(slice.failed);
      else step();
    });
  };
  step();
  return whole;
}

/** Delay before the attempt after `attempt` (from 0), ms: `first · backoff^attempt`, capped. */
function retryDelay(options: RetryOptions, attempt: number): number {
  const delay = options.firstRetryIntervalInMilliseconds * (options.backoffCoefficient ?? 1) ** attempt;
  return Math.min(delay, options.maxRetryIntervalInMilliseconds ?? MAX_TIMER_MS);
}

/** The engine's retry loop: after every failed attempt a timer, after the last one a timer that fires at once. */
function withRetry(scope: InvokeScope, options: RetryOptions, attemptOnce: () => ReplayTask): ReplayTask {
  const whole = new ReplayTask();
  const started = scope.now();
  const run = (attempt: number): void => {
    const task = attemptOnce();
    task.then(() => {
      if (!task.failed) {
        whole.settle(false);
        return;
      }
      const timeout = options.retryTimeoutInMilliseconds;
      if (timeout !== undefined && scope.now() - started >= timeout) {
        whole.settle(true);
        return;
      }
      const last = attempt + 1 >= options.maxNumberOfAttempts;
      timer(scope, scope.now() + (last ? 0 : retryDelay(options, attempt)), false).then(() => {
        if (last) whole.settle(true);
        else run(attempt + 1);
      });
    });
  };
  run(0);
  return whole;
}

/**
 * Executes one action of the list and returns its task. Ids are taken here, in this order.
 * Compound actions invoke all children at once; `WhenAny` settles with the first, `WhenAll` with the last.
 */
export function invoke(scope: InvokeScope, action: Action): ReplayTask {
  switch (action.actionType) {
    case ActionType.CallActivity:
    case ActionType.CallActivityWithRetry:
    case ActionType.CallSubOrchestrator:
    case ActionType.CallSubOrchestratorWithRetry:
      return call(scope, action);
    case ActionType.ContinueAsNew:
      scope.continueAsNew(action.input);
      return ReplayTask.settled();
    case ActionType.CreateTimer:
      return longTimer(scope, action);
    case ActionType.WaitForExternalEvent:
      return scope.events.wait(action.externalEventName);
    case ActionType.WhenAny:
      return firstSettled(action.compoundActions.map((inner) => invoke(scope, inner)));
    case ActionType.WhenAll:
      return allSettled(action.compoundActions.map((inner) => invoke(scope, inner)));
  }
}
