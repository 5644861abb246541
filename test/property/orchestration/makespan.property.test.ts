import { describe, expect, it } from 'vitest';
import { chainBesideOne, criticalPathMs, msOf, randomGraph } from '../../support/makespan/graphs.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { inWaves, interpreted, START } from '../../support/orchestration/simulate.ts';

const within = (schedule: Schedule, window: number): Schedule => ({
  ...schedule,
  window,
  deadlineAt: START + 3_600_000,
});
const seeds = Array.from({ length: 200 }, (_, i) => i + 1);
const work = (schedule: Schedule): number => schedule.nodes.reduce((sum, { id }) => sum + msOf(id), 0);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('makespan in simulated time (I3)', () => {
  it('a chain of three 0.5 s nodes beside one of 2 s takes 2 s; waves take 3 s', () => {
    const schedule = within(chainBesideOne(), 8);
    expect(interpreted(schedule, msOf)).toBe(2_000);
    expect(inWaves(schedule, msOf)).toBe(3_000);
  });

  it('200 random graphs of 30 nodes take exactly their critical path when the window is wide enough', () => {
    for (const seed of seeds) {
      const schedule = within(randomGraph(seed), 30);
      expect([seed, interpreted(schedule, msOf)]).toEqual([seed, criticalPathMs(schedule)]);
    }
  });

  it('waves over the same graphs are slower by a quarter and more', () => {
    const factors = seeds.map((seed) => {
      const schedule = within(randomGraph(seed), 30);
      return inWaves(schedule, msOf) / criticalPathMs(schedule);
    });
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(1);
    expect(mean(factors)).toBeGreaterThan(1.25);
  });

  it.each([1, 2, 3, 4])('with window %i no graph exceeds the bound of list scheduling (Graham 1969)', (window) => {
    for (const seed of seeds) {
      const schedule = within(randomGraph(seed), window);
      const span = interpreted(schedule, msOf);
      const least = Math.max(criticalPathMs(schedule), work(schedule) / window);
      const bound = work(schedule) / window + (1 - 1 / window) * criticalPathMs(schedule);
      expect([seed, span >= least - 1e-6, span <= bound + 1e-6]).toEqual([seed, true, true]);
    }
  });

  it('with a narrow window, longest path first stays within 5 % of what cannot be beaten, on average', () => {
    const ratios = [2, 3, 4].flatMap((window) =>
      seeds.map((seed) => {
        const schedule = within(randomGraph(seed), window);
        return interpreted(schedule, msOf) / Math.max(criticalPathMs(schedule), work(schedule) / window);
      }),
    );
    expect(mean(ratios)).toBeLessThan(1.05);
  });
});
