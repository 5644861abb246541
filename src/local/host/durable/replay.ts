import type { Action } from './actions.ts';
import { findDrift } from './drift.ts';
import { EventBuffer } from './eventBuffer.ts';
import { EventType, isoTime, type EventRaised, type HistoryEvent } from './events.ts';
import { IdBook, isScheduling, type Decision } from './ids.ts';
import { NonDeterministicError } from './nonDeterminism.ts';
import { invoke, type InvokeScope } from './invoke.ts';
import type { SdkNumbers } from './sdkNumbers.ts';

/** What the replay needs to know about the instance besides its history. */
export interface ReplayContext {
  readonly instanceId: string;
  readonly executionId: string;
  readonly parentInstanceId: string | null;
  isKnown(kind: 'activity' | 'orchestrator', name: string): boolean;
  /** Most actions in one execution (host.json `maxOrchestrationActions`). */
  readonly maxActions: number;
}

/** The part of the SDK's answer that the walk uses. */
export interface ReplayProgram {
  readonly actions: readonly Action[];
  readonly isDone: boolean;
  /** Text of a non-empty error that left the code, already in its final form. */
  readonly error: string | undefined;
  /** The SDK's own numbering at the end of this episode; undefined = not known, so drift is not looked for. */
  readonly sdk?: SdkNumbers | undefined;
}

export type ReplayEnd =
  | { readonly kind: 'open' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'continuedAsNew'; readonly input: unknown; readonly carried: readonly EventRaised[] }
  | { readonly kind: 'terminated'; readonly reason: string | null };

export interface ReplayResult {
  readonly end: ReplayEnd;
  /** New work in id order. */
  readonly decisions: readonly Decision[];
  /** The id that `ExecutionCompleted` takes. */
  readonly nextId: number;
  readonly suspended: boolean;
  /** History and actions disagree: the engine itself ends the instance, with this text. */
  readonly nonDeterministic: boolean;
  /** Things that go wrong silently on the engine, each naming its rule; for the log, and for strict mode. */
  readonly problems: readonly string[];
  /** What is open, in words, when the code has ended and the instance goes on (Q17). */
  readonly lingering: readonly string[];
}

/** One walk over a history with one action list. */
class Walk {
  readonly ids = new IdBook();
  readonly problems: string[] = [];
  readonly #events = new EventBuffer();
  readonly #queued: HistoryEvent[] = [];
  readonly #carried: EventRaised[] = [];
  readonly #program: ReplayProgram;
  readonly #scope: InvokeScope;
  #now = 0;
  #position = 0;
  #codeEnded = false;
  #renewal: { readonly input: unknown } | undefined;
  #terminated: { readonly reason: string | null } | undefined;
  #slicedTimerCancelled = false;
  suspended = false;

