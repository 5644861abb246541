/** Actions in the SDK's answer (numbers of `ActionType` in durable-functions 3.x). */
export const ActionType = {
  CallActivity: 0,
  CallActivityWithRetry: 1,
  CallSubOrchestrator: 2,
  CallSubOrchestratorWithRetry: 3,
  ContinueAsNew: 4,
  CreateTimer: 5,
  WaitForExternalEvent: 6,
  WhenAny: 11,
  WhenAll: 12,
} as const;

/** Actions that this host refuses by name, with the feature that a person would recognise. */
const REFUSED: ReadonlyMap<number, string> = new Map([
  [7, 'callEntity (durable entities)'],
  [8, 'callHttp (durable HTTP)'],
  [9, 'signalEntity (durable entities)'],
  [10, 'scheduled signalEntity (durable entities)'],
  [13, 'lock (entity locks)'],
  [14, 'release of entity locks'],
]);

export interface RetryOptions {
  readonly firstRetryIntervalInMilliseconds: number;
  readonly maxNumberOfAttempts: number;
  readonly backoffCoefficient?: number;
  readonly maxRetryIntervalInMilliseconds?: number;
  readonly retryTimeoutInMilliseconds?: number;
}
export interface ActivityAction {
  readonly actionType: 0 | 1;
  readonly functionName: string;
  readonly input?: unknown;
  readonly retryOptions?: RetryOptions;
}
export interface ChildAction {
  readonly actionType: 2 | 3;
  readonly functionName: string;
  readonly input?: unknown;
  readonly instanceId?: string;
  readonly version?: string;
  readonly retryOptions?: RetryOptions;
}
export interface ContinueAsNewAction {
  readonly actionType: 4;
  readonly input?: unknown;
}
export interface TimerAction {
  readonly actionType: 5;
  /** ISO time. */
  readonly fireAt: string;
  readonly isCanceled?: boolean;
}
export interface EventAction {
  readonly actionType: 6;
  readonly externalEventName: string;
}
export interface CompoundAction {
  readonly actionType: 11 | 12;
  readonly compoundActions: readonly Action[];
}
export type Action = ActivityAction | ChildAction | ContinueAsNewAction | TimerAction | EventAction | CompoundAction;

/** Refusal of an action that the embedded host does not execute. */
export class UnsupportedActionError extends Error {}

interface RawAction {
  readonly actionType?: unknown;
  readonly functionName?: unknown;
  readonly fireAt?: unknown;
  readonly externalEventName?: unknown;
  readonly compoundActions?: unknown;
  readonly retryOptions?: { readonly maxNumberOfAttempts?: unknown };
}

/**
 * Checks one action of the SDK's answer and everything inside it.
 * @throws UnsupportedActionError naming the feature, for entities, locks, callHttp, unknown types and broken shapes.
 */
export function checkAction(value: unknown): Action {
  const raw = (value ?? {}) as RawAction;
  const type = raw.actionType;
  if (typeof type !== 'number') throw new UnsupportedActionError('the orchestrator returned an action without a type');
  const refused = REFUSED.get(type);
  if (refused !== undefined)
    throw new UnsupportedActionError(`the embedded host does not support ${refused} (action type ${type})`);
  switch (type) {
    case ActionType.CallActivityWithRetry:
    case ActionType.CallSubOrchestratorWithRetry:
      if (!(Number(raw.retryOptions?.maxNumberOfAttempts) >= 1)) {
        throw new UnsupportedActionError(
          'retry options need maxNumberOfAttempts of at least 1: with less, engine and SDK number their tasks differently',
        );
      }
      break;
    case ActionType.CreateTimer:
      if (typeof raw.fireAt !== 'string' || Number.isNaN(Date.parse(raw.fireAt)))
        throw new UnsupportedActionError('a timer needs a valid date');
      break;
    case ActionType.WaitForExternalEvent:
      if (typeof raw.externalEventName !== 'string') throw new UnsupportedActionError('an external event needs a name');
      break;
    case ActionType.WhenAny:
    case ActionType.WhenAll:
      if (!Array.isArray(raw.compoundActions)) throw new UnsupportedActionError('a compound action lists no actions');
      raw.compoundActions.forEach(checkAction);
      break;
    case ActionType.CallActivity:
    case ActionType.CallSubOrchestrator:
    case ActionType.ContinueAsNew:
      break;
    default:
      throw new UnsupportedActionError(`the embedded host does not know action type ${type}`);
  }
  if (type <= ActionType.CallSubOrchestratorWithRetry && typeof raw.functionName !== 'string')
    throw new UnsupportedActionError(`an action of type ${type} names no function`);
  return value as Action;
}
