import { Bench, type CellResult } from './bench.ts';
import { matrixOf } from './matrix.ts';
import type { End } from './oracle.ts';
import { kills, type Fault } from './points.ts';
import type { Scenario } from './scenarios.ts';

export interface CellsOptions {
  readonly scenarios: readonly Scenario[];
  /** At most so many cells, spread evenly over the matrix; default all. */
  readonly limit?: number;
  /** Hosts that are killed, side by side. */
  readonly killed?: number;
  /** Cells at once on the host that is not killed. */
  readonly atOnce?: number;
  readonly tell?: (line: string) => void;
}

interface Task {
  readonly scenario: Scenario;
  readonly fault: Fault;
  readonly want: End;
}

function spread<T>(items: readonly T[], limit: number): T[] {
  if (limit >= items.length) return [...items];
  return Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)] as T);
}

async function work(
  bench: Bench,
  queue: Task[],
  atOnce: number,
  results: CellResult[],
  tell: (line: string) => void,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const result = await bench.cell(task.scenario, task.fault, task.want);
      results.push(result);
      if (result.problems.length > 0) tell(`${describe(result)}: ${result.problems.join('; ')}`);
      else if (results.length % 50 === 0) tell(`${String(results.length)} cells`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export function describe({ scenario, fault }: CellResult): string {
  return fault === null ? scenario : `${scenario}: ${fault.kind} at ${fault.point} #${String(fault.occurrence)}`;
}

/** Records each scenario once, then runs its matrix: what kills on hosts of its own, all else side by side on one. */
export async function runCells(options: CellsOptions): Promise<{ results: CellResult[]; problems: string[] }> {
  const { scenarios, killed = 2, atOnce = 8, tell = () => undefined } = options;
  const results: CellResult[] = [];
  const problems: string[] = [];
  const warm = await Bench.start();
  const benches = [warm];
  try {
    const tasks: Task[] = [];
    for (const scenario of scenarios) {
      const { points, end } = await warm.record(scenario);
      tasks.push(...matrixOf(points).map((fault) => ({ scenario, fault, want: end })));
    }
    const chosen = spread(tasks, options.limit ?? tasks.length);
    tell(`${String(chosen.length)} of ${String(tasks.length)} cells over ${String(scenarios.length)} scenarios`);
    const deadly = chosen.filter(({ fault }) => kills(fault));
    await work(
      warm,
      chosen.filter(({ fault }) => !kills(fault)),
      atOnce,
      results,
      tell,
    );
    problems.push(...(await warm.auditProblems()));
    benches.push(...(await Promise.all(Array.from({ length: Math.min(killed, deadly.length) }, () => Bench.start()))));
    await Promise.all(benches.slice(1).map((bench) => work(bench, deadly, 1, results, tell)));
    for (const bench of benches.slice(1)) problems.push(...(await bench.auditProblems()));
    return { results, problems };
  } finally {
    await Promise.all(benches.map((bench) => bench.stop()));
  }
}
