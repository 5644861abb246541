/**
 * Runs an orchestrator against a hand-made history with the SDK's own executor (an internal class of
 * durable-functions 3.5.0, hence the exact pin) and returns what it would answer to the extension.
 */
import { createRequire } from 'node:module';
import type { OrchestrationContext } from 'durable-functions';
import { durableVerbs } from '../../../src/orchestration/durableBinding.ts';
import type { Step, Verbs } from '../../../src/orchestration/verbs.ts';

const require = createRequire(import.meta.url);
interface SdkOrchestrator {
  handle(trigger: unknown, context: unknown): Promise<unknown>;
}
const { Orchestrator } = require('durable-functions/lib/src/orchestrations/Orchestrator.js') as {
  Orchestrator: new (fn: (context: OrchestrationContext) => Generator) => SdkOrchestrator;
};

export type Body = (verbs: Verbs, context: OrchestrationContext) => Step<unknown>;
export interface Action {
  readonly actionType: number;
  readonly functionName?: string;
  readonly input?: unknown;
  readonly instanceId?: string;
  readonly isCanceled?: boolean;
  readonly compoundActions?: readonly Action[];
}
export interface Answer {
  readonly isDone: boolean;
  readonly actions: readonly Action[];
  readonly output: unknown;
  readonly customStatus: unknown;
}

export const START = Date.parse('2026-01-05T10:00:00Z');

/** A history under construction: each batch is one episode. */
export class History {
  readonly #events: Record<string, unknown>[] = [];
  #seconds = 0;

  /** Moves the clock of the next episode. */
  later(ms: number): this {
    this.#seconds += ms / 1_000;
    return this;
  }

  /** Clock of the newest episode, ms since the epoch. */
  get now(): number {
    return START + 1_000 * (this.#seconds - 1);
  }

  constructor(input: unknown = null) {
    this.batch({ EventType: 0, Name: 'subject', Input: JSON.stringify(input) });
  }

  /** Adds one episode that brings these events; its clock is one second later than the one before. */
  batch(...events: readonly Record<string, unknown>[]): this {
    const Timestamp = new Date(START + 1_000 * this.#seconds++);
    const at = (event: Record<string, unknown>): Record<string, unknown> => ({
      EventId: -1,
      IsPlayed: false,
      Timestamp,
      ...event,
    });
    for (const event of this.#events)
      if (event['EventType'] !== 12 && event['EventType'] !== 13) event['IsPlayed'] = true;
    this.#events.push(at({ EventType: 12 }), ...events.map(at), at({ EventType: 13 }));
    return this;
  }

  get events(): Record<string, unknown>[] {
    return this.#events.map((event) => ({ ...event }));
  }
}

export const done = (id: number, result: unknown = null): Record<string, unknown> => ({
  EventType: 5,
  TaskScheduledId: id,
  Result: JSON.stringify(result),
});
export const failed = (id: number, reason: string): Record<string, unknown> => ({
  EventType: 6,
  TaskScheduledId: id,
  Reason: reason,
  Details: '{"$type":"x"}',
});
export const childDone = (id: number, result: unknown): Record<string, unknown> => ({
  EventType: 8,
  TaskScheduledId: id,
  Result: JSON.stringify(result),
});
export const fired = (id: number): Record<string, unknown> => ({ EventType: 11, TimerId: id });
export const raised = (name: string, data: unknown): Record<string, unknown> => ({
  EventType: 15,
  Name: name,
  Input: JSON.stringify(data),
});

/** Replays; an orchestrator that throws rejects with the SDK's failure error. */
export async function replay(body: Body, history: History = new History(), instanceId = 'i1'): Promise<Answer> {
  return replayEvents(body, history.events, instanceId);
}

/** The input of the instance, as the host hands it over beside the history. */
function inputOf(events: readonly object[]): unknown {
  const started = events.find((event) => (event as { EventType?: number }).EventType === 0) as { Input?: string };
  return JSON.parse(started.Input ?? 'null');
}

/** Replays the events of a history, or of its first episodes. */
export async function replayEvents(body: Body, events: readonly object[], instanceId: string): Promise<Answer> {
  const trigger = {
    history: events.map((event) => ({ ...event })),
    input: inputOf(events),
    instanceId,
    isReplaying: false,
    parentInstanceId: null,
    upperSchemaVersion: 1,
    upperSchemaVersionNew: 3,
    longRunningTimerIntervalDuration: '3.00:00:00',
    maximumShortTimerDuration: '6.00:00:00',
    defaultHttpAsyncRequestSleepTimeMillseconds: 30_000,
  };
  const orchestrator = new Orchestrator((context) => body(durableVerbs(context), context));
  const state = JSON.parse(JSON.stringify(await orchestrator.handle(trigger, { log: () => undefined }))) as {
    isDone: boolean;
    actions: Action[][];
    output?: unknown;
    customStatus?: unknown;
  };
  return {
    isDone: state.isDone,
    actions: state.actions[0] ?? [],
    output: state.output,
    customStatus: state.customStatus,
  };
}

/** The action list as text, e.g. `any(a b) any(c timer!)`; `!` marks a cancelled timer. */
export function shape(answer: Answer): string {
  const text = (action: Action): string => {
    if (action.actionType === 11) return `any(${(action.compoundActions ?? []).map(text).join(' ')})`;
    if (action.actionType === 5) return `timer${action.isCanceled === true ? '!' : ''}`;
    return action.functionName ?? `type${action.actionType}`;
  };
  return answer.actions.map(text).join(' ');
}
