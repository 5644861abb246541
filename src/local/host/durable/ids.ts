import type { Action } from './actions.ts';
import { EventType, isoTime, type HistoryEvent, type SchedulingEvent } from './events.ts';
import { askedOther, notAsked, NonDeterministicError } from './nonDeterminism.ts';
import { ReplayTask } from './replayTask.ts';

interface Numbered {
  readonly id: number;
  /** The action of the answer that it stands for: itself, an attempt, a retry's timer or a slice. */
  readonly source: Action;
}

/** Work that the replay asked for: becomes one scheduling event, and a message when it is new. */
export type Decision =
  | (Numbered & { readonly kind: 'activity'; readonly name: string; readonly input: unknown })
  | (Numbered & {
      readonly kind: 'child';
      readonly name: string;
      readonly input: unknown;
      readonly instanceId: string;
      readonly version: string;
    })
  | (Numbered & { readonly kind: 'timer'; readonly fireAt: number });

type DecisionBody<D = Decision> = D extends Decision ? Omit<D, 'id'> : never;

const KIND = new Map<number, Decision['kind']>([
  [EventType.TaskScheduled, 'activity'],
  [EventType.SubOrchestrationInstanceCreated, 'child'],
  [EventType.TimerCreated, 'timer'],
]);

/** Differences between history and decision that the engine takes without a word: time, child id and, where stored, input. */
function unnoticed(event: SchedulingEvent, decision: Decision): string | undefined {
  const differs = (what: string, was: string, is: string): string =>
    `Non-deterministic, and not noticed in Azure: ${decision.kind} ${decision.id} had ${what} ${was} when it was scheduled, now the code asks for ${is}`;
  if (event.EventType === EventType.TimerCreated && decision.kind === 'timer') {
    const fireAt = isoTime(decision.fireAt);
    return event.FireAt === fireAt ? undefined : differs('the time', event.FireAt, fireAt);
  }
  if (
    event.EventType === EventType.SubOrchestrationInstanceCreated &&
    decision.kind === 'child' &&
    event.InstanceId !== decision.instanceId
  )
    return differs('the id', event.InstanceId, decision.instanceId);
  if (decision.kind === 'timer' || !('Input' in event) || event.Input === null) return undefined;
  const input = inputText(decision);
  return event.Input === input ? undefined : differs('the input', event.Input, String(input));
}

/** A call's input as it is sent and, if asked for, stored: `[input]` for an activity, the plain JSON text for a child. */
export function inputText(decision: Exclude<Decision, { kind: 'timer' }>): string | null {
  if (decision.kind === 'activity') return JSON.stringify([decision.input ?? null]);
  return decision.input === undefined || decision.input === null ? null : JSON.stringify(decision.input);
}

/**
 * The ids of one execution: which number each decision got, which tasks are open, and which decisions are not in
 * history yet. Ids are given at invocation, in action order, from 0 (Q3).
 */
export class IdBook {
  #next = 0;
  readonly #open = new Map<number, { readonly task: ReplayTask; readonly decision: Decision }>();
  #pending = new Map<number, Decision>();
  #aside = new Map<number, Decision>();

  /** The number that the next decision will get. */
  get next(): number {
    return this.#next;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** What is open, in id order. */
  open(): Decision[] {
    return [...this.#open.values()].map(({ decision }) => decision);
  }

  /** Gives `body` the next number and opens its task. */
  schedule(body: DecisionBody): { id: number; task: ReplayTask } {
    const id = this.#next;
    this.#next += 1;
    const task = new ReplayTask();
    const decision: Decision = { ...body, id };
    this.#open.set(id, { task, decision });
    this.#pending.set(id, decision);
    return { id, task };
  }

  /**
   * Closes `id` and settles its task; false when it is not open (a duplicate, or the timer was cancelled).
   * @param final the failure must not be retried
   */
  close(id: number, failed: boolean, final = false): boolean {
    const entry = this.#open.get(id);
    if (entry === undefined) return false;
    this.#open.delete(id);
    entry.task.settle(failed, final);
    return true;
  }

  /**
   * Checks a scheduling event of the history against the decision with its number, and takes that one off the list.
   * @returns what differs of that which the engine does not compare; undefined when nothing does
   * @throws NonDeterministicError when number, kind or name (ignoring case) differ.
   */
  confirm(event: SchedulingEvent): string | undefined {
    const decision = this.#pending.get(event.EventId);
    const kind = KIND.get(event.EventType);
    const name = 'Name' in event ? event.Name : '';
    if (decision === undefined) throw new NonDeterministicError(notAsked(event));
    const asked = decision.kind === 'timer' ? '' : decision.name;
    if (decision.kind !== kind || asked.toLowerCase() !== name.toLowerCase()) {
      throw new NonDeterministicError(askedOther(event, decision));
    }
    this.#pending.delete(event.EventId);
    return unnoticed(event, decision);
  }

  /** Suspension: decisions of this episode are held back. */
  setAside(): void {
    for (const [id, decision] of this.#pending) this.#aside.set(id, decision);
    this.#pending = new Map();
  }

  /** Resumption: held decisions are pending again. */
  giveBack(): void {
    for (const [id, decision] of this.#aside) this.#pending.set(id, decision);
    this.#aside = new Map();
  }

  /** Decisions that are not in history yet, in id order: the new work. */
  fresh(): Decision[] {
    return [...this.#pending.values()].sort((a, b) => a.id - b.id);
  }
}

export const isScheduling = (event: HistoryEvent): event is SchedulingEvent => KIND.has(event.EventType);
