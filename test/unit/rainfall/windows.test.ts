import { describe, expect, it } from 'vitest';
import { codeOf, flags, messageOf, NOW, read, reasons, totals } from './support.ts';

const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** Hourly sums ending at each hour up to `end`, station → values (`null` = no row). */
function hourly(
  end: number,
  stations: Record<string, readonly (number | string | null)[]>,
  header = 'id,lon,lat,time_utc,rain_mm',
): string {
  const rows = Object.entries(stations).flatMap(([id, values], n) =>
    values.flatMap((value, hour) =>
      value === null ? [] : [`${id},${8.9 + n / 10},46,${iso(end - (values.length - 1 - hour) * HOUR)},${value}`],
    ),
  );
  return [header, ...rows, ''].join('\n');
}
const day = (value: number | string): (number | string)[] => Array.from({ length: 24 }, () => value);

describe('hourly sums', () => {
  it('the last 24 hours are the last 24 complete ones', () => {
    const text = hourly(NOW, { a: [100, ...day(1)], b: [100, ...day(0)] });
    for (const minutes of [0, 1, 29, 31, 59]) {
      const reading = read(text, { hours: 24 }, NOW + minutes * 60_000);
      expect(totals(reading)).toEqual({ a: 24, b: 0 });
      expect(reading.report.period_utc).toEqual([iso(NOW - 24 * HOUR), iso(NOW)]);
      expect(reading.report.rows_outside_window).toBe(2);
    }
  });

  it('O-37 a missing hour is not zero: the station is refused with what is known', () => {
    const values: (number | string | null)[] = day(1);
    for (const hole of [null, '', '-9999'] as const) {
      values[5] = hole;
      const reading = read(hourly(NOW, { a: day(1), b: values }), { hours: 24 });
      expect(totals(reading)).toEqual({ a: 24 });
      const refused = reading.report.rejected.find((entry) => entry.reason === 'INCOMPLETE_WINDOW');
      expect(refused).toMatchObject({ station_id: 'b', intervals: 23, expected: 24, lower_bound_mm: 23 });
    }
  });

  it('O-37 29 valid days and a missing one are no month of rain', () => {
    const days = Array.from(
      { length: 30 },
      (_, n) => `a,8.9,46,2026-04-${String(n + 1).padStart(2, '0')},${n === 12 ? '' : 3}`,
    );
    const reading = read(['id,lon,lat,date,rain_mm', ...days].join('\n'), {
      window: { from: '2026-04-01T00:00:00Z', to: '2026-05-01T00:00:00Z' },
    });
    expect(totals(reading)).toEqual({});
    expect(reading.report.rejected.at(-1)?.reason ?? '').toMatch(/MISSING_BLANK|INCOMPLETE_WINDOW/);
    expect(reading.report.counts['INCOMPLETE_WINDOW']).toBe(1);
  });

  it('times may name the start of their hour', () => {
    const text = hourly(NOW - HOUR, { a: day(1) });
    expect(totals(read(text, { hours: 24, schema: { timeLabel: 'start' } }))).toEqual({ a: 24 });
    expect(reasons(read(text, { hours: 24 }))).toEqual(['INCOMPLETE_WINDOW']);
  });

  it('rates are summed over their steps', () => {
    const text = hourly(NOW, { a: [2, 2, 4, 0] }, 'id,lon,lat,time_utc,rain mm/h').replace(
      /T(\d\d):00:00Z/g,
      (all) => all,
    );
    expect(totals(read(text))).toEqual({ a: 8 });
    const half = text.replace(
      /T(\d\d):00:00Z/g,
      (_, hour: string) => `T09:${String((Number(hour) - 9) * 15).padStart(2, '0')}:00Z`,
    );
    expect(totals(read(half))).toEqual({ a: 2 });
  });

  it('a time twice: equal values count once, different ones refuse the hour', () => {
    const text = hourly(NOW, { a: [1, 2, 3] });
    const [header, ...rows] = text.trim().split('\n');
    expect(totals(read([header, ...rows, rows[1]].join('\n')))).toEqual({ a: 6 });
    const changed = read([header, ...rows, rows[1]?.replace(/,2$/, ',7')].join('\n'));
    expect(totals(changed)).toEqual({});
    expect(changed.report.counts).toMatchObject({ DUPLICATE_CONFLICT: 2, INCOMPLETE_WINDOW: 1 });
  });

  it('a window the file does not cover is refused with what it covers', () => {
    const text = hourly(NOW - 72 * HOUR, { a: day(1) });
    expect(codeOf(() => read(text, { hours: 24 }))).toBe('WINDOW_MISMATCH');
    expect(messageOf(() => read(text, { hours: 24 }))).toContain(iso(NOW - 72 * HOUR));
  });

  it('daily sums cannot answer for an arbitrary 24 hours', () => {
    const text = 'id,lon,lat,date,rain_mm\na,8.9,46,2026-05-08,3\na,8.9,46,2026-05-09,4\n';
    expect(codeOf(() => read(text, { hours: 24 }))).toBe('WINDOW_MISMATCH');
    expect(totals(read(text, { window: { from: '2026-05-09T00:00:00Z', to: '2026-05-10T00:00:00Z' } }))).toEqual({
      a: 4,
    });
  });
});

