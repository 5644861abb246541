import type { OrchestrationContext } from 'durable-functions';
import { describe, expect, it } from 'vitest';
import { durableVerbs } from '../../../src/orchestration/durableBinding.ts';
import { checkResult } from '../../support/fanout/check.ts';
import { activityKeys, CHILD, NAIVE_ROOT, randomGraph, ROOT, type Graph } from '../../support/fanout/graph.ts';
import { naiveVerbs } from '../../support/fanout/naive.ts';
import { runChild, runGraph } from '../../support/fanout/orchestrate.ts';
import { Random } from '../../support/fanout/random.ts';
import { activityResult, type ChildInput, type WorkInput } from '../../support/fanout/work.ts';
import { HostModel } from '../../support/hostModel/model.ts';
import type { Body } from '../../support/hostModel/sdk.ts';

const GRAPHS = 3_000;
const STEPS_LIMIT = 5_000;

// One graph at a time is replayed many times.
let current: Graph = randomGraph(0);
function graphOf(context: OrchestrationContext): Graph {
  const { seed } = context.df.getInput<{ seed: number }>();
  if (current.seed !== seed) current = randomGraph(seed);
  return current;
}
const bodies = new Map<string, Body>([
  [ROOT, (context) => runGraph(durableVerbs(context), context.df.instanceId, graphOf(context))],
  [NAIVE_ROOT, (context) => runGraph(naiveVerbs(context), context.df.instanceId, graphOf(context))],
  [CHILD, (context) => runChild(durableVerbs(context), context.df.getInput<ChildInput>())],
]);

function finishOne(model: HostModel, random: Random, calls: Map<string, number>): void {
  const activity = random.pick(model.activities);
  const input = activity.input as WorkInput;
  calls.set(input.key, (calls.get(input.key) ?? 0) + 1);
  try {
    model.finish(activity, { value: activityResult(input) });
  } catch (error) {
    model.finish(activity, { failure: (error as Error).message });
  }
}

interface Verdict {
  /** What the oracle finds in output and executions. */
  readonly wrong: string[];
  /** What the host says of itself. */
  readonly problems: string[];
}

/** Runs one graph with random completion order, batching and time. */
async function runOne(seed: number, root: string): Promise<Verdict> {
  const graph = randomGraph(seed);
  const random = new Random(seed + 77_777);
  const model = new HostModel(bodies);
  const calls = new Map<string, number>();
  const instance = model.start(root, `g${seed}`, JSON.stringify({ seed }));
  let events = [...graph.events];
  for (let step = 0; instance.status === 'Pending' || instance.status === 'Running'; step += 1) {
    if (step > STEPS_LIMIT) return { wrong: ['it does not end'], problems: instance.problems };
    for (const event of events.filter((e) => e.delay <= instance.episodes))
      model.raise(instance.id, event.name, event.value);
    events = events.filter((e) => e.delay > instance.episodes);
    const ready = model.ready();
    // Completions pile up for a while, so that episodes get batches of every size.
    if (model.activities.length > 0 && (ready.length === 0 || random.chance(0.8))) finishOne(model, random, calls);
    else if (ready.length > 0)
      await model.episode(random.pick(ready), random.chance(0.3) ? 1 + random.below(3) : Infinity);
    else if (events.length > 0) events = events.map((e) => ({ ...e, delay: e.delay - 1 }));
    model.now += random.below(6);
  }
  // A failed instance has a text for output.
  const output: unknown = instance.status === 'Completed' ? JSON.parse(instance.output ?? 'null') : instance.output;
  const wrong = checkResult(graph, output);
  for (const key of activityKeys(graph))
    if (calls.get(key) !== 1) wrong.push(`${key} ran ${calls.get(key) ?? 0} times`);
  const problems = [...model.instances.values()].flatMap((i) => i.problems);
  return { wrong, problems: problems.filter((problem) => !problem.includes('meant to fail')) };
}

describe('random graphs through the real SDK on the pure engine', () => {
  it(`${GRAPHS} graphs, every batch size, early and repeated events, cancelled races: 0 wrong`, async () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= GRAPHS; seed += 1) {
      const verdict = await runOne(seed, ROOT);
      const all = [...verdict.wrong, ...verdict.problems];
      if (all.length > 0) wrong.push(`seed ${seed}: ${all.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  }, 180_000);

  it('the loop that everybody writes first is caught by the oracle, and each time the host has named the drift', async () => {
    let caught = 0;
    const silent: number[] = [];
    for (let seed = 1; seed <= 120; seed += 1) {
      const { wrong, problems } = await runOne(seed, NAIVE_ROOT);
      if (wrong.length === 0) continue;
      caught += 1;
      if (!problems.some((problem) => problem.startsWith('Q10'))) silent.push(seed);
    }
    expect(caught).toBeGreaterThan(20);
    expect(silent).toEqual([]);
  });
});
