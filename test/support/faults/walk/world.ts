/**
 * A deployment small enough to be driven by hand: durable instances, messages that may be delivered again, a process
 * that may die, users who try again. Everything that could happen next is a move; a walk picks one after another.
 */
import { Again } from '../../../../src/orchestration/verbs.ts';
import type { Engine } from '../../../../src/runs/engine.ts';
import type { Services } from '../../../../src/runs/services.ts';
import { HandDriven } from '../../handDriven.ts';

import { brokenCall, faultPoints, type Site } from '../faultPoints.ts';
import { CODE, HANDLERS } from './orchestrations.ts';
import type { VirtualTime } from './virtualTime.ts';
import type { WalkServices } from './walkServices.ts';

type Call = HandDriven<unknown>['calls'][number];

export interface Instance {
  readonly id: string;
  readonly name: string;
  readonly parent: { readonly instance: Instance; readonly call: Call } | null;
  hand: HandDriven<unknown>;
  told: boolean;
}

/** Something at work in the process: an activity, or a request of a user. */
export interface Work {
  readonly label: string;
  /** Whom the answer is for; null = nobody waits (a duplicate, a request). */
  readonly to: { readonly instance: Instance; readonly call: Call } | null;
  readonly kind: 'activity' | 'duplicate' | 'request';
  readonly start: (services: Services, engine: Engine) => Promise<unknown>;
  outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown } | undefined;
}

