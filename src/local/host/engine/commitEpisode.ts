import {
  EventType,
  isFinal,
  messageBase,
  isoTime,
  type ChildCompleted,
  type ChildFailed,
  type HistoryEvent,
  type RuntimeStatus,
} from '../durable/events.ts';
import { executionStarted, type EpisodeResult } from '../durable/episode.ts';
import { exceptionJson } from './activityResult.ts';
import type { ActivityRecord } from '../store/activityTable.ts';
import type { InstanceRecord } from '../store/instanceTable.ts';
import type { Store } from '../store/store.ts';

/** What to set going once the episode is in the store. */
export interface Aftermath {
  readonly record: InstanceRecord;
  readonly texts: readonly string[];
  readonly events: readonly HistoryEvent[];
  readonly activities: readonly ActivityRecord[];
  /** Instances that have a new message. */
  readonly kicked: readonly string[];
  /** Times of new timers, ms since the epoch. */
  readonly timers: readonly number[];
}

export interface Episode {
  readonly record: InstanceRecord;
  /** Number of stored events before this episode. */
  readonly position: number;
  /** Inbox rows that this episode has taken. */
  readonly consumed: readonly number[];
  readonly result: EpisodeResult;
  /** Time of the commit, ms since the epoch. */
  readonly at: number;
}

/** What the engine tells the parent besides the reason: the error without the function's name in front. */
function failureDetails(functionName: string, output: string): string {
  const prefix = `Orchestrator function '${functionName}' failed: `;
  const error = output.startsWith(prefix) ? output.slice(prefix.length) : output;
  // An exception that the engine could not look into goes on as .NET's own JSON.
  const whole = /^(One or more errors occurred\.) \(([^]*)\)$/.exec(error);
  return whole === null
    ? `Message: ${error}, StackTrace: `
    : exceptionJson('System.AggregateException', whole[1] ?? '', whole[2] ?? '');
}

function parentMessage(
  record: InstanceRecord,
  result: EpisodeResult,
  at: number,
): ChildCompleted | ChildFailed | undefined {
  if (record.parent === null) return undefined;
  const base = { ...messageBase(at), TaskScheduledId: record.parent.TaskScheduleId };
  if (result.status === 'Completed') {
    return { ...base, EventType: EventType.SubOrchestrationInstanceCompleted, Result: result.output };
  }
  // A terminated child has no details: its parent cannot catch the failure.
  const details = result.status === 'Failed' ? failureDetails(record.name, result.output ?? '') : null;
  return {
    ...base,
    EventType: EventType.SubOrchestrationInstanceFailed,
    Reason: result.output ?? '',
    Details: details,
    FailureDetails: result.failureDetails,
  };
}

/** Creates a child, or tells the parent that the id is taken by a live instance. Returns the instance to wake. */
function startChild(
  store: Store,
  parent: InstanceRecord,
  child: EpisodeResult['children'][number],
  newId: () => string,
  at: number,
): string {
  const existing = store.instances.get(child.instanceId);
  if (existing !== undefined && !isFinal(existing.status)) {
    const reason = `Sub-orchestrator function '${child.name}' failed: an instance with the id '${child.instanceId}' is already running.`;
    store.inbox.add({
      instanceId: parent.instanceId,
      executionId: parent.executionId,
      isTimer: false,
      dueMs: at,
      event: {
        ...messageBase(at),
        EventType: EventType.SubOrchestrationInstanceFailed,
        TaskScheduledId: child.id,
        Reason: reason,
        Details: reason,
        FailureDetails: null,
      },
    });
    return parent.instanceId;
  }
  createInstance(store, {
    instanceId: child.instanceId,
    executionId: newId(),
    name: child.name,
    version: child.version,
    input: child.input,
    at,
    parent: {
      Name: parent.name,
      OrchestrationInstance: { InstanceId: parent.instanceId, ExecutionId: parent.executionId },
      TaskScheduleId: child.id,
      Version: parent.version === '' ? null : parent.version,
    },
  });
  return child.instanceId;
}

/** How often a client's start has replaced an instance of this id. */
function nextGeneration(store: Store, instanceId: string): number {
  if (store.instances.get(instanceId) === undefined) return 0;
  for (const text of store.instances.history(instanceId)) {
    const event = JSON.parse(text) as HistoryEvent;
    if (event.EventType === EventType.ExecutionStarted) return (event.Generation ?? 0) + 1;
  }
  return 1;
}

