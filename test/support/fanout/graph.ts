/**
 * Random work graphs for proving the durable binding, on the real extension (test/engine) and on the embedded host
 * (test/property/host). Everything here but `app.ts` is pure:
 *
 *   const graph = randomGraph(seed);                    // same seed, same graph
 *   runGraph(verbs, instanceId, graph)                  // orchestrator body over the four verbs → FanoutOutput
 *   runChild(verbs, input)                              // body of a child orchestration
 *   activityResult(input)                               // what an activity returns or throws
 *   checkResult(graph, output)                          // [] = right, otherwise what is wrong
 *   checkExecutions(graph, executions)                  // each activity ran exactly once, window kept
 *
 * A harness registers the bodies under the names below, starts `ROOT` with the input `{seed}`, raises every entry of
 * `graph.events` exactly once (delay 0 = once the instance runs, mostly before anybody waits; otherwise after `delay` units,
 * a unit being some milliseconds or some episodes), and runs activities as often as the engine asks for them.
 */
import { Random } from './random.ts';

export const ROOT = 'fanoutRoot';
/** The same graph over the loop that everybody writes first; a negative control that the oracle must catch. */
export const NAIVE_ROOT = 'fanoutNaiveRoot';
export const CHILD = 'fanoutChild';
export const WORK = 'fanoutWork';

/** What a node does; `race` runs its work against a timer, and the loser is cancelled (timer) or awaited (work). */
export type NodeKind = 'activity' | 'child' | 'timer' | 'event' | 'race';

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly after: readonly string[];
  /** What a race runs; for the other kinds the kind itself. */
  readonly work: 'activity' | 'child' | 'event' | 'timer';
  /** Duration of an activity, milliseconds. */
  readonly workMs: number;
  /** Duration of a timer, or of the limit in a race, milliseconds; a race with a limit of an hour is always won. */
  readonly timerMs: number;
  /** Activities inside a child orchestration, all at once. */
  readonly steps: number;
  /** The activity or child throws. */
  readonly fails: boolean;
  /** Name of the event waited for; '' for none. Several nodes may wait for one name. */
  readonly event: string;
}

export interface GraphEvent {
  readonly name: string;
  /** Unique in the graph. */
  readonly value: number;
  readonly delay: number;
}

export interface Graph {
  readonly seed: number;
  /** How many activities and children may be open at once. */
  readonly window: number;
  readonly nodes: readonly GraphNode[];
  readonly events: readonly GraphEvent[];
}

const HOUR_MS = 3_600_000;
const WORKS: readonly ('activity' | 'child' | 'event' | 'timer')[] = [
  'activity',
  'activity',
  'activity',
  'activity',
  'child',
  'timer',
  'event',
  'event',
];

function randomNode(random: Random, index: number, eventNames: readonly string[]): GraphNode {
  const work = random.pick(WORKS);
  const race = work !== 'timer' && random.chance(0.3);
  const after = new Set<string>();
  for (let i = 0; i < index && after.size < 3; i++)
    if (random.chance(1.4 / (index + 1))) after.add(`n${random.below(index)}`);
  // A third of the races has a limit near the duration of the work, so that either side may win.
  const close = race && random.chance(0.33);
  return {
    id: `n${index}`,
    kind: race ? 'race' : work,
    after: [...after].sort(),
    work,
    workMs: random.chance(0.5) ? 0 : random.below(40),
    timerMs: race && !close ? HOUR_MS : random.below(60),
    steps: work === 'child' ? random.below(4) : 0,
    fails: (work === 'activity' || work === 'child') && random.chance(0.1),
    event: work === 'event' ? random.pick(eventNames) : '',
  };
}

/** The graph of a seed: 1 to 24 nodes, more often few (rarely 60), edges to earlier nodes only, at least one node. */
export function randomGraph(seed: number): Graph {
  const random = new Random(seed);
  const count = random.chance(0.03) ? 60 : 1 + Math.min(random.below(24), random.below(24));
  // Few names, so that several waiters share one and events repeat.
  const names = Array.from({ length: 1 + random.below(3) }, (_, i) => `signal-${i}`);
  const nodes = Array.from({ length: count }, (_, i) => randomNode(random, i, names));
  const waits = nodes.filter((node) => node.event !== '').map((node) => node.event);
  const events = random
    .shuffle(waits)
    .map((name, i) => ({ name, value: i + 1, delay: random.chance(0.5) ? 0 : 1 + random.below(8) }));
  return { seed, window: 1 + random.below(8), nodes, events };
}

/** Keys of all activities that the graph runs, each exactly once: `n3` or, inside a child, `n3/0`. */
export function activityKeys(graph: Graph): string[] {
  return graph.nodes.flatMap((node) => {
    if (node.work === 'activity') return [node.id];
    return node.work === 'child' ? Array.from({ length: node.steps }, (_, i) => `${node.id}/${i}`) : [];
  });
}
