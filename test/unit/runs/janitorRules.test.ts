import { describe, expect, it } from 'vitest';
import { endedVerdict, lifeOf, PATIENCE_MS, QUIET_MS, runVerdict } from '../../../src/runs/janitorRules.ts';

describe('what the janitor does, as one table', () => {
  it.each([
    ['Running', 'live'],
    ['Pending', 'live'],
    ['Suspended', 'live'],
    ['ContinuedAsNew', 'live'],
    ['SomethingNew', 'live'],
    ['Completed', 'dead'],
    ['Failed', 'dead'],
    ['Terminated', 'dead'],
    ['Canceled', 'dead'],
  ] as const)('an instance that is %s is %s', (runtimeStatus, life) => {
    expect(lifeOf({ runtimeStatus })).toBe(life);
  });

  it('an instance of which the engine knows nothing is missing', () => {
    expect(lifeOf(undefined)).toBe('missing');
  });

  it.each([
    ['accepted', 'missing', 59_999, 'leave'],
    ['accepted', 'missing', 60_000, 'start'],
    ['planning', 'missing', 59_999, 'leave'],
    ['planning', 'missing', 60_000, 'end'],
    ['running', 'missing', 60_000, 'end'],
    ['accepted', 'dead', QUIET_MS, 'end'],
    ['running', 'dead', QUIET_MS, 'end'],
    ['running', 'dead', QUIET_MS - 1, 'leave'],
    ['accepted', 'live', 9e9, 'leave'],
    ['running', 'live', 9e9, 'leave'],
  ] as const)('O-07 a run %s whose instance is %s, quiet for %d ms: %s', (status, life, quiet, verdict) => {
    expect(runVerdict(status, life, quiet)).toBe(verdict);
  });

  it.each([
    ['missing', 0, 'close'],
    ['dead', 0, 'close'],
    ['live', 0, 'wake'],
    ['live', PATIENCE_MS - 1, 'wake'],
    ['live', PATIENCE_MS, 'terminate'],
  ] as const)('O-14 an instance that is %s %d ms after the end of its run: %s', (life, endedMs, verdict) => {
    expect(endedVerdict(life, endedMs)).toBe(verdict);
  });
});
