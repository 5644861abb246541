/**
 * The embedded host's pure engine with the real SDK, in memory and without a clock of its own: a test decides which
 * activity ends next, how many messages an episode takes, and how time moves.
 */
import {
  acceptMessages,
  closeEpisode,
  executionStarted,
  openEpisode,
  type EpisodeOptions,
} from '../../../src/local/host/durable/episode.ts';
import {
  EventType,
  isFinal,
  isoTime,
  messageBase,
  type HistoryEvent,
  type MessageEvent,
  type ParentRef,
  type RuntimeStatus,
} from '../../../src/local/host/durable/events.ts';
import { triggerPayload } from '../../../src/local/host/durable/payload.ts';
import { askSdk, type Body } from './sdk.ts';

interface Message {
  readonly event: MessageEvent;
  readonly executionId: string | null;
  readonly due: number;
}
export interface ModelInstance {
  readonly id: string;
  readonly name: string;
  readonly input: string | null;
  readonly parent: ParentRef | null;
  executionId: string;
  status: RuntimeStatus;
  output: string | null;
  customStatus: string | null;
  history: HistoryEvent[];
  /** The history as it is stored. */
  texts: string[];
  inbox: Message[];
  problems: string[];
  notices: string[];
  episodes: number;
}
export interface ModelActivity {
  readonly instance: ModelInstance;
  readonly executionId: string;
  readonly taskId: number;
  readonly name: string;
  readonly input: unknown;
}

export interface ModelOptions {
  readonly strict?: boolean;
  /** Activities that do not exist; all others do. */
  readonly unknown?: readonly string[];
  /** host.json `storeInputsInOrchestrationHistory`. */
  readonly storeInputs?: boolean;
}

export class HostModel {
  readonly instances = new Map<string, ModelInstance>();
  readonly activities: ModelActivity[] = [];
  readonly #bodies: ReadonlyMap<string, Body>;
  readonly #options: ModelOptions;
  #executions = 0;
  now = Date.parse('2026-01-05T10:00:00.000Z');

  /** Default: not strict, so that a test sees what the engine would do. */
  constructor(bodies: ReadonlyMap<string, Body>, options: ModelOptions = {}) {
    this.#bodies = bodies;
    this.#options = options;
  }

  start(name: string, id: string, input: string | null, parent: ParentRef | null = null, version = ''): ModelInstance {
    this.#executions += 1;
    const executionId = `e${this.#executions}`;
    const event = executionStarted(
      {
        OrchestrationInstance: { InstanceId: id, ExecutionId: executionId },
        ParentInstance: parent,
        Name: name,
        Version: version,
        Input: input,
      },
      this.now,
    );
    const instance: ModelInstance = {
      id,
      name,
      input,
      parent,
      executionId,
      status: 'Pending',
      output: null,
      customStatus: null,
      history: [],
      texts: [],
      inbox: [{ event, executionId, due: this.now }],
      problems: [],
      notices: [],
      episodes: 0,
    };
    this.instances.set(id, instance);
    return instance;
  }

  raise(id: string, name: string, value: unknown): void {
    this.send(id, {
      ...messageBase(this.now),
      EventType: EventType.EventRaised,
      Name: name,
      Input: JSON.stringify(value),
    });
  }

  send(id: string, event: MessageEvent, executionId: string | null = null, due = this.now): void {
    this.instances.get(id)?.inbox.push({ event, executionId, due });
  }

  /** Ends an activity call; `failure` = its error's message. */
  finish(activity: ModelActivity, result: { readonly value: unknown } | { readonly failure: string }): void {
    const base = { ...messageBase(this.now), TaskScheduledId: activity.taskId };
    const event: MessageEvent =
      'failure' in result
        ? {
            ...base,
            EventType: EventType.TaskFailed,
            Reason: `Activity function '${activity.name}' failed:  ${result.failure}`,
            Details: '{}',
            FailureDetails: null,
          }
        : { ...base, EventType: EventType.TaskCompleted, Result: JSON.stringify(result.value ?? null) };
    this.send(activity.instance.id, event, activity.executionId);
    this.activities.splice(this.activities.indexOf(activity), 1);
  }

  /** Instances with a message that is due. */
  ready(): ModelInstance[] {
    return [...this.instances.values()].filter((i) => !isFinal(i.status) && i.inbox.some((m) => m.due <= this.now));
  }

