/** The oracle of the engine proof must accept an ideal engine and notice each single fault. */
import { describe, expect, it } from 'vitest';
import type { Outcome, Pending, Timer, Verbs } from '../../../src/orchestration/verbs.ts';
import { checkExecutions, checkResult } from '../../support/fanout/check.ts';
import type { Execution } from '../../support/fanout/check.ts';
import { activityKeys, randomGraph } from '../../support/fanout/graph.ts';
import type { Graph } from '../../support/fanout/graph.ts';
import { runChild, runGraph } from '../../support/fanout/orchestrate.ts';
import type { FanoutOutput, Finish } from '../../support/fanout/orchestrate.ts';
import { Random } from '../../support/fanout/random.ts';
import { activityResult } from '../../support/fanout/work.ts';
import type { ChildInput, WorkInput } from '../../support/fanout/work.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Started {
  readonly pending: Pending;
  readonly settle: () => Outcome | undefined;
  outcome: Outcome | undefined;
  cancelled: boolean;
}

function attempt(act: () => unknown): Outcome {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}

/** An engine without any fault: settles one open thing at a time, in random order; far timers never fire. */
class Ideal implements Verbs {
  readonly executions: Execution[] = [];
  readonly #started = new Map<Pending, Started>();
  readonly #random: Random;
  readonly #run: string;
  readonly #events = new Map<string, number[]>();

  constructor(run: string, graph: Graph) {
    this.#run = run;
    this.#random = new Random(graph.seed + 77);
    for (const { name, value } of graph.events) this.#events.set(name, [...(this.#events.get(name) ?? []), value]);
  }

  #add(kind: Pending['kind'], label: string, settle: () => Outcome | undefined): Started {
    const pending: Pending = { kind, label, outcome: () => started.outcome };
    const started: Started = { pending, settle, outcome: undefined, cancelled: false };
    this.#started.set(pending, started);
    return started;
  }

  now = (): number => 0;
  status = (): void => undefined;
  reaches = (): boolean => true;
  activity = (name: string, input: unknown): Pending =>
    this.#add('activity', name, () => {
      const work = input as WorkInput;
      const at = this.executions.length;
      this.executions.push({ run: this.#run, key: work.key, startedAt: at, endedAt: at });
      return attempt(() => activityResult(work));
    }).pending;
  child = (name: string, _id: string, input: unknown): Pending =>
    this.#add('child', name, () => attempt(() => this.drive(runChild(this, input as ChildInput)))).pending;
  event = (name: string): Pending =>
    this.#add('event', name, () => {
      const value = this.#events.get(name)?.shift();
      return value === undefined ? undefined : { ok: true, value };
    }).pending;
  time = (at: number): Timer => {
    const started = this.#add('time', String(at), () => (at < 3_600_000 ? { ok: true, value: undefined } : undefined));
    const timer: Timer = {
      kind: 'time',
      label: String(at),
      outcome: () => started.outcome,
      cancel: () => {
        started.cancelled = true;
      },
    };
    this.#started.set(timer, started);
    return timer;
  };

  *firstOf(open: readonly Pending[]): Generator<unknown, Pending, unknown> {
    for (;;) {
      for (const pending of this.#random.shuffle(open)) {
        const started = this.#started.get(pending);
        if (started === undefined || started.cancelled) continue;
        started.outcome ??= started.settle();
        if (started.outcome !== undefined) return pending;
      }
      yield null;
      throw new Error('nothing can settle');
    }
  }

  drive<T>(body: Generator<unknown, T, unknown>): T {
    const step = body.next();
    if (step.done !== true) throw new Error('the ideal engine stalled');
    return step.value;
  }
}

function ideal(seed: number): { graph: Graph; output: FanoutOutput; executions: Execution[] } {
  const graph = randomGraph(seed);
  const engine = new Ideal(`run-${seed}`, graph);
  return { graph, output: engine.drive(runGraph(engine, `run-${seed}`, graph)), executions: engine.executions };
}

