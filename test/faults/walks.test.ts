/** A part of the walks of `npm run faults` for every change. */
import { expect, it } from 'vitest';
import { walk } from '../support/faults/walk/runWalks.ts';

const WALKS = 100;
const FROM = 100_001;

it(`${String(WALKS)} random walks through crashes, duplicates, lost answers and users' requests end as they must`, async () => {
  const failures = [];
  for (let seed = FROM; seed < FROM + WALKS; seed += 1) {
    const failure = await walk(seed);
    if (failure !== undefined) failures.push(`FAULTS_SEED=${String(seed)}: ${failure.problems.join('; ')}`);
  }
  expect(failures).toEqual([]);
});