  /** Earliest time of a message that is not due yet, of instances that still run. */
  nextDue(): number | undefined {
    const times = [...this.instances.values()].flatMap((i) =>
      isFinal(i.status) ? [] : i.inbox.filter((m) => m.due > this.now).map((m) => m.due),
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** One episode over at most `most` due messages, in order of arrival. */
  async episode(instance: ModelInstance, most = Number.POSITIVE_INFINITY): Promise<void> {
    const due = instance.inbox
      .filter((m) => m.due <= this.now)
      .sort((a, b) => a.due - b.due)
      .slice(0, most);
    instance.inbox = instance.inbox.filter((m) => !due.includes(m));
    const accepted = acceptMessages(due, instance.executionId, instance.history.length > 0);
    if (accepted.length === 0) return;
    instance.episodes += 1;
    const fresh = openEpisode(
      instance.history,
      accepted.map((m) => m.event),
      this.now,
    );
    const parentInstanceId = instance.parent?.OrchestrationInstance.InstanceId ?? null;
    const texts = [...instance.texts, ...fresh.map((event) => JSON.stringify(event))];
    const started = [...instance.history.slice(0, 3), ...fresh].find((e) => e.EventType === EventType.ExecutionStarted);
    const payload = triggerPayload(
      {
        instanceId: instance.id,
        parentInstanceId,
        input: started?.Input ?? null,
        isReplaying: instance.history.length > 0,
      },
      texts,
    );
    const body = this.#bodies.get(instance.name);
    const { answer, sdk } =
      body === undefined
        ? { answer: { broken: `no function ${instance.name}` }, sdk: undefined }
        : await askSdk(body, payload);
    const options: EpisodeOptions = {
      instanceId: instance.id,
      executionId: instance.executionId,
      parentInstanceId,
      functionName: instance.name,
      isKnown: (kind, name) =>
        kind === 'activity' ? this.#options.unknown?.includes(name) !== true : this.#bodies.has(name),
      maxActions: 100_000,
      storeInputs: this.#options.storeInputs === true,
      strict: this.#options.strict === true,
      sdk,
    };
    this.#apply(instance, closeEpisode(instance.history, fresh, answer, this.now, options));
  }

  #apply(instance: ModelInstance, result: ReturnType<typeof closeEpisode>): void {
    instance.problems.push(...result.problems);
    instance.notices.push(...result.notices);
    const carried = instance.history.length === 0 ? instance.customStatus : null;
    instance.customStatus = result.customStatus ?? carried;
    if (result.continueAsNew !== undefined) {
      this.#executions += 1;
      instance.executionId = `e${this.#executions}`;
      instance.history = [];
      instance.texts = [];
      instance.status = 'Running';
      const start = executionStarted(
        {
          OrchestrationInstance: { InstanceId: instance.id, ExecutionId: instance.executionId },
          ParentInstance: instance.parent,
          Name: instance.name,
          Version: '',
          Input: result.continueAsNew.input,
        },
        this.now,
      );
      const carried = result.continueAsNew.carried.map((event) => ({
        event: { ...event, IsPlayed: false },
        executionId: null,
        due: 0,
      }));
      instance.inbox.unshift({ event: start, executionId: instance.executionId, due: -1 }, ...carried);
      return;
    }
    instance.history.push(...result.appended);
    instance.texts.push(...result.appended.map((event) => JSON.stringify(event)));
    instance.status = result.status;
    instance.output = result.output;
    for (const a of result.activities) {
      this.activities.push({
        instance,
        executionId: instance.executionId,
        taskId: a.id,
        name: a.name,
        input: (JSON.parse(a.input) as unknown[])[0],
      });
    }
    for (const t of result.timers) {
      this.send(
        instance.id,
        { ...messageBase(t.fireAt), EventType: EventType.TimerFired, TimerId: t.id, FireAt: isoTime(t.fireAt) },
        instance.executionId,
        t.fireAt,
      );
    }
    for (const c of result.children) {
      this.start(
        c.name,
        c.instanceId,
        c.input,
        {
          Name: instance.name,
          OrchestrationInstance: { InstanceId: instance.id, ExecutionId: instance.executionId },
          TaskScheduleId: c.id,
          Version: '',
        },
        c.version,
      );
    }
    if (isFinal(result.status) && instance.parent !== null) this.#tellParent(instance.parent, result);
  }

  #tellParent(parent: ParentRef, result: ReturnType<typeof closeEpisode>): void {
    const base = { ...messageBase(this.now), TaskScheduledId: parent.TaskScheduleId };
    const text = result.output ?? '';
    const event: MessageEvent =
      result.status === 'Completed'
        ? { ...base, EventType: EventType.SubOrchestrationInstanceCompleted, Result: result.output }
        : {
            ...base,
            EventType: EventType.SubOrchestrationInstanceFailed,
            Reason: text,
            Details: result.status === 'Failed' ? `Message: ${text}, StackTrace: ` : null,
            FailureDetails: null,
          };
    this.send(parent.OrchestrationInstance.InstanceId, event, parent.OrchestrationInstance.ExecutionId);
  }

  /** Runs episodes until no message is due, taking all messages each time. */
  async settle(): Promise<void> {
    for (let ready = this.ready(); ready.length > 0; ready = this.ready()) {
      for (const instance of ready) await this.episode(instance);
    }
  }
}
