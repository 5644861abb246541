import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Oracle } from '../../support/orchestration/oracle.ts';
import { randomSchedule } from '../../support/orchestration/randomSchedule.ts';
import { START, World } from '../../support/orchestration/world.ts';

/** Drives one world to its end; the oracle's complaints. */
function drive(seed: number, order: number): { readonly world: World; readonly problems: readonly string[] } {
  const plan = randomSchedule(seed, START);
  const oracle = new Oracle(plan.schedule);
  const world = new World(plan, order, oracle);
  for (let step = 0; step < 5_000 && world.root.ended === undefined; step += 1) if (!world.step()) break;
  oracle.atEnd(world);
  return { world, problems: oracle.problems };
}

describe('any schedule, any order of answers, faults and control', () => {
  it('keeps every rule that can be seen from outside, and ends', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, order) => {
        expect(drive(seed, order).problems).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  it('is the same for the same answers: replays start the same things in the same order', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, order) => {
        const trace = (): unknown => drive(seed, order).world.root.calls.map(({ name, input }) => [name, input]);
        expect(trace()).toEqual(trace());
      }),
      { numRuns: 100 },
    );
  });

  it('the worlds contain what they are meant to: lanes, waits of days, jobs, skips, suspensions, cancels, failures', () => {
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let seed = 0; seed < 300; seed += 1) {
      const { world } = drive(seed, seed + 1);
      for (const { name } of world.instances.values()) count(name);
      for (const { kind } of world.ledger.decisions.values()) count(kind);
      if (world.ledger.control === 'cancel') count('cancel');
      if (world.ledger.stopping !== null) count('stopping');
      if (world.faults > 0) count('fault');
      const { ended } = world.root;
      if (ended !== undefined && 'value' in ended && ended.value.error === null) count('went well');
    }
    for (const what of [
      'lane1',
      'sleep1',
      'job1',
      'skippedByCondition',
      'skippedByFailure',
      'retryWait',
      'cancel',
      'stopping',
      'fault',
      'went well',
    ])
      expect([what, (seen.get(what) ?? 0) >= 15]).toEqual([what, true]);
  });
});