/** Writes a Pending instance and its start message, dropping what an earlier instance of that id has left. Inside a transaction. */
export function createInstance(
  store: Store,
  facts: {
    instanceId: string;
    executionId: string;
    name: string;
    version: string;
    input: string | null;
    parent: InstanceRecord['parent'];
    at: number;
  },
): void {
  const generation = facts.parent === null ? nextGeneration(store, facts.instanceId) : null;
  store.instances.remove(facts.instanceId);
  store.inbox.removeInstance(facts.instanceId);
  store.instances.put({
    instanceId: facts.instanceId,
    executionId: facts.executionId,
    name: facts.name,
    version: facts.version,
    status: 'Pending',
    createdMs: facts.at,
    updatedMs: facts.at,
    input: facts.input,
    output: null,
    customStatus: null,
    parent: facts.parent,
  });
  store.inbox.add({
    instanceId: facts.instanceId,
    executionId: facts.executionId,
    isTimer: false,
    dueMs: facts.at,
    event: startEvent({ ...facts, generation }),
  });
}

function startEvent(facts: {
  instanceId: string;
  executionId: string;
  name: string;
  version: string;
  input: string | null;
  parent: InstanceRecord['parent'];
  at: number;
  generation: number | null;
}): ReturnType<typeof executionStarted> {
  return executionStarted(
    {
      OrchestrationInstance: { InstanceId: facts.instanceId, ExecutionId: facts.executionId },
      ParentInstance: facts.parent,
      Name: facts.name,
      Version: facts.version === '' ? null : facts.version,
      Input: facts.input,
      Generation: facts.generation,
    },
    facts.at,
  );
}

/** The next generation: the old history goes and the new start comes in the same transaction. */
function renew(store: Store, episode: Episode, input: string | null, newId: () => string): InstanceRecord {
  const { record, result, at } = episode;
  const executionId = newId();
  store.instances.clearHistory(record.instanceId);
  store.inbox.removeExecution(record.instanceId, record.executionId);
  const next: InstanceRecord = {
    ...record,
    executionId,
    status: 'Running',
    createdMs: at,
    updatedMs: at,
    input,
    output: null,
    customStatus: result.customStatus ?? record.customStatus,
  };
  store.instances.put(next);
  // Before anything that has arrived since: the start first, then the carried events in their order.
  store.inbox.add({
    instanceId: record.instanceId,
    executionId,
    isTimer: false,
    dueMs: -1,
    event: startEvent({ ...next, at, generation: null }),
  });
  for (const event of result.continueAsNew?.carried ?? []) {
    store.inbox.add({
      instanceId: record.instanceId,
      executionId: null,
      isTimer: false,
      dueMs: 0,
      event: { ...event, IsPlayed: false },
    });
  }
  return next;
}

/**
 * Writes one episode: consumed messages out; history, status, outgoing messages in. To be called inside a transaction,
 * which stores it as a whole or not at all; nothing may be started before that is committed.
 */
export function commitEpisode(store: Store, episode: Episode, newId: () => string): Aftermath {
  const { record, result, at } = episode;
  store.inbox.remove(episode.consumed);
  if (result.continueAsNew !== undefined) {
    const next = renew(store, episode, result.continueAsNew.input, newId);
    return { record: next, texts: [], events: [], activities: [], kicked: [record.instanceId], timers: [] };
  }
  const texts = result.appended.map((event) => JSON.stringify(event));
  store.instances.appendHistory(record.instanceId, episode.position, texts);
  const status: RuntimeStatus = result.status;
  const next: InstanceRecord = {
    ...record,
    status,
    updatedMs: at,
    output: result.output,
    // Each answer says it anew. Only what a continue-as-new has carried over outlives one that says nothing, once.
    customStatus: result.customStatus ?? (episode.position === 0 ? record.customStatus : null),
  };
  store.instances.put(next);
  const { instanceId, executionId } = record;
  const kicked = result.children.map((child) => startChild(store, record, child, newId, at));
  const activities = result.activities.map((a) =>
    store.activities.add({ instanceId, executionId, taskId: a.id, name: a.name, input: a.input }),
  );
  if (isFinal(status)) {
    store.inbox.removeExecution(instanceId, executionId);
    const message = parentMessage(record, result, at);
    if (message !== undefined && record.parent !== null) {
      const parent = record.parent.OrchestrationInstance;
      store.inbox.add({
        instanceId: parent.InstanceId,
        executionId: parent.ExecutionId,
        isTimer: false,
        dueMs: at,
        event: message,
      });
      kicked.push(parent.InstanceId);
    }
    return { record: next, texts, events: result.appended, activities, kicked, timers: [] };
  }
  for (const timer of result.timers) {
    const event = {
      ...messageBase(timer.fireAt),
      EventType: EventType.TimerFired,
      TimerId: timer.id,
      FireAt: isoTime(timer.fireAt),
    };
    store.inbox.add({ instanceId, executionId, isTimer: true, dueMs: timer.fireAt, event });
  }
  return {
    record: next,
    texts,
    events: result.appended,
    activities,
    kicked,
    timers: result.timers.map((t) => t.fireAt),
  };
}
