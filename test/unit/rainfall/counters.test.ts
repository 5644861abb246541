import { describe, expect, it } from 'vitest';
import { codeOf, flags, read, reasons, totals } from './support.ts';

/** One station's running total, hourly from 06:00; empty = no reading, `skip` = no row. */
function counter(readings: readonly (number | '' | 'skip')[]): string {
  const rows = readings.flatMap((value, hour) =>
    value === 'skip' ? [] : [`a,8.9,46,2026-05-08T${String(6 + hour).padStart(2, '0')}:00:00Z,${value}`],
  );
  return ['id,lon,lat,time_utc,running_total_mm', ...rows, ''].join('\n');
}

describe('running totals', () => {
  it('the difference of last and first, wherever the counter starts', () => {
    const reading = read(counter([561.1, 561.5, 561.5, 563]));
    expect([totals(reading), flags(reading)]).toEqual([{ a: 1.9 }, []]);
    expect(reading.report.period_utc).toEqual(['2026-05-08T06:00:00Z', '2026-05-08T09:00:00Z']);
  });

  it('after a reset the reading counts', () => {
    const reading = read(counter([100, 102, 0.5, 1.5]));
    expect(totals(reading)).toEqual({ a: 3.5 });
    expect(reading.report.flagged).toEqual([
      { station_id: 'a', flag: 'COUNTER_RESET', at: '2026-05-08T08:00:00Z', mm: 3.5, last_minus_first_mm: -98.5 },
    ]);
  });

  it.each([
    [14.8, 'COUNTER_DIP_IGNORED', 6],
    [14.7, 'COUNTER_RESET', 5 + 14.7 + 1.3],
  ])('a fall from 15 to %d mm is %s', (low, flag, mm) => {
    const reading = read(counter([10, 15, low, 16]));
    expect(flags(reading)).toEqual([flag]);
    expect(totals(reading)).toEqual({ a: mm });
  });

  it('a gap without a reset loses nothing, as blank rows or as missing ones', () => {
    for (const hole of ['', 'skip'] as const) {
      const reading = read(counter([10, 11, hole, hole, 15, 16]));
      expect(totals(reading)).toEqual({ a: 6 });
      expect(reading.report.flagged[0]).toMatchObject({
        flag: 'COUNTER_GAP',
        at: '2026-05-08T08:00:00Z 2026-05-08T09:00:00Z',
      });
    }
  });

  it('a reset inside a gap leaves a lower bound: refused', () => {
    const reading = read(counter([10, 11, '', '', 3, 4]));
    expect(reading.report.rejected).toEqual([
      { station_id: 'a', lines: '2-7', reason: 'COUNTER_RESET_IN_GAP', lower_bound_mm: 5 },
    ]);
  });

  it('no reading at the start or at the end of the window', () => {
    expect(reasons(read(counter(['', 11, 12, 13])))).toEqual(['COUNTER_NO_START']);
    expect(reasons(read(counter([10, 11, 12, ''])))).toEqual(['COUNTER_NO_END']);
  });

  it('only the window counts, with the reading at its start as base', () => {
    const text = counter([10, 11, 13, 16, 20]);
    const reading = read(text, { window: { from: '2026-05-08T07:00:00Z', to: '2026-05-08T09:00:00Z' } });
    expect(totals(reading)).toEqual({ a: 5 });
    expect(reading.report.rows_outside_window).toBe(2);
  });

  it('the schema makes any column a counter', () => {
    const text = counter([10, 11, 12]).replace('running_total_mm', 'rain_mm');
    expect(totals(read(text, { schema: { valueKind: 'counter' } }))).toEqual({ a: 2 });
  });

  it('without times, or with one reading, there is no total', () => {
    expect(codeOf(() => read('id,lon,lat,running_total_mm\na,8.9,46,10\n'))).toBe('INVALID_ARGUMENT');
    expect(codeOf(() => read(counter([10])))).toBe('INVALID_ARGUMENT');
  });

  it('rows out of order are sorted by time', () => {
    const lines = counter([10, 11, 13]).trim().split('\n');
    const [head, ...rows] = lines;
    expect(totals(read([head, ...rows.reverse()].join('\n')))).toEqual({ a: 3 });
  });
});