describe('files without times', () => {
  const text = 'id,lon,lat,rain_mm\na,8.9,46,3\n';
  const window = { from: '2026-05-09T12:00:00Z', to: '2026-05-10T12:00:00Z' };

  it('hours alone say nothing about such a file', () => {
    expect(codeOf(() => read(text, { hours: 24 }))).toBe('WINDOW_MISMATCH');
  });

  it('the schema states the window; it must be the one asked for', () => {
    const reading = read(text, { hours: 24, schema: { window } });
    expect(reading.report.period_utc).toEqual([window.from, window.to]);
    expect(reading.report.assumptions.join(' ')).toContain('schema.window');
    expect(
      codeOf(() =>
        read(text, { hours: 24, schema: { window: { from: '1986-05-08T06:00:00Z', to: '1986-05-09T06:00:00Z' } } }),
      ),
    ).toBe('WINDOW_MISMATCH');
  });

  it('an explicit window in the call is a statement, and said to be one', () => {
    const reading = read(text, { window });
    expect(reading.report.period_utc).toEqual([window.from, window.to]);
    expect(reading.report.assumptions.join(' ')).toContain('the call asks for');
  });

  it('no window anywhere: none is invented', () => {
    expect(read(text).report.period_utc).toBeNull();
  });

  it('rates need a window', () => {
    const rates = text.replace('rain_mm', 'rain_mm/h');
    expect(codeOf(() => read(rates))).toBe('WINDOW_MISMATCH');
    expect(totals(read(rates, { window }))).toEqual({ a: 72 });
  });

  it('hours and window together, or a window upside down, are refused', () => {
    expect(codeOf(() => read(text, { hours: 24, window }))).toContain('not both');
    expect(codeOf(() => read(text, { window: { from: window.to, to: window.from } }))).toContain('before');
  });
});

describe('local time', () => {
  it('labels of a zone become UTC, and a day with a change of clocks is marked', () => {
    const local = Array.from(
      { length: 23 },
      (_, n) => `a,8.9,46,2026-03-29 ${String(n < 2 ? n : n + 1).padStart(2, '0')}:00,1`,
    );
    const text = ['id,lon,lat,time,rain_mm', ...local, ''].join('\n');
    const reading = read(text, { schema: { timeZone: 'Europe/Rome', timeLabel: 'start' } });
    expect(reading.report.period_utc).toEqual(['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']);
    expect([totals(reading), flags(reading)]).toEqual([{ a: 23 }, ['DST_DAY']]);
  });

  it('the repeated hour in autumn is two hours', () => {
    const hours = [0, 1, 2, 2, 3, 4].map((h, n) => `a,8.9,46,2025-10-26 0${h}:00,${n + 1}`);
    const reading = read(['id,lon,lat,time,rain_mm', ...hours, ''].join('\n'), {
      schema: { timeZone: 'Europe/Rome', timeLabel: 'start' },
    });
    expect(totals(reading)).toEqual({ a: 21 });
  });

  it('no offset and no zone: UTC, and it is said', () => {
    const reading = read('id,lon,lat,time,rain_mm\na,8.9,46,2026-05-10 10:00,1\na,8.9,46,2026-05-10 11:00,1\n');
    expect(reading.report.assumptions.join(' ')).toContain('taken as UTC');
  });

  it('an unknown zone is refused', () => {
    const text = 'id,lon,lat,time,rain_mm\na,8.9,46,2026-05-10 10:00,1\n';
    expect(codeOf(() => read(text, { schema: { timeZone: 'Mars/Olympus' } }))).toBe('INVALID_ARGUMENT');
  });
});
