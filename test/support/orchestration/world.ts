/**
 * A simulated engine: the run, its lanes and its waiting children are the real generators, each driven by hand over one
 * clock; activities are answered by the model of the ledger, in an order that a seed picks.
 */
import { interpret, type Interpretation } from '../../../src/orchestration/interpreter.ts';
import { laneOrchestration } from '../../../src/orchestration/lane.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { Again, type Step, type Verbs } from '../../../src/orchestration/verbs.ts';
import { jobOrchestration, sleepOrchestration } from '../../../src/orchestration/waitingChild.ts';
import { Random } from '../fanout/random.ts';
import { HandDriven } from '../handDriven.ts';
import { LedgerModel } from './ledgerModel.ts';
import type { RandomSchedule } from './randomSchedule.ts';

export type HandCall = HandDriven<unknown>['calls'][number];
interface Instance {
  readonly id: string;
  readonly name: string;
  hand: HandDriven<unknown>;
  readonly parent: { readonly instance: Instance; readonly call: HandCall } | null;
  over: boolean;
}
export interface Watch {
  /** A call has appeared; the model has not answered it. */
  begun(instanceId: string, call: HandCall, world: World): void;
  answered(instanceId: string, call: HandCall, value: unknown): void;
  /** Nothing more happens until something is answered. */
  settled(world: World): void;
}
export const START = Date.UTC(2026, 0, 5);
const ORCHESTRATIONS = { lane1: laneOrchestration, sleep1: sleepOrchestration, job1: jobOrchestration };

export class World {
  readonly ledger: LedgerModel;
  readonly plan: RandomSchedule;
  now = START;
  readonly instances = new Map<string, Instance>();
  readonly random: Random;
  readonly #watch: Watch;
  #seen = new Map<HandDriven<unknown>, number>();
  faults = 0;

  constructor(plan: RandomSchedule, seed: number, watch: Watch) {
    this.plan = plan;
    this.random = new Random(seed + 13);
    this.#watch = watch;
    this.ledger = new LedgerModel(plan, seed, () => this.now);
    this.#begin('run-1', 'run1', (verbs) => interpret(verbs, plan.schedule), null);
  }

  get root(): HandDriven<Interpretation> {
    const root = this.instances.get('run-1');
    if (root === undefined) throw new Error('no run');
    return root.hand as HandDriven<Interpretation>;
  }

  /** Open activities, with their instance. */
  openCalls(): { readonly instance: Instance; readonly call: HandCall }[] {
    return [...this.instances.values()].flatMap((instance) =>
      instance.over
        ? []
        : instance.hand
            .open()
            .filter((call) => call.kind === 'activity')
            .map((call) => ({ instance, call })),
    );
  }

  /** One random step; false when nothing can happen any more. */
  step(): boolean {
    const calls = this.openCalls();
    const dice = this.random.below(100);
    if (dice < 3) this.#changeControl();
    else if (dice < 5) this.wake(this.ledger.seq + (dice === 3 ? 0 : 2));
    else if (dice < 7 && this.faults < 3) this.#fault(calls);
    else if (calls.length > 0 && (dice < 85 || this.#nextDue() === Infinity)) this.#answer(this.random.pick(calls));
    else if (!this.advance()) {
      if (calls.length > 0) this.#answer(this.random.pick(calls));
      else if (this.ledger.control === 'suspend') this.setControl('none');
      else return false;
    }
    this.#pump();
    return true;
  }

  wake(seq: number): void {
    for (const { hand, over } of [...this.instances.values()]) if (!over) hand.raise(controlEvent('run-1', seq));
    this.#pump();
  }

  setControl(control: 'none' | 'suspend' | 'cancel'): void {
    if (this.ledger.control === control || this.ledger.control === 'cancel') return;
    this.ledger.control = control;
    this.ledger.seq += 1;
    this.wake(this.ledger.seq);
  }

  /** Moves the clock to the next timer of any instance. */
  advance(): boolean {
    const due = this.#nextDue();
    if (due === Infinity) return false;
    const ms = Math.max(0, due - this.now);
    this.now += ms;
    for (const { hand, over } of [...this.instances.values()]) if (!over) hand.advance(this.now - hand.now);
    this.#pump();
    return true;
  }

  #nextDue(): number {
    const live = [...this.instances.values()].filter(({ over }) => !over);
    return Math.min(...live.flatMap(({ hand }) => hand.openTimers().map(({ dueAt }) => dueAt)), Infinity);
  }

  #changeControl(): void {
    if (this.random.chance(0.06)) this.setControl('cancel');
    else this.setControl(this.ledger.control === 'suspend' ? 'none' : 'suspend');
  }

