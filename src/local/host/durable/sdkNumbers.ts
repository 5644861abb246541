import { ActionType } from './actions.ts';

/** A task that the SDK has given a number and that has no result yet. */
export interface SdkTask {
  /** Where its action stands in the answer's list (`2`, or `2.0` inside a compound); undefined when it stands nowhere. */
  readonly place: string | undefined;
  readonly kind: 'activity' | 'child' | 'timer';
  /** Name of the function, or the time of a timer. */
  readonly what: string;
  /** The timer stands for a whole action, not for a slice or a retry: when the code wants it, ms since the epoch. */
  readonly fireAt: number | undefined;
}

/**
 * The SDK's numbering at the end of an episode, read from the SDK itself. Its numbers cannot be found from the answer
 * alone: which task objects are one and the same, and when the code asked for them, is lost in the JSON text.
 */
export interface SdkNumbers {
  /** The number that the SDK will give next. */
  readonly next: number;
  /** The code returned, threw or asked to continue as new: later events do not reach it. */
  readonly ended: boolean;
  readonly open: ReadonlyMap<number, SdkTask>;
  /** Actions that stand in the list more than once, by name; event waiters take no number and do not count. */
  readonly listedTwice: readonly string[];
  /** Names of events that the code waits for. */
  readonly waiting: readonly string[];
  /** Names of events that came and that nobody has taken. */
  readonly early: readonly string[];
}

interface LiveAction {
  readonly actionType?: unknown;
  readonly functionName?: unknown;
  readonly fireAt?: unknown;
  readonly compoundActions?: unknown;
}
interface LiveTask {
  readonly actionObj?: unknown;
  readonly parent?: { readonly actionObj?: unknown; readonly children?: unknown };
}
interface LiveExecutor {
  readonly sequenceNumber?: unknown;
  readonly actions?: unknown;
  readonly openTasks?: unknown;
  readonly openEvents?: unknown;
  readonly deferredTasks?: unknown;
  readonly orchestratorReturned?: unknown;
  readonly willContinueAsNew?: unknown;
  readonly exception?: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const timeOf = (action: LiveAction): number =>
  action.fireAt instanceof Date ? action.fireAt.getTime() : Date.parse(String(action.fireAt));

function nameOf(action: LiveAction): string {
  if (typeof action.functionName === 'string') return action.functionName;
  return action.actionType === ActionType.CreateTimer ? new Date(timeOf(action)).toISOString() : '?';
}

/** Places of all actions, and the names of those that stand there twice. */
function placesOf(actions: readonly unknown[]): { places: Map<object, string>; twice: string[] } {
  const places = new Map<object, string>();
  const twice: string[] = [];
  const visit = (list: readonly unknown[], prefix: string): void => {
    list.forEach((action, i) => {
      if (!isObject(action)) return;
      const place = `${prefix}${i}`;
      const { actionType, compoundActions } = action as LiveAction;
      if (Array.isArray(compoundActions)) visit(compoundActions as unknown[], `${place}.`);
      else if (!places.has(action)) places.set(action, place);
      else if (actionType !== ActionType.WaitForExternalEvent) twice.push(nameOf(action));
    });
  };
  visit(actions, '');
  return { places, twice };
}

const KINDS = new Map<unknown, SdkTask['kind']>([
  [ActionType.CallActivity, 'activity'],
  [ActionType.CallActivityWithRetry, 'activity'],
  [ActionType.CallSubOrchestrator, 'child'],
  [ActionType.CallSubOrchestratorWithRetry, 'child'],
  [ActionType.CreateTimer, 'timer'],
]);

/** A task, or undefined for one that is no activity, child or timer (entities and locks are refused elsewhere). */
function taskOf(task: LiveTask, places: ReadonlyMap<object, string>): SdkTask | undefined {
  const own = isObject(task.actionObj) ? task.actionObj : undefined;
  const parentAction = isObject(task.parent?.actionObj) ? task.parent.actionObj : undefined;
  // Retries and slices of long timers are inner tasks: the action in the list is their parent's.
  const inner = own === undefined || (!places.has(own) && parentAction !== undefined && places.has(parentAction));
  const action = inner ? parentAction : own;
  if (action === undefined) return undefined;
  const listedKind = KINDS.get((action as LiveAction).actionType);
  if (listedKind === undefined) return undefined;
  const siblings = task.parent?.children;
  // Inner tasks of a retry alternate: attempt, timer, attempt, timer …
  const retryTimer = own === undefined && Array.isArray(siblings) && siblings.indexOf(task) % 2 === 1;
  return {
    place: places.get(action),
    kind: retryTimer ? 'timer' : listedKind,
    what: nameOf(action),
    fireAt: !inner && listedKind === 'timer' ? timeOf(action) : undefined,
  };
}

/** The executor of durable-functions 3.x behind the context that the handler was given. */
function executorOf(context: unknown): LiveExecutor | undefined {
  const df = isObject(context) ? (context as { df?: unknown }).df : undefined;
  const executor = isObject(df) ? (df as { taskOrchestratorExecutor?: unknown }).taskOrchestratorExecutor : undefined;
  return isObject(executor) ? executor : undefined;
}

/**
 * Reads the numbering from the context of an orchestrator that has just answered. Only looks, changes nothing.
 * @param context what the handler got as its context
 * @returns undefined when this is not the inside of durable-functions 3.x, so that nothing can be said
 */
export function readSdkNumbers(context: unknown): SdkNumbers | undefined {
  const executor = executorOf(context);
  if (executor === undefined) return undefined;
  const { sequenceNumber, actions, openTasks, openEvents, deferredTasks } = executor;
  if (typeof sequenceNumber !== 'number' || !Array.isArray(actions)) return undefined;
  if (!isObject(openTasks) || !isObject(openEvents) || !isObject(deferredTasks)) return undefined;
  const { places, twice } = placesOf(actions);
  const open = new Map<number, SdkTask>();
  for (const [key, value] of Object.entries(openTasks)) {
    const task = isObject(value) ? taskOf(value, places) : undefined;
    if (task !== undefined && /^\d+$/.test(key)) open.set(Number(key), task);
  }
  return {
    next: sequenceNumber,
    ended:
      executor.orchestratorReturned === true || executor.willContinueAsNew === true || executor.exception !== undefined,
    open,
    listedTwice: twice,
    waiting: Object.keys(openEvents),
    early: Object.keys(deferredTasks),
  };
}
