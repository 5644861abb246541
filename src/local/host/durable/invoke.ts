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
  /** Notes something that goes wrong silently on the engine, beginning with its quirk's number. */
  problem(text: string): void;
  /** Notes that a timer was cancelled which the engine, by now, had cut into slices. */
  slicedTimerCancelled(): void;
  continueAsNew(input: unknown): void;
}

const isActivity = (action: ActivityAction | ChildAction): action is ActivityAction =>
  action.actionType === ActionType.CallActivity || action.actionType === ActionType.CallActivityWithRetry;

const HANGS = 'on Azure the error is swallowed and the instance waits for ever';

/** Why the engine would reject this call, or undefined. */
function rejection(scope: InvokeScope, action: ActivityAction | ChildAction): string | undefined {
  const activity = isActivity(action);
  if (!scope.isKnown(activity ? 'activity' : 'orchestrator', action.functionName)) {
    return `Q13: there is no ${activity ? 'activity' : 'orchestrator'} function named '${action.functionName}'; ${HANGS}`;
  }
  const retry = action.retryOptions;
  if (Math.max(retry?.firstRetryIntervalInMilliseconds ?? 0, retry?.maxRetryIntervalInMilliseconds ?? 0) > MAX_TIMER_MS)
    return `Q13: the retries of '${action.functionName}' wait for more than 6 days, which the engine refuses; ${HANGS}`;
  if (isActivity(action) || action.instanceId === undefined || action.instanceId === '') return undefined;
  const id = action.instanceId.toLowerCase();
  if (id.startsWith('@')) return `Q13: a child instance id must not begin with '@': '${action.instanceId}'; ${HANGS}`;
  if (scope.forbiddenChildIds.some((other) => other?.toLowerCase() === id))
    return `Q13: a child must not have the id of its parent or its own: '${action.instanceId}'; ${HANGS}`;
  return undefined;
}

function callOnce(scope: InvokeScope, action: ActivityAction | ChildAction): ReplayTask {
  if (isActivity(action)) {
    return scope.ids.schedule({ kind: 'activity', source: action, name: action.functionName, input: action.input })
      .task;
  }
  const given = action.instanceId;
  const instanceId = given === undefined || given === '' ? scope.childId(scope.ids.next) : given;
  return scope.ids.schedule({
    kind: 'child',
    source: action,
    name: action.functionName,
    input: action.input,
    instanceId,
    version: action.version ?? '',
  }).task;
}

function call(scope: InvokeScope, action: ActivityAction | ChildAction): ReplayTask {
  const reason = rejection(scope, action);
  if (reason !== undefined) {
    scope.problem(reason);
    return ReplayTask.settled(true);
  }
  const retry =
    action.actionType === ActionType.CallActivityWithRetry ||
    action.actionType === ActionType.CallSubOrchestratorWithRetry
      ? action.retryOptions
      : undefined;
  return retry === undefined ? callOnce(scope, action) : withRetry(scope, action, retry);
}

function timer(scope: InvokeScope, source: Action, fireAt: number, cancelled: boolean): ReplayTask {
  const { id, task } = scope.ids.schedule({ kind: 'timer', source, fireAt });
  // A timer that is cancelled by now is created and closed in the same step; its TimerFired will be ignored.
  if (cancelled) scope.ids.close(id, true);
  return task;
}

/** Up to 6 days one timer; longer ones run in slices of 3 days, each taking a number when the one before fired. */
function longTimer(scope: InvokeScope, action: TimerAction): ReplayTask {
  const until = Date.parse(action.fireAt);
  const cancelled = action.isCanceled === true;
  if (until - scope.now() <= MAX_TIMER_MS) return timer(scope, action, until, cancelled);
  if (cancelled) scope.slicedTimerCancelled();
  const whole = new ReplayTask();
  const step = (): void => {
    const left = until - scope.now();
    const slice = timer(scope, action, left > TIMER_SLICE_MS ? scope.now() + TIMER_SLICE_MS : until, cancelled);
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

/** The engine's retry loop: after every failed attempt a timer, after the last one a timer that fires at once (Q12). */
function withRetry(scope: InvokeScope, action: ActivityAction | ChildAction, options: RetryOptions): ReplayTask {
  const whole = new ReplayTask();
  const started = scope.now();
  const run = (attempt: number): void => {
    const task = callOnce(scope, action);
    task.then(() => {
      if (!task.failed) {
        whole.settle(false);
        return;
      }
      const timeout = options.retryTimeoutInMilliseconds;
      const expired = timeout !== undefined && scope.now() - started >= timeout;
      if (expired || task.final) {
        const why = expired
          ? `its retry timeout of ${timeout} ms is over`
          : 'the failure says that it is not retriable';
        scope.problem(
          `Q12: '${action.functionName}' is not tried again (${why}); the engine creates no further timer and the SDK waits for one: on Azure the instance hangs`,
        );
        whole.settle(true);
        return;
      }
      const last = attempt + 1 >= options.maxNumberOfAttempts;
      timer(scope, action, scope.now() + (last ? 0 : retryDelay(options, attempt)), false).then(() => {
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
