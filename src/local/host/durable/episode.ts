import type { Answer, Broken } from './answer.ts';
import {
  EventType,
  isFinal,
  isoTime,
  StatusNumber,
  type EventRaised,
  type ExecutionStarted,
  type FailureDetails,
  type HistoryEvent,
  type MessageEvent,
  type RuntimeStatus,
  type SchedulingEvent,
} from './events.ts';
import { inputText, type Decision } from './ids.ts';
import { replay, type ReplayContext, type ReplayEnd } from './replay.ts';
import type { SdkNumbers } from './sdkNumbers.ts';

/** Sent by the instance when the episode is committed. */
export interface Outgoing {
  readonly activities: readonly {
    readonly id: number;
    readonly name: string;
    /** JSON text of `[input]`. */ readonly input: string;
  }[];
  readonly timers: readonly { readonly id: number; readonly fireAt: number }[];
  readonly children: readonly {
    readonly id: number;
    readonly name: string;
    readonly instanceId: string;
    readonly version: string;
    readonly input: string | null;
  }[];
}

export interface EpisodeResult extends Outgoing {
  /** Events to append to the history, in order; empty with `continueAsNew`. */
  readonly appended: readonly HistoryEvent[];
  readonly status: RuntimeStatus;
  /** Output text of a finished instance, or the reason of a suspension. */
  readonly output: string | null;
  /** JSON text; undefined = the answer had none: an earlier one is gone, too. */
  readonly customStatus: string | undefined;
  readonly failureDetails: FailureDetails;
  readonly continueAsNew: { readonly input: string | null; readonly carried: readonly EventRaised[] } | undefined;
  /** What goes wrong silently on Azure, each beginning with its quirk's number; strict mode fails the instance. */
  readonly problems: readonly string[];
  /** What is as on Azure and surprises all the same; never a failure. */
  readonly notices: readonly string[];
}

export interface EpisodeOptions extends ReplayContext {
  readonly functionName: string;
  readonly storeInputs: boolean;
  /** Fails the instance where the engine would go wrong silently. */
  readonly strict: boolean;
  /** What the SDK numbered, for the drift detector; undefined = not known. */
  readonly sdk?: SdkNumbers | undefined;
}

/**
 * The events that open an episode: `OrchestratorStarted`, then the messages. Its time is clamped so that it is never
 * before a timer that it delivers, nor before the previous episode (Q34: a clock that jumps, a timer 1 ms early).
 * @param now ms since the epoch
 */
export function openEpisode(
  past: readonly HistoryEvent[],
  messages: readonly MessageEvent[],
  now: number,
): HistoryEvent[] {
  let at = now;
  for (const message of messages)
    if (message.EventType === EventType.TimerFired) at = Math.max(at, Date.parse(message.FireAt));
  for (let i = past.length - 1; i >= 0; i -= 1) {
    const event = past[i];
    if (event?.EventType === EventType.OrchestratorStarted) {
      at = Math.max(at, Date.parse(event.Timestamp));
      break;
    }
  }
  return [
    { EventType: EventType.OrchestratorStarted, EventId: -1, IsPlayed: false, Timestamp: isoTime(at) },
    ...messages,
  ];
}

const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

function schedulingEvent(decision: Decision, at: string, storeInputs: boolean): SchedulingEvent {
  const base = { EventId: decision.id, IsPlayed: false, Timestamp: at };
  switch (decision.kind) {
    case 'activity':
      return {
        ...base,
        EventType: EventType.TaskScheduled,
        Name: decision.name,
        Version: '',
        Input: storeInputs ? inputText(decision) : null,
      };
    case 'child':
      return {
        ...base,
        EventType: EventType.SubOrchestrationInstanceCreated,
        Name: decision.name,
        Version: decision.version === '' ? null : decision.version,
        InstanceId: decision.instanceId,
        Input: storeInputs ? inputText(decision) : null,
      };
    case 'timer':
      return { ...base, EventType: EventType.TimerCreated, FireAt: isoTime(decision.fireAt) };
  }
}

