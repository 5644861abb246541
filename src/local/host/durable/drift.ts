import { ActionType, type Action } from './actions.ts';
import { EventType, isoTime, type HistoryEvent } from './events.ts';
import type { Decision } from './ids.ts';
import type { SdkNumbers, SdkTask } from './sdkNumbers.ts';

const WRONG = 'this pattern gives wrong results in Azure';

/** Places of the answer's actions as `SdkTask.place` counts them, and whether a Task.all stands among them. */
function indexActions(actions: readonly Action[]): { places: Map<Action, string>; hasAll: boolean } {
  const places = new Map<Action, string>();
  let hasAll = false;
  const visit = (list: readonly Action[], prefix: string): void => {
    list.forEach((action, i) => {
      const place = `${prefix}${i}`;
      places.set(action, place);
      if (action.actionType === ActionType.WhenAll) hasAll = true;
      if (action.actionType === ActionType.WhenAny || action.actionType === ActionType.WhenAll)
        visit(action.compoundActions, `${place}.`);
    });
  };
  visit(actions, '');
  return { places, hasAll };
}

const isRetry = (action: Action): boolean =>
  action.actionType === ActionType.CallActivityWithRetry ||
  action.actionType === ActionType.CallSubOrchestratorWithRetry;

function engineText(decision: Decision): string {
  if (decision.kind !== 'timer') return `${decision.kind} '${decision.name}'`;
  const { source } = decision;
  if (isRetry(source) && 'functionName' in source) return `the retry timer of '${source.functionName}'`;
  return `the timer due ${isoTime(decision.fireAt)}`;
}
const sdkText = (task: SdkTask): string =>
  task.kind === 'timer' ? `a timer of ${task.what}` : `${task.kind} '${task.what}'`;

/** Compares one number that the engine has given with what the SDK means by it. */
function compare(decision: Decision, sdk: SdkNumbers, index: ReturnType<typeof indexActions>): string | undefined {
  const { id, source } = decision;
  const task = sdk.open.get(id);
  const quirk = isRetry(source) && index.hasAll ? 'Q9' : 'Q10';
  const why =
    quirk === 'Q9'
      ? ' (for the code a Task.all ends at its first failure, for the engine with its last branch: a retry in between takes a number)'
      : '';
  if (task === undefined && id >= sdk.next)
    return `${quirk}: ${WRONG}: the engine has given number ${id} to ${engineText(decision)}, of which the code knows nothing${why}`;
  if (task === undefined)
    return `${quirk}: ${WRONG}: ${engineText(decision)} has number ${id} and is still open, but the code has got a result for that number${why}`;
  if (task.kind !== decision.kind || task.place !== index.places.get(source))
    return `${quirk}: ${WRONG}: number ${id} is ${engineText(decision)} for the engine and ${sdkText(task)} for the code${why}`;
  if (decision.kind === 'timer' && task.fireAt !== undefined && task.fireAt !== decision.fireAt)
    return `Q10: ${WRONG}: timer ${id} is due ${task.what}, more than 6 days after the engine reached the action that lists it, so the engine cuts it into slices (first: ${isoTime(decision.fireAt)}) and takes numbers that the code does not know (I11)`;
  return undefined;
}

/** Q14: a waiter and an untaken event whose names differ in case alone. */
function caseProblems(sdk: SdkNumbers): string[] {
  const early = new Map(sdk.early.map((name) => [name.toLowerCase(), name]));
  return sdk.waiting.flatMap((name) => {
    const other = early.get(name.toLowerCase());
    return other === undefined || other === name
      ? []
      : [
          `Q14: event '${other}' was raised and the code waits for '${name}': the engine ignores case and takes the event, the SDK does not and never sees it`,
        ];
  });
}

/** Q15: the SDK keeps names and numbers in one map, so an event named like an open number is that task's result. */
function nameProblems(open: readonly Decision[], sdk: SdkNumbers, history: readonly HistoryEvent[]): string[] {
  const raised = new Set(history.flatMap((event) => (event.EventType === EventType.EventRaised ? [event.Name] : [])));
  const forged = open.filter((decision) => raised.has(String(decision.id)));
  return [
    ...forged.map(
      (decision) =>
        `Q15: ${WRONG}: an event named '${decision.id}' became the result of ${engineText(decision)}, which has number ${decision.id}`,
    ),
    ...sdk.waiting
      .filter((name) => /^\d+$/.test(name))
      .map(
        (name) =>
          `Q15: the code waits for an event named '${name}': the completion of task ${name} can become the event, and the event its result`,
      ),
  ];
}

/**
 * Where the engine's numbers and the SDK's part: from there on results are bound to other tasks, silently. Compares,
 * after each episode, every open number of the engine (protocol §4.8) with the SDK's own, by the action that it stands
 * for. Nothing can be said once the code has ended.
 * @param open numbers that the engine has given and not closed, in order
 * @param actions the answer's list, the same objects that the decisions name as their source
 * @returns messages that begin with the quirk's number; empty when both agree
 */
export function findDrift(
  open: readonly Decision[],
  actions: readonly Action[],
  sdk: SdkNumbers,
  history: readonly HistoryEvent[],
): string[] {
  const problems = sdk.listedTwice.map(
    (name) =>
      `Q10: ${WRONG}: '${name}' stands twice in the action list (a task in a second Task.any or Task.all): the engine starts it once for each`,
  );
  problems.push(...caseProblems(sdk), ...nameProblems(open, sdk, history));
  if (sdk.ended) return problems;
  const index = indexActions(actions);
  for (const decision of open) {
    const problem = compare(decision, sdk, index);
    if (problem !== undefined) problems.push(problem);
  }
  for (const [id, task] of sdk.open) {
    if (task.place === undefined)
      problems.push(
        `Q10: ${WRONG}: ${sdkText(task)} has number ${id} and stands in no action: the engine never starts it`,
      );
  }
  return problems;
}
