import { afterEach, describe, expect, it } from 'vitest';
import { shiftProcessClock } from '../../support/hosts/shiftedClock.ts';

const DAY = 86_400_000;
const RealDate = Date;
afterEach(() => {
  globalThis.Date = RealDate;
});

describe('a clock moved by hand', () => {
  it('moves every way of reading the time, and leaves given times alone', () => {
    const clock = shiftProcessClock();
    const before = RealDate.now();
    clock.advance(30 * DAY);
    for (const now of [clock.now(), Date.now(), new Date().getTime(), Date.parse(Date())]) {
      expect(Math.abs(now - before - 30 * DAY)).toBeLessThan(5_000);
    }
    expect(new Date(0).getTime()).toBe(0);
    expect(new Date('2026-01-05T10:00:00Z').toISOString()).toBe('2026-01-05T10:00:00.000Z');
    expect(Date.UTC(2026, 0, 5)).toBe(RealDate.UTC(2026, 0, 5));
    expect(new Date() instanceof Date).toBe(true);
    expect(new RealDate() instanceof Date).toBe(true);
  });

  it('fires what has become due in order of time, and nothing that was cancelled or lies ahead', async () => {
    const clock = shiftProcessClock();
    const fired: string[] = [];
    const start = clock.now();
    const cancel = clock.setTimer(start + DAY, () => fired.push('cancelled'));
    const ahead = clock.setTimer(start + 9 * DAY, () => fired.push('ahead'));
    const last = Promise.withResolvers<undefined>();
    clock.setTimer(start + 3 * DAY, () => {
      fired.push('third');
      last.resolve(undefined);
    });
    clock.setTimer(start + 2 * DAY, () => fired.push('second'));
    cancel();
    clock.advance(4 * DAY);
    await last.promise;
    expect(fired).toEqual(['second', 'third']);
    ahead();
  });
});