function outgoing(decisions: readonly Decision[]): Outgoing {
  return {
    activities: decisions.flatMap((d) =>
      d.kind === 'activity' ? [{ id: d.id, name: d.name, input: inputText(d) ?? '[null]' }] : [],
    ),
    timers: decisions.flatMap((d) => (d.kind === 'timer' ? [{ id: d.id, fireAt: d.fireAt }] : [])),
    children: decisions.flatMap((d) =>
      d.kind === 'child'
        ? [{ id: d.id, name: d.name, instanceId: d.instanceId, version: d.version, input: inputText(d) }]
        : [],
    ),
  };
}

interface Verdict {
  readonly status: RuntimeStatus;
  readonly output: string | null;
}

function verdict(end: ReplayEnd, answer: Answer, suspended: boolean, history: readonly HistoryEvent[]): Verdict {
  switch (end.kind) {
    case 'completed':
      return { status: 'Completed', output: answer.output };
    case 'failed':
      return { status: 'Failed', output: end.message };
    case 'terminated':
      return { status: 'Terminated', output: end.reason };
    case 'continuedAsNew':
      return { status: 'ContinuedAsNew', output: null };
    case 'open': {
      // The status shows the reason of the last suspend or resume as its output, until the end (Q20).
      const last = history.findLast(
        (event) => event.EventType === EventType.ExecutionSuspended || event.EventType === EventType.ExecutionResumed,
      );
      return { status: suspended ? 'Suspended' : 'Running', output: last?.Reason ?? null };
    }
  }
}

/** How an instance ends whose code gave nothing to go by: recorded on the real engine (Q11, and a child's termination). */
function brokenEnd(
  broken: Broken,
  history: readonly HistoryEvent[],
  options: EpisodeOptions,
): { readonly text: string; readonly problems: readonly string[] } {
  const silent = `Q11: the orchestrator '${options.functionName}' threw an error without a message (or no Error at all); on Azure the instance fails with a text that does not say so`;
  const problems = broken.silent === true ? [silent, broken.broken] : [broken.broken];
  const own = `Orchestrator function '${options.functionName}' failed: ${options.strict ? (problems[0] ?? '') : broken.broken}`;
  if (broken.thrown !== true || (options.strict && broken.silent === true)) return { text: own, problems };
  const { end } = replay(history, { actions: [], isDone: false, error: undefined }, options);
  return { text: end.kind === 'failed' ? end.message : own, problems };
}

const STATUS_LIMIT_KB = 16;

/** The engine's refusal of a custom status (Q18); whole KB of UTF-16 count, as in MessagePayloadDataConverter. */
function statusTooLarge(customStatus: string | undefined): string | undefined {
  const size = Math.floor(((customStatus ?? '').length * 2) / 1024);
  return size > STATUS_LIMIT_KB
    ? `The UTF-16 size of the JSON-serialized payload must not exceed ${STATUS_LIMIT_KB} KB. The current payload size is ${size} KB.`
    : undefined;
}

/**
 * Ends an episode: replays the SDK's answer against history and messages and says what to store and send.
 * @param past stored events; @param fresh what `openEpisode` returned; @param at time of the scheduling events, ms
 */
