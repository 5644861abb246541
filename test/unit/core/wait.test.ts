import { describe, expect, it } from 'vitest';
import { durationMs } from '../../../src/tools/core/duration.ts';
import { waitTool } from '../../../src/tools/core/waitTool.ts';
import { json, runOf } from '../toolRun.ts';

const T0 = Date.parse('2026-05-10T12:00:00Z');
const accepts = (args: unknown): boolean => waitTool.input.safeParse(args).success;
const until = (args: object, readyAt = T0): number => {
  if (waitTool.wait === undefined) throw new Error('no wait');
  return waitTool.wait(waitTool.input.parse(args), readyAt);
};

describe('durations', () => {
  it.each([
    ['PT0S', 0],
    ['PT1S', 1000],
    ['PT1.5S', 1500],
    ['PT0.05S', 50],
    ['PT15M', 900_000],
    ['P1DT2H3M4S', 93_784_000],
    ['P2W', 1_209_600_000],
    ['P30D', 2_592_000_000],
  ])('%s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', 'P', 'PT', 'P1DT', '1D', 'P1Y', 'P1M', 'P-1D', 'PT1H ', 'P1.5D', 'p1d', 'PT1S1M', 'P1W2D'])(
    'refuses %j',
    (text) => {
      expect(durationMs(text)).toBeUndefined();
    },
  );
});

describe('core.wait', () => {
  it('takes exactly one of duration and until', () => {
    expect(accepts({})).toBe(false);
    expect(accepts({ duration: 5, until: '2026-05-11T00:00:00Z' })).toBe(false);
    expect(accepts({ duration: 5 })).toBe(true);
    expect(accepts({ until: '2026-05-11T00:00:00+02:00' })).toBe(true);
    expect(accepts({ duration: 5, other: 1 })).toBe(false);
  });

  it.each<unknown>([
    { duration: -1 },
    { duration: Number.POSITIVE_INFINITY },
    { duration: '5' },
    { duration: 'P1M' },
    { duration: null },
    { duration: 90 * 86_400 + 1 },
    { duration: 'P90DT1S' },
    { until: '2026-05-11' },
    { until: '2026-05-11T00:00:00' },
    { until: '2026-13-45T00:00:00Z' },
    { until: 1_780_000_000 },
  ])('refuses %j', (args) => {
    expect(accepts(args)).toBe(false);
  });

  it('says the absolute time, from the time at which the node became ready', () => {
    expect(until({ duration: 'P30D' })).toBe(T0 + 30 * 86_400_000);
    expect(until({ duration: 0.25 })).toBe(T0 + 250);
    expect(until({ until: '2026-05-10T14:30:00+02:00' })).toBe(T0 + 1_800_000);
    expect(until({ until: '2026-05-11T00:00:00.5Z' })).toBe(Date.parse('2026-05-11T00:00:00.500Z'));
  });

  it('a time that is past is now, one beyond 90 days is refused', () => {
    expect(until({ until: '2020-01-01T00:00:00Z' })).toBe(T0);
    expect(() => until({ until: '2026-08-08T12:00:00.001Z' })).toThrow(/90 days/);
    expect(until({ until: '2026-08-08T12:00:00Z' })).toBe(T0 + 90 * 86_400_000);
  });

  it('firedAt is the recorded time, whenever it runs, and it never runs without one', async () => {
    if (waitTool.run === undefined) throw new Error('no run');
    const context = runOf(waitTool, { duration: 5 }, {}, T0);
    const result = await waitTool.run({ ...context, now: T0 + 999_999, until: T0 + 5000 });
    expect(json(result, 'firedAt')).toBe('2026-05-10T12:00:05.000Z');
    await expect(Promise.resolve().then(() => waitTool.run?.(context))).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
  });
});
