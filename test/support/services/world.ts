/** Every durable instance of one test over the real activities: runs and their children, one step after another. */
import { begin } from '../../../src/activities/begin.ts';
import { control } from '../../../src/activities/control.ts';
import { expand } from '../../../src/activities/expand.ts';
import { finish } from '../../../src/activities/finish.ts';
import { gather } from '../../../src/activities/gather.ts';
import { jobStep } from '../../../src/activities/jobStep.ts';
import { lanePart } from '../../../src/activities/lanePart.ts';
import { node } from '../../../src/activities/node.ts';
import { plan } from '../../../src/activities/plan.ts';
import { sleepStep } from '../../../src/activities/sleepStep.ts';
import { stop } from '../../../src/activities/stop.ts';
import { validate } from '../../../src/activities/validate.ts';
import { verify } from '../../../src/activities/verify.ts';
import { laneOrchestration } from '../../../src/orchestration/lane.ts';
import { runOrchestration } from '../../../src/orchestration/run.ts';
import { Again, type Json, type Step, type Verbs } from '../../../src/orchestration/verbs.ts';
import { jobOrchestration, sleepOrchestration } from '../../../src/orchestration/waitingChild.ts';
import type { Engine } from '../../../src/runs/engine.ts';
import type { Services } from '../../../src/runs/services.ts';
import { HandDriven } from '../handDriven.ts';
import type { TestServices } from './testServices.ts';

type Activity = (services: Services, input: unknown, engine: Engine) => Promise<unknown>;

export const ACTIVITIES: ReadonlyMap<string, Activity> = new Map<string, Activity>([
  ['begin1', begin],
  ['plan1', plan],
  ['validate1', validate],
  ['control1', control],
  ['node1', node],
  ['expand1', expand],
  ['gather1', gather],
  ['stop1', stop],
  ['lanePart1', lanePart],
  ['sleepStep1', sleepStep],
  ['jobStep1', jobStep],
  ['verify1', verify],
  ['finish1', finish],
]);

type Orchestrator = (verbs: Verbs, input: unknown, instanceId: string) => Step<unknown>;
const ORCHESTRATORS: ReadonlyMap<string, Orchestrator> = new Map<string, Orchestrator>([
  ['run1', runOrchestration],
  ['lane1', laneOrchestration],
  ['sleep1', sleepOrchestration],
  ['job1', jobOrchestration],
]);

type Hand = HandDriven<unknown>;
type Call = Hand['calls'][number];
interface Instance {
  readonly id: string;
  readonly name: string;
  hand: Hand;
  /** The parent's open call, for its answer. */
  readonly answerTo: { readonly hand: () => Hand; readonly call: Call } | null;
  generations: number;
}

export type Before = (name: string, input: unknown) => Promise<void> | void;

/** The world's engine: events reach the instances that are there, early ones are kept by them. */
export class World {
  readonly services: TestServices;
  readonly instances = new Map<string, Instance>();
  /** Every activity that was called, in order. */
  readonly called: { readonly instanceId: string; readonly name: string; readonly input: unknown }[] = [];
  readonly engine: Engine;
  readonly #asked = new Set<Call>();

  constructor(services: TestServices) {
    this.services = services;
    this.engine = {
      start: async (instanceId, runId) => void this.begin('run1', instanceId, { version: 1, runId }),
      status: async () => undefined,
      wake: async (instanceId, eventName) => this.instances.get(instanceId)?.hand.raise(eventName),
    };
  }

  begin(name: string, id: string, input: Json, answerTo: Instance['answerTo'] = null): Instance {
    const orchestrate = ORCHESTRATORS.get(name);
    if (orchestrate === undefined) throw new Error(`no orchestrator ${name}`);
    const instance: Instance = { id, name, hand: this.#hand(orchestrate, input, id), answerTo, generations: 1 };
    this.instances.set(id, instance);
    return instance;
  }

  #hand(orchestrate: Orchestrator, input: Json, id: string): Hand {
    return new HandDriven((verbs) => orchestrate(verbs, JSON.parse(JSON.stringify(input)), id), this.services.clock);
  }

  /**
   * One step: the oldest open call of the first instance that has one; without any, time goes to the next timer.
   * False when nothing is left to do.
   */
  async step(before?: Before): Promise<boolean> {
    this.#settleEnded();
    for (const instance of this.instances.values()) {
      const call = instance.hand.open().find((open) => !this.#asked.has(open));
      if (call === undefined || instance.hand.ended !== undefined) continue;
      if (call.kind === 'activity') await this.#execute(instance, call, before);
      else this.#startChild(instance, call);
      return true;
    }
    return this.#advance();
  }

  /** Until every instance has ended. */
  async run(before?: Before, most = 20_000): Promise<void> {
    for (let steps = 0; await this.step(before); steps += 1) if (steps > most) throw new Error('the run does not end');
    const open = [...this.instances.values()].filter(({ hand }) => hand.ended === undefined);
    if (open.length > 0) throw new Error(`nothing to do, and open: ${open.map(({ id }) => id).join(', ')}`);
  }

  async #execute(instance: Instance, call: Call, before?: Before): Promise<void> {
    const { hand } = instance;
    this.called.push({ instanceId: instance.id, name: call.name, input: call.input });
    try {
      await before?.(call.name, call.input);
      const activity = ACTIVITIES.get(call.name);
      if (activity === undefined) throw new Error(`no activity ${call.name}`);
      hand.answer(call, await activity(this.services, structuredClone(call.input), this.engine));
    } catch (error) {
      hand.lose(call, error instanceof Error ? error.message : String(error));
    }
  }

  #startChild(parent: Instance, call: Call): void {
    const at = call.name.indexOf(':');
    const [name, id] = [call.name.slice(0, at), call.name.slice(at + 1)];
    if (this.instances.has(id)) throw new Error(`the instance id ${id} was used before`);
    this.#asked.add(call);
    this.begin(name, id, call.input, { hand: () => parent.hand, call });
  }

  #settleEnded(): void {
    for (const instance of [...this.instances.values()].reverse()) {
      const { ended } = instance.hand;
      if (ended === undefined) continue;
      if ('value' in ended && ended.value instanceof Again) {
        const orchestrate = ORCHESTRATORS.get(instance.name);
        if (orchestrate === undefined) continue;
        instance.hand = this.#hand(orchestrate, ended.value.input, instance.id);
        instance.generations += 1;
        continue;
      }
      const to = instance.answerTo;
      if (to === null || to.call.settled !== undefined) continue;
      if ('value' in ended) to.hand().answer(to.call, ended.value);
      else to.hand().lose(to.call, ended.error instanceof Error ? ended.error.message : String(ended.error));
    }
  }

  #advance(): boolean {
    const live = [...this.instances.values()].filter(({ hand }) => hand.ended === undefined);
    const dues = live.flatMap(({ hand }) => hand.openTimers().map(({ dueAt }) => dueAt));
    if (dues.length === 0) return false;
    const due = Math.min(...dues);
    this.services.clock = Math.max(this.services.clock, due);
    for (const { hand } of live) hand.advance(Math.max(0, this.services.clock - hand.now));
    return true;
  }
}