/** A call of the process to the outside that waits to be made. */
export interface Gate {
  readonly site: Site;
  readonly work: Work;
  /** `go`, or throw before it is made, or throw when it is done. */
  readonly pass: (how: 'go' | 'before' | 'after') => void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class World {
  readonly instances = new Map<string, Instance>();
  readonly services: WalkServices;
  readonly #time: VirtualTime;
  gates: Gate[] = [];
  working: Work[] = [];
  /** Requests that users have not had an answer to. */
  #generation = 0;

  constructor(services: WalkServices, time: VirtualTime) {
    this.services = services;
    this.#time = time;
  }

  /** Lets everything go on that waits for nothing but its turn. */
  async settle(): Promise<void> {
    do {
      await turn();
    } while (this.services.underWay.count > 0);
    await turn();
    // The end of a child may be the end of its parent.
    while (this.#deliverEnds());
  }

  begin(work: Omit<Work, 'outcome'>): Work {
    const begun: Work = { ...work, outcome: undefined };
    this.working.push(begun);
    const generation = this.#generation;
    const around = <T>(site: Site, call: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (generation !== this.#generation) return;
        const gate: Gate = {
          site,
          work: begun,
          pass: (how) => {
            this.gates = this.gates.filter((one) => one !== gate);
            if (how === 'before') {
              reject(brokenCall(site.part));
              return;
            }
            call().then((value) => {
              if (generation !== this.#generation) return;
              if (how === 'after') reject(brokenCall(site.part));
              else resolve(value);
            }, reject);
          },
        };
        this.gates.push(gate);
      });
    const engine = this.#engine((method, instanceId, call) =>
      around({ part: 'engine', method, runId: instanceId }, async () => call()),
    );
    const done = (outcome: Work['outcome']): void => {
      if (generation === this.#generation) begun.outcome = outcome;
    };
    begun.start(faultPoints(this.services, around), engine).then(
      (value) => done({ ok: true, value }),
      (error: unknown) => done({ ok: false, error }),
    );
    return begun;
  }

  activity(instance: Instance, call: Call, kind: 'activity' | 'duplicate'): void {
    const handler = HANDLERS.get(call.name);
    if (handler === undefined) throw new Error(`no activity ${call.name}`);
    const input: unknown = JSON.parse(JSON.stringify(call.input));
    const start = (services: Services, engine: Engine): Promise<unknown> => handler(services, input, engine);
    this.begin({ label: `${call.name} of ${instance.id}`, to: { instance, call }, kind, start });
  }

  /** Takes finished or abandoned work off the list. */
  drop(work: Work): void {
    this.working = this.working.filter((one) => one !== work);
    this.gates = this.gates.filter((gate) => gate.work !== work);
  }

  answer(work: Work): void {
    this.drop(work);
    const { to, outcome } = work;
    if (to === null || outcome === undefined || to.call.settled !== undefined) return;
    if (outcome.ok) to.instance.hand.answer(to.call, outcome.value);
    else to.instance.hand.lose(to.call, outcome.error instanceof Error ? outcome.error.message : String(outcome.error));
  }

  lose(work: Work): void {
    this.drop(work);
    if (work.to !== null && work.to.call.settled === undefined) work.to.instance.hand.lose(work.to.call, 'lost');
  }

  /** The process dies: nothing of it has any effect from now on; what it worked at is delivered again. */
  crash(): readonly Work[] {
    this.#generation += 1;
    const lost = this.working;
    this.working = [];
    this.gates = [];
    this.#time.forget();
    return lost;
  }

  /** Open calls that nobody works at: activities and children. */
  waiting(): { readonly instance: Instance; readonly call: Call }[] {
    const busy = new Set(this.working.map((work) => work.to?.call));
    return [...this.instances.values()].flatMap((instance) =>
      instance.hand.ended === undefined
        ? instance.hand
            .open()
            .filter((call) => !busy.has(call) && !(call.kind === 'child' && this.#child(call) !== undefined))
            .map((call) => ({ instance, call }))
        : [],
    );
  }

  startChild(instance: Instance, call: Call): void {
    const { name, id } = childOf(call);
    this.#start(id, name, call.input, { instance, call });
  }

  /** Next time at which a timer of the process or of an instance is due. */
  nextDue(): number | undefined {
    const durable = [...this.instances.values()].flatMap((instance) =>
      instance.hand.ended === undefined ? instance.hand.openTimers().map((timer) => timer.dueAt) : [],
    );
    return [this.#time.nextDue(), ...durable].filter((at) => at !== undefined).sort((a, b) => a - b)[0];
  }

  advanceTo(at: number): void {
    this.services.clock = Math.max(this.services.clock, at);
    this.#time.advanceTo(this.services.clock);
    for (const { hand } of this.instances.values())
      if (hand.ended === undefined) hand.advance(Math.max(0, this.services.clock - hand.verbs().now()));
  }

  get allEnded(): boolean {
    return [...this.instances.values()].every((instance) => instance.hand.ended !== undefined);
  }

  #child(call: Call): Instance | undefined {
    const found = this.instances.get(childOf(call).id);
    return found?.parent?.call === call ? found : undefined;
  }

  #start(id: string, name: string, input: unknown, parent: Instance['parent']): void {
    const code = CODE.get(name);
    if (code === undefined) throw new Error(`no orchestrator ${name}`);
    const hand = new HandDriven<unknown>((verbs) => code(verbs, input, id), this.services.clock);
    this.instances.set(id, { id, name, parent, hand, told: false });
  }

  /** Ends of children reach their parents at once; an instance that continues as new begins again. */
  #deliverEnds(): boolean {
    let some = false;
    for (const instance of this.instances.values()) {
      const { ended } = instance.hand;
      if (ended === undefined || instance.told) continue;
      some = true;
      if ('value' in ended && ended.value instanceof Again) {
        const { input } = ended.value;
        const code = CODE.get(instance.name);
        if (code === undefined) throw new Error(`no orchestrator ${instance.name}`);
        instance.hand = new HandDriven<unknown>((verbs) => code(verbs, input, instance.id), this.services.clock);
        continue;
      }
      instance.told = true;
      const { parent } = instance;
      if (parent === null || parent.call.settled !== undefined) continue;
      if ('value' in ended) parent.instance.hand.answer(parent.call, ended.value);
      else parent.instance.hand.lose(parent.call, String(ended.error));
    }
    return some;
  }

  #engine(around: (method: string, instanceId: string, call: () => void) => Promise<void>): Engine {
    return {
      start: (instanceId, runId) =>
        around('startNew', instanceId, () => {
          if (!this.instances.has(instanceId)) this.#start(instanceId, 'run1', { version: 1, runId }, null);
        }),
      status: async (instanceId) => {
        const instance = this.instances.get(instanceId);
        if (instance === undefined) return undefined;
        const at = new Date(this.services.clock).toISOString();
        const runtimeStatus = instance.hand.ended === undefined ? 'Running' : 'Completed';
        return { runtimeStatus, createdTime: at, lastUpdatedTime: at, customStatus: null };
      },
      wake: (instanceId, eventName) =>
        around('raiseEvent', instanceId, () => {
          const instance = this.instances.get(instanceId);
          if (instance?.hand.ended === undefined) instance?.hand.raise(eventName);
        }),
    };
  }
}

/** The hand-driven binding names a child call `<orchestrator>:<instance id>`. */
function childOf(call: Call): { readonly name: string; readonly id: string } {
  const at = call.label.indexOf(':');
  return { name: call.label.slice(0, at), id: call.label.slice(at + 1) };
}
