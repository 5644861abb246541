import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextOccurrence, parseCron } from '../../../src/local/host/timers/cron.ts';
import { parseSchedule } from '../../../src/local/host/timers/schedule.ts';

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Zurich';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** The next `count` local times after a local time. */
function next(cron: string, after: string, count = 1): string[] {
  const schedule = parseCron(cron);
  const found: string[] = [];
  let at = new Date(after).getTime();
  for (let i = 0; i < count; i += 1) {
    const following = nextOccurrence(schedule, at);
    if (following === undefined) break;
    at = following;
    const d = new Date(at);
    const two = (n: number): string => String(n).padStart(2, '0');
    found.push(
      `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`,
    );
  }
  return found;
}

describe('NCRONTAB', () => {
  it('five fields have no seconds, six begin with them', () => {
    expect(next('*/5 * * * *', '2026-01-05T10:01:00', 2)).toEqual(['2026-01-05 10:05:00', '2026-01-05 10:10:00']);
    expect(next('30 */5 * * * *', '2026-01-05T10:05:30')).toEqual(['2026-01-05 10:10:30']);
  });

  it('ranges, lists, steps and names', () => {
    expect(next('0 0 9-17/4 * * MON-FRI', '2026-01-02T18:00:00', 4)).toEqual([
      '2026-01-05 09:00:00',
      '2026-01-05 13:00:00',
      '2026-01-05 17:00:00',
      '2026-01-06 09:00:00',
    ]);
    expect(next('0 30 6 1,15 feb *', '2026-01-05T00:00:00', 2)).toEqual(['2026-02-01 06:30:00', '2026-02-15 06:30:00']);
  });

  it('day and weekday must both match; 29 February waits for its year; 30 February never comes', () => {
    expect(next('0 0 0 13 * Friday', '2026-01-05T00:00:00')).toEqual(['2026-02-13 00:00:00']);
    expect(next('0 0 0 29 2 *', '2026-01-05T00:00:00')).toEqual(['2028-02-29 00:00:00']);
    expect(next('0 0 0 30 2 *', '2026-01-05T00:00:00')).toEqual([]);
  });

  it('a time that summer time skips comes an hour later; one that exists twice comes once', () => {
    expect(next('0 30 2 * * *', '2026-03-28T12:00:00', 2)).toEqual(['2026-03-29 03:30:00', '2026-03-30 02:30:00']);
    expect(next('0 30 2 * * *', '2026-10-24T12:00:00', 2)).toEqual(['2026-10-25 02:30:00', '2026-10-26 02:30:00']);
  });

  it.each(['* * * *', '60 * * * * *', '0 0 24 * * *', '0 */0 * * * *', '0 5-2 * * * *', '0 0 0 * * blurs'])(
    'refuses %s',
    (text) => {
      expect(() => parseCron(text)).toThrow();
    },
  );

  it('reads a TimeSpan, and knows which schedules are more frequent than a minute', () => {
    expect(parseSchedule('00:10:00').next(1_000)).toBe(601_000);
    expect(parseSchedule('00:00:30').frequent).toBe(true);
    expect(parseSchedule('*/10 * * * * *').frequent).toBe(true);
    expect(parseSchedule('0 * * * * *').frequent).toBe(false);
  });
});
