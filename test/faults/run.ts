/**
 * `npm run faults`: every cell and every walk, then a table point × kind; exit code 1 when one of them ends otherwise
 * than the oracle says.
 *   FAULTS_CELLS=n     at most n cells, spread over the matrix      FAULTS_WALKS=n     n walks (default 1 000)
 *   FAULTS_SCENARIO=x  only this scenario's cells                    FAULTS_SEED=n      walk n alone, with its moves
 */
import type { CellResult } from '../support/faults/bench.ts';
import { runCells } from '../support/faults/runCells.ts';
import { SCENARIOS } from '../support/faults/scenarios.ts';
import { cellTable } from '../support/faults/table.ts';
import { walk, type WalkFailure } from '../support/faults/walk/runWalks.ts';
import { walkInProcesses } from '../support/faults/walk/walkProcesses.ts';

const PROCESSES = 2;

const numberOf = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

function showWalk({ seed, scenario, problems, trace }: WalkFailure, whole: boolean): void {
  console.log(`walk ${String(seed)} (${scenario}): ${problems.join('; ')}; again with FAULTS_SEED=${String(seed)}`);
  if (whole) console.log(trace.map((line) => `  ${line}`).join('\n'));
}

async function cells(): Promise<{ count: number; bad: number }> {
  const only = process.env['FAULTS_SCENARIO'];
  const scenarios = only === undefined ? SCENARIOS : SCENARIOS.filter(({ name }) => name === only);
  const limit = numberOf('FAULTS_CELLS');
  if (limit === 0) return { count: 0, bad: 0 };
  const { results, problems } = await runCells({
    scenarios,
    tell: (line) => console.log(line),
    ...(limit === undefined ? {} : { limit }),
  });
  console.log(`\n${cellTable(results)}\n`);
  for (const problem of problems) console.log(problem);
  const failed = (result: CellResult): boolean => result.problems.length > 0;
  return { count: results.length, bad: results.filter(failed).length + problems.length };
}

async function main(): Promise<number> {
  const seed = numberOf('FAULTS_SEED');
  if (seed !== undefined) {
    const failure = await walk(seed);
    if (failure === undefined) console.log(`walk ${String(seed)}: as it must be`);
    else showWalk(failure, true);
    return failure === undefined ? 0 : 1;
  }
  const began = performance.now();
  const done = await cells();
  const count = numberOf('FAULTS_WALKS') ?? 1_000;
  const failures = await walkInProcesses(count, PROCESSES);
  for (const failure of failures) showWalk(failure, false);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${String(done.count)} cells, ${String(done.bad)} failed; ` +
      `${String(count)} walks, ${String(failures.length)} failed; ${String(seconds)} s`,
  );
  return done.bad + failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
