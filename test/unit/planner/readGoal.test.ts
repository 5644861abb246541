import { describe, expect, it } from 'vitest';
import { readGoal } from '../../../src/planner/readGoal.ts';

const intents = (goal: string): string[] => [...readGoal(goal).intents].sort();

describe('words and what they stand for', () => {
  it.each<[string, string[]]>([
    ['rain', ['rain']],
    ['RAINFALL', ['rain']],
    ['pioggia', ['rain']],
    ['Le precipitazioni piovose', ['rain']],
    ['Starkregen und Niederschläge', ['rain']],
    ['infrastrutture esposte', ['exposure']],
    ['exposed infrastructure', ['exposure']],
    ['betroffene Gebäude', ['exposure']],
    ['una mappa', ['map']],
    ['eine Karte', ['map']],
    ['pendenza del versante', ['slope']],
    ['aree potenzialmente critiche', ['critical']],
    ['kritische Gebiete', ['critical']],
    ['pubblica e notifica', ['notify', 'publish']],
    ['superficie interpolata', ['surface']],
  ])('%s', (goal, expected) => {
    expect(intents(goal)).toEqual(expected);
  });

  it.each(['train timetable', 'rainbow', 'brainstorm', 'mapping of genes', 'terrace', 'a cake', 'drain the pond'])(
    'does not read anything into %j',
    (goal) => {
      expect(intents(goal)).toEqual([]);
    },
  );

  it('reads accents and apostrophes in either form', () => {
    expect(intents('Brücken')).toEqual(intents('Bru\u0308cken'));
    expect(intents("don't publish")).toEqual([]);
    expect(intents('don’t publish')).toEqual([]);
  });

  it('does not count what is negated', () => {
    expect(intents('rain without a map')).toEqual(['rain']);
    expect(intents('pioggia senza mappa')).toEqual(['rain']);
    expect(intents('Regen ohne Karte')).toEqual(['rain']);
    expect(intents('do not publish the rain map')).toEqual(['map', 'rain']);
  });
});

describe('numbers', () => {
  it('are read with their unit alone', () => {
    expect(readGoal('in 2026 the 5 roads of 30 villages')).toMatchObject({
      hours: null,
      thresholdMm: null,
      percentile: null,
    });
    expect(readGoal('24-hour rain above 30mm')).toMatchObject({ hours: 24, thresholdMm: 30 });
    expect(readGoal('rain above 12,5 millimetri in 3 giorni')).toMatchObject({ hours: 72, thresholdMm: 12.5 });
    expect(readGoal('95° percentile')).toMatchObject({ percentile: 95 });
    expect(readGoal('95. Perzentil')).toMatchObject({ percentile: 95 });
  });

  it('stand for the first period that is named', () => {
    expect(readGoal('last 24 hours, not the last 48 hours').hours).toBe(24);
  });
});

describe('hostile goals', () => {
  it('are read in bounded time, whatever they hold', () => {
    const goals = [
      'rain '.repeat(50_000),
      '1'.repeat(200_000),
      'a'.repeat(200_000),
      ' '.repeat(200_000),
      '\u202e\u0000\ud800',
      'not '.repeat(50_000),
    ];
    const begin = performance.now();
    for (const goal of goals) readGoal(goal);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});
