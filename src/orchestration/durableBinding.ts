/**
 * The four verbs over durable-functions 3.5: the only file that knows the SDK, and it knows its inside.
 *
 * Why not a plain loop over `Task.any`: every `Task.any` lists all its children in the answer again, the extension
 * schedules every listed child again, and from then on its numbers and the SDK's differ. The extension walks the list
 * from the front, stops at the first action that is not settled, and takes a WhenAny as settled when one child is. So:
 *  1. a task that takes a number stands in the list exactly once;
 *  2. a new one joins the newest listed WhenAny while no child of that is settled, otherwise it opens a new WhenAny;
 *  3. the `Task.any` really waited for is marked as scheduled and adds no action;
 *  4. event waiters are never listed (they take no number) and are tracked once (a second tracking would eat the next
 *     event of that name);
 *  5. what is already settled is returned before anything new is listed.
 * Facts and the proof on the real extension: docs/adr/0001-dynamic-fan-out-binding.md.
 */
import type { OrchestrationContext } from 'durable-functions';
import { Again, type Json, type Outcome, type Pending, type Step, type Timer, type Verbs } from './verbs.ts';

const DAY_MS = 86_400_000;
const LONGEST_TIMER_MS = 2 * DAY_MS;
const LAST_TIMER_AFTER_START_MS = 5 * DAY_MS;
const STATUS_LIMIT = 4_096;
const MESSAGE_LIMIT = 2_048;

/** What we use of the SDK's task objects. */
interface SdkTask {
  alreadyScheduled: boolean;
  readonly actionObj: object;
  readonly hasResult: boolean;
  readonly isFaulted: boolean;
  readonly result?: unknown;
  setValue(isError: boolean, value: unknown, executor?: unknown): void;
}
interface SdkAny extends SdkTask {
  children: readonly SdkTask[];
  readonly actionObj: { readonly compoundActions: object[] };
}
interface SdkExecutor {
  addToActions(action: object): void;
}
interface SdkInside {
  readonly taskOrchestratorExecutor: SdkExecutor;
  readonly Task: { any(tasks: readonly SdkTask[]): SdkAny };
}

/** A pending with the SDK task behind it. */
interface Entry {
  readonly pending: Pending;
  readonly task: SdkTask;
  /** Already handed to the SDK in a wait. */
  tracked: boolean;
  cancelled: boolean;
  /** Place in the order in which results arrived; undefined while open. */
  arrived?: number;
}

function changed(what: string): Error {
  return new Error(
    `durable-functions is not the version this binding was written for (3.5.0): ${what}. See docs/adr/0001.`,
  );
}

function isTask(value: unknown): value is SdkTask {
  const task = value as Partial<SdkTask> | undefined;
  return (
    typeof task?.alreadyScheduled === 'boolean' &&
    typeof task.hasResult === 'boolean' &&
    typeof task.actionObj === 'object' &&
    typeof task.setValue === 'function'
  );
}

function insideOf(df: unknown): SdkInside {
  const inside = df as { taskOrchestratorExecutor?: Partial<SdkExecutor>; Task?: { any?: unknown } };
  if (typeof inside.taskOrchestratorExecutor?.addToActions !== 'function')
    throw changed('no executor with addToActions on the context');
  if (typeof inside.Task?.any !== 'function') throw changed('no Task.any on the context');
  return df as SdkInside;
}

/** Builds a WhenAny and checks that it has the parts that the rule needs. */
function anyOf(inside: SdkInside, tasks: readonly SdkTask[]): SdkAny {
  const any = inside.Task.any(tasks);
  if (!isTask(any) || !Array.isArray(any.children) || !Array.isArray(any.actionObj.compoundActions)) {
    throw changed('Task.any has no children or no compoundActions');
  }
  return any;
}

/** The SDK joins reason and details with " \n "; the details are the text of a .NET exception. */
function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const end = text.indexOf(' \n ');
  return (end < 0 ? text : text.slice(0, end)).slice(0, MESSAGE_LIMIT);
}

function outcomeOf(entry: Entry): Outcome | undefined {
  const { task } = entry;
  if (entry.cancelled || !task.hasResult) return undefined;
  return task.isFaulted ? { ok: false, message: failureText(task.result) } : { ok: true, value: task.result };
}

