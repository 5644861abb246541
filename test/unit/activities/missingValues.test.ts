import { beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../../src/activities/verify.ts';
import { aggregateTool } from '../../../src/tools/core/aggregateTool.ts';
import { prepare } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';

let services: TestServices;
beforeEach(async () => {
  services = await testServices([...testAppTools, aggregateTool]);
});

const days = (missing: readonly number[]): unknown[] =>
  Array.from({ length: 30 }, (_, day) => ({ mm: missing.includes(day) ? null : 2 }));
const ALL = Array.from({ length: 30 }, (_, day) => day);

/** One item a day, gathered, summed by core.aggregate; a day without a value fails and is tolerated. */
function month(missing: readonly number[], minCoverage: number): object {
  return {
    nodes: [
      { id: 'days', tool: 'test.items', args: { items: days(missing) } },
      {
        id: 'rain',
        tool: 'test.noop',
        args: { value: { ref: '$item.mm' } },
        forEach: { items: { ref: 'days.items' }, maxItems: 31 },
        when: { op: 'ne', left: { ref: '$item.mm' }, right: null },
      },
      { id: 'sum', tool: 'core.aggregate', args: { items: { ref: 'rain.value' }, op: 'sum', minCoverage } },
    ],
    outputs: { sum: { ref: 'sum.value' } },
  };
}

async function summed(missing: readonly number[], minCoverage: number): Promise<unknown[]> {
  const run = await prepare(services, month(missing, minCoverage));
  await run.node('days');
  await run.expand('rain');
  for (const day of ALL) await run.item('rain', day);
  await run.gather('rain');
  expect(await run.node('sum')).toMatchObject({ state: 'done' });
  const { passed } = await verify(services, {
    version: 1,
    runId: run.runId,
    warrant: run.warrant,
    by: run.runId,
    decisions: [],
  });
  return [await run.output('sum', 'value'), await run.output('sum', 'coverage'), passed];
}

describe('O-37 (1) missing observations through a loop and core.aggregate', () => {
  it('all missing: null, coverage 0, never 0 mm; the run can’t be verified', async () => {
    expect(await summed(ALL, 1)).toEqual([null, 0, false]);
    expect(await summed(ALL, 0)).toEqual([null, 0, false]);
  });
  it('29 valid and 1 missing: null below the stated coverage, the sum of the valid ones above it', async () => {
    expect(await summed([7], 1)).toEqual([null, 29 / 30, false]);
    expect(await summed([7], 0.9)).toEqual([58, 29 / 30, true]);
  });
  it('none missing: the sum with coverage 1', async () => {
    expect(await summed([], 1)).toEqual([60, 1, true]);
  });
});