export function closeEpisode(
  past: readonly HistoryEvent[],
  fresh: readonly HistoryEvent[],
  answer: Answer | Broken,
  at: number,
  options: EpisodeOptions,
): EpisodeResult {
  const time = isoTime(at);
  const played: HistoryEvent[] = fresh.map((event) =>
    event.EventType === EventType.OrchestratorStarted ? event : { ...event, IsPlayed: true },
  );
  const completed: HistoryEvent = {
    EventType: EventType.OrchestratorCompleted,
    EventId: -1,
    IsPlayed: false,
    Timestamp: time,
  };
  const nothing: Outgoing = { activities: [], timers: [], children: [] };
  const failNow = (message: string, problems: readonly string[], nextId: number): EpisodeResult => ({
    ...nothing,
    appended: [
      ...played,
      {
        EventType: EventType.ExecutionCompleted,
        EventId: nextId,
        IsPlayed: false,
        Timestamp: time,
        OrchestrationStatus: StatusNumber.Failed,
        Result: message,
        FailureDetails: null,
      },
      completed,
    ],
    status: 'Failed',
    output: message,
    customStatus: undefined,
    failureDetails: null,
    continueAsNew: undefined,
    problems,
    notices: [],
  });
  const failed = (text: string): string => `Orchestrator function '${options.functionName}' failed: ${text}`;

  const history = [...past, ...fresh];
  if ('broken' in answer) {
    const { text, problems } = brokenEnd(answer, history, options);
    return failNow(text, problems, past.length);
  }
  const tooLarge = statusTooLarge(answer.customStatus);
  if (tooLarge !== undefined) return failNow(failed(tooLarge), [`Q18: custom status: ${tooLarge}`], past.length);
  const error = answer.error === undefined ? undefined : failed(answer.error);
  const program = { actions: answer.actions, isDone: answer.isDone, error, sdk: options.sdk };
  const result = replay(history, program, options);
  const { problems } = result;
  if (options.strict && problems[0] !== undefined && result.end.kind !== 'terminated' && !result.nonDeterministic)
    return failNow(failed(problems[0]), problems, result.nextId);

  const { status, output } = verdict(result.end, answer, result.suspended, history);
  const failureDetails = status === 'Failed' ? answer.failureDetails : null;
  const appended: HistoryEvent[] = [
    ...played,
    ...result.decisions.map((d) => schedulingEvent(d, time, options.storeInputs)),
  ];
  if (isFinal(status)) {
    appended.push({
      EventType: EventType.ExecutionCompleted,
      EventId: result.nextId,
      IsPlayed: false,
      Timestamp: time,
      OrchestrationStatus: StatusNumber[status],
      Result: output,
      FailureDetails: failureDetails,
    });
  }
  appended.push(completed);
  return {
    ...outgoing(result.decisions),
    appended,
    status,
    output,
    customStatus: answer.customStatus,
    failureDetails,
    continueAsNew:
      result.end.kind === 'continuedAsNew'
        ? { input: jsonOrNull(result.end.input), carried: result.end.carried }
        : undefined,
    problems,
    notices:
      result.lingering.length === 0
        ? []
        : [
            `Q17: the code has ended${error === undefined ? '' : ` with an error (${error})`}, but the instance stays Running until this has ended: ${result.lingering.join(', ')}`,
          ],
  };
}

/** The first event of an instance. */
export function executionStarted(
  facts: Omit<ExecutionStarted, 'EventType' | 'EventId' | 'IsPlayed' | 'Timestamp' | 'Tags'>,
  at: number,
): ExecutionStarted {
  return {
    EventType: EventType.ExecutionStarted,
    EventId: -1,
    IsPlayed: false,
    Timestamp: isoTime(at),
    ...facts,
    Tags: null,
  };
}

/**
 * Messages of one batch that count, in order: a start first; later starts, and messages of an earlier execution, are
 * dropped. Terminate, suspend, resume and external events carry no execution id.
 */
export function acceptMessages<M extends { readonly event: MessageEvent; readonly executionId: string | null }>(
  messages: readonly M[],
  executionId: string,
  started: boolean,
): M[] {
  const current = messages.filter((m) => m.executionId === null || m.executionId === executionId);
  const start = started ? undefined : current.find((m) => m.event.EventType === EventType.ExecutionStarted);
  const rest = current.filter((m) => m.event.EventType !== EventType.ExecutionStarted);
  if (start !== undefined) return [start, ...rest];
  return started ? rest : [];
}
