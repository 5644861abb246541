/** The crash column of the crash lab on the real engine: twenty points, twenty runs at once, the runner dies at each. */
import { afterAll, describe, expect, it } from 'vitest';
import { Bench } from '../support/faults/bench.ts';
import { matrixOf } from '../support/faults/matrix.ts';
import { describe as describeCell } from '../support/faults/runCells.ts';
import { SCENARIOS } from '../support/faults/scenarios.ts';
import { engineMissing } from './dotnet.ts';

const POINTS = 20;
const missing = engineMissing();
if (missing !== undefined) console.warn(`engine tests skipped: ${missing}`);

let bench: Bench | undefined;
afterAll(() => bench?.stop());

describe.skipIf(missing !== undefined)('the real engine', () => {
  it(`${String(POINTS)} runs, the runner killed at ${String(POINTS)} points: each ends as without a crash`, async () => {
    bench = await Bench.start('engine');
    const diamond = SCENARIOS.find(({ name }) => name === 'diamond');
    if (diamond === undefined) throw new Error('no diamond');
    const { points, end } = await bench.record(diamond);
    const faults = matrixOf(points).filter(({ kind, occurrence }) => kind === 'crash' && occurrence === 1);
    expect(faults.length).toBeGreaterThanOrEqual(POINTS);
    const results = await bench.cellsTogether(diamond, faults.slice(0, POINTS), end);
    const failed = results.filter(({ problems }) => problems.length > 0);
    expect(failed.map((result) => `${describeCell(result)}: ${result.problems.join('; ')}`)).toEqual([]);
    expect(await bench.auditProblems()).toEqual([]);
  });
});