  #fault(calls: readonly { readonly instance: Instance; readonly call: HandCall }[]): void {
    const children = [...this.instances.values()].filter(({ parent, over }) => parent !== null && !over);
    const child = this.random.chance(0.5) && children.length > 0 ? this.random.pick(children) : undefined;
    this.faults += 1;
    if (child !== undefined) this.#end(child, { lost: 'terminated' });
    else if (calls.length > 0) {
      const { instance, call } = this.random.pick(calls);
      // The work may have been done before the answer was lost.
      if (this.random.chance(0.5)) this.ledger.answer(call);
      instance.hand.lose(call, 'lost');
    }
  }

  #answer({ instance, call }: { readonly instance: Instance; readonly call: HandCall }): void {
    const stopping = this.ledger.stopping;
    const value = this.ledger.answer(call);
    this.#watch.answered(instance.id, call, value);
    instance.hand.answer(call, value);
    if (this.ledger.stopping !== stopping) this.wake(this.ledger.seq);
  }

  #begin(id: string, name: string, body: (verbs: Verbs) => Step<unknown>, parent: Instance['parent']): void {
    if (this.instances.has(id)) throw new Error(`instance id ${id} was used twice`);
    const instance: Instance = { id, name, hand: new HandDriven<unknown>(body, this.now), parent, over: false };
    this.instances.set(id, instance);
  }

  #end(instance: Instance, end: { readonly value: unknown } | { readonly lost: string }): void {
    instance.over = true;
    const { parent } = instance;
    if (parent === null || parent.instance.over) return;
    if ('lost' in end) parent.instance.hand.lose(parent.call, end.lost);
    else parent.instance.hand.answer(parent.call, end.value);
  }

  /** Starts children that were called, ends instances that have ended, until nothing moves. */
  #pump(): void {
    for (let moved = true; moved;) {
      moved = false;
      for (const instance of [...this.instances.values()]) {
        moved = this.#look(instance) || moved;
        const { ended } = instance.hand;
        if (instance.over || ended === undefined) continue;
        moved = true;
        if ('error' in ended && instance.parent === null) throw ended.error;
        if ('error' in ended) this.#end(instance, { lost: String(ended.error) });
        else if (ended.value instanceof Again) this.#again(instance, ended.value);
        else this.#end(instance, { value: ended.value });
      }
    }
    this.#watch.settled(this);
  }

  #again(instance: Instance, { input }: Again): void {
    if (instance.hand.open().length + instance.hand.openTimers().length > 0)
      throw new Error(`${instance.id} began again with something open`);
    const body = ORCHESTRATIONS[instance.name as keyof typeof ORCHESTRATIONS];
    instance.hand = new HandDriven<unknown>((verbs) => body(verbs, input, instance.id), this.now);
  }

  #look(instance: Instance): boolean {
    const { hand } = instance;
    const from = this.#seen.get(hand) ?? 0;
    const fresh = hand.calls.slice(from);
    this.#seen.set(hand, hand.calls.length);
    for (const call of fresh) {
      this.#watch.begun(instance.id, call, this);
      if (call.kind !== 'child') continue;
      const [name = '', id = ''] = call.name.split(':');
      const body = ORCHESTRATIONS[name as keyof typeof ORCHESTRATIONS];
      this.#begin(id, name, (verbs) => body(verbs, call.input, id), { instance, call });
    }
    return fresh.length > 0;
  }
}