const seeds = Array.from({ length: 300 }, (_, i) => i + 1);
/** A run with enough of everything to break. */
const sample = ideal(
  seeds.find((seed) => randomGraph(seed).nodes.filter((node) => node.kind === 'activity').length > 4) ?? 1,
);
function withFinishes(change: (finishes: Mutable<Finish>[]) => unknown): FanoutOutput {
  const copy = structuredClone(sample.output);
  change(copy.finishes as Mutable<Finish>[]);
  return copy;
}

describe('graphs', () => {
  it('are the same for the same seed, acyclic by construction, with an event for every waiter', () => {
    for (const seed of seeds) {
      const graph = randomGraph(seed);
      expect(randomGraph(seed)).toEqual(graph);
      const known = new Set<string>();
      for (const node of graph.nodes) {
        expect(node.after.every((id) => known.has(id))).toBe(true);
        known.add(node.id);
      }
      const waits = graph.nodes.filter((node) => node.event !== '').map((node) => node.event);
      expect(graph.events.map((event) => event.name).sort()).toEqual(waits.sort());
    }
  });

  it('contain every feature of the proof', () => {
    const nodes = seeds.flatMap((seed) => [...randomGraph(seed).nodes]);
    for (const kind of ['activity', 'child', 'timer', 'event', 'race'])
      expect(nodes.filter((node) => node.kind === kind).length).toBeGreaterThan(50);
    expect(nodes.filter((node) => node.fails).length).toBeGreaterThan(50);
    expect(nodes.filter((node) => node.kind === 'race' && node.work === 'event').length).toBeGreaterThan(50);
    const repeated = seeds.filter(
      (seed) => new Set(randomGraph(seed).events.map((event) => event.name)).size < randomGraph(seed).events.length,
    );
    expect(repeated.length).toBeGreaterThan(50);
  });
});

describe('the oracle', () => {
  it('accepts 300 graphs on an ideal engine', () => {
    for (const seed of seeds) {
      const { graph, output, executions } = ideal(seed);
      expect([seed, checkResult(graph, output), checkExecutions(graph, executions)]).toEqual([seed, [], []]);
    }
  });

  it.each<[string, (finishes: Mutable<Finish>[]) => unknown]>([
    ['a node that never finished', (f) => f.pop()],
    ['a node that finished twice', (f) => f.push(structuredClone(f[0] as Finish))],
    ['two results exchanged', (f) => ([f[0]!.value, f[1]!.value] = [f[1]!.value, f[0]!.value])],
    [
      'a result of another run',
      (f) => (f.find((one) => typeof one.value === 'object')!.value = { key: 'n0', token: 'n0#0' }),
    ],
    ['a failure where success was meant', (f) => (f.find((one) => one.how === 'work')!.how = 'failed')],
    ['the reverse order', (f) => f.reverse()],
  ])('notices %s', (_name, change) => {
    expect(checkResult(sample.graph, withFinishes(change))).not.toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no output', null],
    ['another output', { finishes: [] }],
    ['a broken window', { ...sample.output, maxOpen: sample.graph.window + 1 }],
  ])('notices %s', (_name, output) => {
    expect(checkResult(sample.graph, output)).not.toEqual([]);
  });

  it('notices an event that was received twice or lost', () => {
    const seed = seeds.find((one) => randomGraph(one).events.length > 2) ?? 1;
    const { graph, output } = ideal(seed);
    const copy = structuredClone(output);
    const [first, second] = (copy.finishes as Mutable<Finish>[]).filter((one) => typeof one.value === 'number');
    first!.value = second!.value;
    expect(checkResult(graph, copy).join()).toContain('event signal-');
  });

  it('notices an activity that ran twice, never, or in another graph, and a window broken in time', () => {
    const { graph, executions } = sample;
    const problems = (list: readonly Execution[]): string => checkExecutions(graph, list).join();
    expect(problems([...executions, executions[0]!])).toContain('ran 2 times');
    expect(problems(executions.slice(1))).toContain('ran 0 times');
    expect(problems([...executions, { ...executions[0]!, key: 'alien' }])).toContain('not of this graph');
    const wide = { ...graph, window: 1 };
    const atOnce = activityKeys(graph).map((key) => ({ run: 'r', key, startedAt: 0, endedAt: 9 }));
    expect(checkExecutions(wide, atOnce).join()).toContain('activities at once');
  });
});