function build(context: OrchestrationContext): Verbs {
  const { df } = context;
  const inside = insideOf(df);
  const entries = new Map<Pending, Entry>();
  const start = df.currentUtcDateTime.getTime();
  let arrivals = 0;
  let group: { readonly tasks: SdkTask[]; readonly action: { readonly compoundActions: object[] } } | undefined;

  const adopt = <P extends Pending>(
    kind: P['kind'],
    label: string,
    sdkTask: unknown,
    more: (entry: () => Entry) => Omit<P, keyof Pending>,
  ): P => {
    if (!isTask(sdkTask)) throw changed(`the ${kind} task lacks alreadyScheduled, hasResult, actionObj or setValue`);
    const task = sdkTask;
    const pending = { kind, label, outcome: () => outcomeOf(entry), ...more(() => entry) } as P;
    const entry: Entry = { pending, task, tracked: false, cancelled: false };
    const setValue = task.setValue.bind(task);
    // Instance-level: remembers the order of arrival, then does what the SDK does.
    task.setValue = (isError, value, executor) => {
      entry.arrived ??= arrivals++;
      setValue(isError, value, executor);
    };
    entries.set(pending, entry);
    return pending;
  };
  const plain = (kind: Exclude<Pending['kind'], 'time'>, label: string, task: unknown): Pending =>
    adopt<Pending>(kind, label, task, () => ({}));

  const find = (pending: Pending): Entry => {
    const entry = entries.get(pending);
    if (entry === undefined) throw new TypeError(`"${pending.label}" was not started through these verbs.`);
    return entry;
  };

  /** Rule 1, 2 and 4. */
  const list = (entry: Entry): void => {
    const { task, pending } = entry;
    if (task.alreadyScheduled) return;
    task.alreadyScheduled = true;
    if (pending.kind === 'event') return;
    if (group !== undefined && !group.tasks.some((other) => other.hasResult)) {
      group.tasks.push(task);
      group.action.compoundActions.push(task.actionObj);
      return;
    }
    group = { tasks: [task], action: anyOf(inside, [task]).actionObj };
    inside.taskOrchestratorExecutor.addToActions(group.action);
  };

  const wait = (open: readonly Entry[]): SdkAny => {
    for (const entry of open) list(entry);
    const any = anyOf(
      inside,
      open.map((entry) => entry.task),
    );
    any.alreadyScheduled = true;
    any.children = open.filter((entry) => !entry.tracked).map((entry) => entry.task);
    for (const entry of open) entry.tracked = true;
    return any;
  };

  function* firstOf(pendings: readonly Pending[]): Step<Pending> {
    const open = [...new Set(pendings)].map(find).filter((entry) => !entry.cancelled);
    if (open.length === 0) throw new RangeError('There is nothing to wait for.');
    for (;;) {
      let first: Entry | undefined;
      for (const entry of open) {
        if (entry.arrived !== undefined && (first?.arrived === undefined || entry.arrived < first.arrived))
          first = entry;
      }
      if (first !== undefined) return first.pending;
      yield wait(open);
    }
  }

  const reaches = (at: number): boolean =>
    at - df.currentUtcDateTime.getTime() <= LONGEST_TIMER_MS && at - start <= LAST_TIMER_AFTER_START_MS;
  const time = (at: number): Timer => {
    const now = df.currentUtcDateTime.getTime();
    if (!Number.isFinite(at)) throw new RangeError('A timer needs a finite time.');
    if (at - now > LONGEST_TIMER_MS) throw new RangeError('I11: no timer is longer than 2 days; use a sleep child.');
    if (at - start > LAST_TIMER_AFTER_START_MS)
      throw new RangeError('I11: no timer fires later than 5 days after the start of its instance.');
    const fireAt = new Date(at);
    const task = df.createTimer(fireAt);
    return adopt<Timer>('time', fireAt.toISOString(), task, (entry) => ({
      cancel: () => {
        if (task.isCompleted || entry().cancelled) return;
        entry().cancelled = true;
        task.cancel();
      },
    }));
  };

  return {
    now: () => df.currentUtcDateTime.getTime(),
    activity: (name, input) => plain('activity', name, df.callActivity(name, input)),
    child: (name, instanceId, input) => plain('child', name, df.callSubOrchestrator(name, input, instanceId)),
    event: (name) => {
      // The SDK keeps names and numbers in one map: an event "3" would become the result of task 3 (I12).
      if (/^\d+$/.test(name)) throw new RangeError(`I12: an event can't be named "${name}".`);
      return plain('event', name, df.waitForExternalEvent(name));
    },
    time,
    reaches,
    firstOf,
    status: (value: Json) => {
      const length = JSON.stringify(value).length;
      if (length >= STATUS_LIMIT)
        throw new RangeError(`I9: a custom status of ${length} UTF-16 units; the limit is ${STATUS_LIMIT - 1}.`);
      df.setCustomStatus(value);
    },
  };
}

const built = new WeakMap<object, Verbs>();

/**
 * The verbs of one execution; the same object for the same context, because the listing rule has one state.
 * A call becomes real at the next `firstOf` that has to wait; what is started and never waited for never runs.
 * Throws an Error naming the missing part when the SDK is not the one this was written for.
 */
export function durableVerbs(context: OrchestrationContext): Verbs {
  const known = built.get(context.df);
  if (known !== undefined) return known;
  const verbs = build(context);
  built.set(context.df, verbs);
  return verbs;
}

/** An orchestration as it is registered: over the verbs, with the input and id of its instance; may end with `Again`. */
export type Body = (verbs: Verbs, input: unknown, instanceId: string) => Step<unknown>;

/** Executes a body over the durable verbs; one that ends with `Again` continues as new. */
export function* durably(context: OrchestrationContext, body: Body): Step<unknown> {
  const { df } = context;
  const end = yield* body(durableVerbs(context), df.getInput(), df.instanceId);
  if (!(end instanceof Again)) return end;
  df.continueAsNew(end.input);
  return undefined;
}