  constructor(program: ReplayProgram, context: ReplayContext) {
    this.#program = program;
    this.#scope = {
      ids: this.ids,
      events: this.#events,
      now: () => this.#now,
      childId: (id) => `${context.executionId}:${id}`,
      forbiddenChildIds: [context.instanceId, context.parentInstanceId],
      isKnown: (kind, name) => context.isKnown(kind, name),
      problem: (text) => this.problems.push(text),
      slicedTimerCancelled: () => (this.#slicedTimerCancelled = true),
      continueAsNew: (input) => (this.#renewal = { input }),
    };
  }

  /** Feeds one event. While suspended, all but time, resume and terminate is queued; a second suspend is dropped. */
  feed(event: HistoryEvent): void {
    if (event.EventType === EventType.OrchestratorStarted) {
      this.#now = Math.max(this.#now, Date.parse(event.Timestamp));
      return;
    }
    const passes = event.EventType === EventType.ExecutionResumed || event.EventType === EventType.ExecutionTerminated;
    if (!this.suspended || passes) this.#handle(event);
    else if (event.EventType !== EventType.ExecutionSuspended) this.#queued.push(event);
  }

  /** Why a disagreement with the history may have come about, where that is known. */
  hint(): string | undefined {
    return this.#slicedTimerCancelled
      ? 'Q10: a timer that the engine had cut into slices (more than 6 days after its action was reached) was cancelled: the engine then never numbers the later slices that stand in history; no timer may be longer than 2 days, or fire later than 5 days after its start (I11)'
      : undefined;
  }

  /** What is open although the code has ended. */
  lingering(): readonly string[] {
    const { isDone, error } = this.#program;
    if (!isDone && error === undefined) return [];
    return this.ids
      .open()
      .map((d) => (d.kind === 'timer' ? `timer ${d.id} due ${isoTime(d.fireAt)}` : `${d.kind} ${d.id} '${d.name}'`));
  }

  /** How the walk ended. Completion needs no open ids: a timer that nobody cancelled keeps the instance running (Q17). */
  end(): ReplayEnd {
    if (this.#terminated !== undefined) return { kind: 'terminated', reason: this.#terminated.reason };
    if (this.#stalled()) {
      this.problems.push(
        'the code has ended, but the engine still waits at an earlier action that nothing will settle (numbers drifted, or an event name differs in case: Q9, Q10, Q14); on Azure the instance never ends',
      );
    }
    if (!this.#codeEnded || this.ids.openCount > 0) return { kind: 'open' };
    if (this.#program.error !== undefined) return { kind: 'failed', message: this.#program.error };
    if (this.#renewal === undefined) return { kind: 'completed' };
    return { kind: 'continuedAsNew', input: this.#renewal.input, carried: this.#carried };
  }

  #stalled(): boolean {
    const sdkEnded = this.#program.isDone || this.#program.error !== undefined;
    return sdkEnded && !this.#codeEnded && this.ids.openCount === 0 && !this.suspended;
  }

  /** Actions are awaited strictly in list order; the failure of an awaited action is the SDK's business. */
  readonly #pump = (): void => {
    const { actions, error, isDone } = this.#program;
    for (let action = actions[this.#position]; action !== undefined; action = actions[this.#position]) {
      this.#position += 1;
      const task = invoke(this.#scope, action);
      if (!task.settled) {
        task.then(this.#pump);
        return;
      }
    }
    this.#codeEnded = error !== undefined || isDone;
  };

  #handle(event: HistoryEvent): void {
    if (isScheduling(event)) {
      const difference = this.ids.confirm(event);
      if (difference !== undefined) this.problems.push(difference);
      return;
    }
    switch (event.EventType) {
      case EventType.ExecutionStarted:
        this.#pump();
        return;
      case EventType.TaskCompleted:
      case EventType.SubOrchestrationInstanceCompleted:
        this.ids.close(event.TaskScheduledId, false);
        return;
      case EventType.TaskFailed:
      case EventType.SubOrchestrationInstanceFailed:
        this.ids.close(event.TaskScheduledId, true, event.FailureDetails?.['IsNonRetriable'] === true);
        return;
      case EventType.TimerFired:
        this.ids.close(event.TimerId, false);
        return;
      case EventType.EventRaised:
        if (this.#renewal === undefined) this.#events.raise(event);
        else this.#carried.push(event);
        return;
      case EventType.ExecutionTerminated:
        this.#terminated ??= { reason: event.Input };
        return;
      case EventType.ExecutionSuspended:
        this.suspended = true;
        this.ids.setAside();
        return;
      case EventType.ExecutionResumed:
        this.suspended = false;
        this.ids.giveBack();
        for (const held of this.#queued.splice(0)) this.feed(held);
        return;
      default:
    }
  }
}

/**
 * The host's own replay: executes the SDK's action list against the history, re-deriving every id as the durable
 * extension does (it does not trust the SDK's numbers). Pure: equal arguments give an equal result.
 * Method: OutOfProcOrchestrationShim on top of TaskOrchestrationContext. A disagreement between history and actions
 * ends the instance as failed, "Non-Deterministic workflow detected".
 */
export function replay(history: readonly HistoryEvent[], program: ReplayProgram, context: ReplayContext): ReplayResult {
  const walk = new Walk(program, context);
  try {
    if (program.actions.length > context.maxActions) {
      throw new NonDeterministicError(
        `The orchestrator has issued ${program.actions.length} actions, more than the limit of ${context.maxActions} (maxOrchestrationActions).`,
      );
    }
    for (const event of history) walk.feed(event);
  } catch (error) {
    if (!(error instanceof NonDeterministicError)) throw error;
    const hint = walk.hint();
    return {
      end: { kind: 'failed', message: error.message },
      decisions: [],
      nextId: walk.ids.next,
      suspended: false,
      nonDeterministic: true,
      problems: [...walk.problems, error.message, ...(hint === undefined ? [] : [hint])],
      lingering: [],
    };
  }
  const end = walk.end();
  // While suspended the code runs ahead of the engine (Q20); what was held back is compared after the resume.
  if (program.sdk !== undefined && !walk.suspended && end.kind !== 'terminated')
    walk.problems.push(...findDrift(walk.ids.open(), program.actions, program.sdk, history));
  return {
    end,
    decisions: walk.ids.fresh(),
    nextId: walk.ids.next,
    suspended: walk.suspended,
    nonDeterministic: false,
    problems: walk.problems,
    lingering: end.kind === 'open' && !walk.suspended ? walk.lingering() : [],
  };
}
