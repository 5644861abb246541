/** Runs random graphs on an engine and collects what the oracle says. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { checkExecutions, checkResult } from '../support/fanout/check.ts';
import type { Execution } from '../support/fanout/check.ts';
import { randomGraph } from '../support/fanout/graph.ts';
import type { EngineClient } from './engineClient.ts';

/** One unit of an event's delay. */
const DELAY_UNIT_MS = 60;

export interface GraphRun {
  readonly seed: number;
  readonly instanceId: string;
  readonly nodes: number;
  readonly status: string;
  /** What the oracle says of the output; executions are checked afterwards. */
  readonly problems: readonly string[];
}

/** Starts the graph of a seed, raises its events (early ones as soon as the engine has taken it up), and waits for its end. */
export async function runGraphOn(
  engine: EngineClient,
  root: string,
  seed: number,
  limitMs = 240_000,
): Promise<GraphRun> {
  const graph = randomGraph(seed);
  const instanceId = `${root}-${seed}`;
  await engine.start(root, instanceId, { seed });
  const raise = async ({ name, value, delay: units }: (typeof graph.events)[number]): Promise<void> => {
    await delay(units * DELAY_UNIT_MS);
    await engine.raise(instanceId, name, value);
  };
  const base = { seed, instanceId, nodes: graph.nodes.length };
  try {
    if (graph.events.length > 0) await engine.waitUntilTaken(instanceId);
    await Promise.all(graph.events.map(raise));
    const { runtimeStatus, output } = await engine.waitForEnd(instanceId, limitMs);
    if (runtimeStatus === 'Completed') return { ...base, status: runtimeStatus, problems: checkResult(graph, output) };
    return { ...base, status: runtimeStatus, problems: [`${runtimeStatus}: ${JSON.stringify(output).slice(0, 500)}`] };
  } catch (error) {
    return { ...base, status: 'unfinished', problems: [String(error)] };
  }
}

/** Runs all seeds, `width` at a time. */
export async function runGraphsOn(
  engine: EngineClient,
  root: string,
  seeds: readonly number[],
  width: number,
  limitMs?: number,
): Promise<GraphRun[]> {
  const waiting = [...seeds];
  const runs: GraphRun[] = [];
  const lane = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      runs.push(await runGraphOn(engine, root, seed, limitMs));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return runs;
}

/** Adds what the log of executions says: each activity exactly once. One line a wrong run. */
export function wrongRuns(runs: readonly GraphRun[], logFile: string): string[] {
  const executions = Map.groupBy(readExecutions(logFile), (execution) => execution.run);
  return runs.flatMap((run) => {
    const problems = [...run.problems, ...checkExecutions(randomGraph(run.seed), executions.get(run.instanceId) ?? [])];
    return problems.length === 0 ? [] : [`seed ${run.seed}: ${problems.join('; ')}`];
  });
}

export function readExecutions(logFile: string): Execution[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Execution);
}
