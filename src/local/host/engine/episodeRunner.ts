import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import {
  acceptMessages,
  closeEpisode,
  openEpisode,
  type EpisodeOptions,
  type EpisodeResult,
} from '../durable/episode.ts';
import { isFinal, type HistoryEvent } from '../durable/events.ts';
import type { SdkNumbers } from '../durable/sdkNumbers.ts';
import type { StoredMessage } from '../store/inboxTable.ts';
import type { InstanceRecord } from '../store/instanceTable.ts';
import type { Store } from '../store/store.ts';
import { askOrchestrator, type AskScope } from './askOrchestrator.ts';
import { commitEpisode, type Aftermath } from './commitEpisode.ts';
import type { HistoryCache } from './historyCache.ts';
import type { OnceLog } from './onceLog.ts';

export interface EpisodeScope extends AskScope {
  readonly store: Store;
  readonly cache: HistoryCache;
  readonly clock: Clock;
  readonly storeInputs: boolean;
  readonly maxActions: number;
}

/** An id for an execution or an instance: 32 hex digits. */
export const newId = (): string => randomUUID().replaceAll('-', '');

/** Says what the episode has found; a thing that was said of this instance is not said again. */
function report(log: OnceLog, record: InstanceRecord, result: EpisodeResult): void {
  const { instanceId, name } = record;
  for (const problem of result.problems) log.say('error', instanceId, problem, name);
  for (const notice of result.notices) log.say('warning', instanceId, notice, name);
  if (result.status === 'Failed') log.say('error', instanceId, result.output ?? '', name);
  if (result.continueAsNew !== undefined || isFinal(result.status)) log.forget(instanceId);
}

function optionsFor(scope: EpisodeScope, record: InstanceRecord, sdk: SdkNumbers | undefined): EpisodeOptions {
  return {
    sdk,
    instanceId: record.instanceId,
    executionId: record.executionId,
    parentInstanceId: record.parent?.OrchestrationInstance.InstanceId ?? null,
    functionName: record.name,
    isKnown: (kind, name) =>
      (kind === 'activity' ? scope.functions.activity(name) : scope.functions.orchestrator(name)) !== undefined,
    maxActions: scope.maxActions,
    storeInputs: scope.storeInputs,
    strict: scope.strict,
  };
}

/** Removes messages that can never be delivered: unknown or finished instance, or an earlier execution. */
function drop(scope: EpisodeScope, messages: readonly StoredMessage[]): void {
  scope.store.transaction(() => scope.store.inbox.remove(messages.map((m) => m.seq)));
}

/**
 * Runs one episode of an instance over everything due in its inbox. The caller sees to it that an instance never has
 * two at once.
 * @returns what to set going, or undefined when there was nothing to do
 */
export async function runEpisode(scope: EpisodeScope, instanceId: string): Promise<Aftermath | undefined> {
  const { store, clock, log } = scope;
  const messages = store.inbox.due(instanceId, clock.now());
  if (messages.length === 0) return undefined;
  const record = store.instances.get(instanceId);
  if (record === undefined || isFinal(record.status)) {
    drop(scope, messages);
    return undefined;
  }
  const past = scope.cache.read(instanceId, record.executionId);
  const accepted = acceptMessages(messages, record.executionId, past.events.length > 0);
  if (accepted.length === 0) {
    drop(scope, messages);
    return undefined;
  }
  const fresh: HistoryEvent[] = openEpisode(
    past.events,
    accepted.map((m) => m.event),
    clock.now(),
  );
  const texts = [...past.texts, ...fresh.map((event) => JSON.stringify(event))];
  const { answer, sdk } = await askOrchestrator(scope, record, texts, past.events.length > 0);

  const at = clock.now();
  const result = closeEpisode(past.events, fresh, answer, at, optionsFor(scope, record, sdk));
  const consumed = messages.map((m) => m.seq);
  const aftermath = await store.commit(() => {
    // The instance may have been purged or replaced while its code ran.
    if (store.instances.get(instanceId)?.executionId !== record.executionId) return undefined;
    return commitEpisode(store, { record, position: past.events.length, consumed, result, at }, newId);
  });
  if (aftermath === undefined) return undefined;
  report(log, record, result);
  if (result.continueAsNew !== undefined || isFinal(result.status)) scope.cache.forget(instanceId);
  else scope.cache.appended(instanceId, record.executionId, aftermath.texts, aftermath.events);
  return aftermath;
}
