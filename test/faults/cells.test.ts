/** A part of `npm run faults` for every change: cells spread over the matrix, real processes, real kills. */
import { expect, it } from 'vitest';
import { describe as describeCell, runCells } from '../support/faults/runCells.ts';
import { SCENARIOS } from '../support/faults/scenarios.ts';

const CELLS = 40;

it(`${String(CELLS)} faults in runs on the embedded host end as the oracle says`, async () => {
  const { results, problems } = await runCells({ scenarios: SCENARIOS, limit: CELLS });
  const failed = results.filter((result) => result.problems.length > 0);
  expect(failed.map((result) => `${describeCell(result)}: ${result.problems.join('; ')}`)).toEqual([]);
  expect(problems).toEqual([]);
  expect(results).toHaveLength(CELLS);
});
