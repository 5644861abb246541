import { describe, expect, it } from 'vitest';
import { clocksChange, formatUtc, provenDayOrder, readTime } from '../../../src/tools/gis/rainfall/time.ts';

const utc = (cell: string, zone = 'UTC', order: 'dmy' | 'mdy' = 'dmy'): string | null => {
  const time = readTime(cell, zone, order);
  return time === null ? null : formatUtc(time.ms);
};

describe('times in cells', () => {
  it.each([
    ['2026-05-08T06:00:00Z', '2026-05-08T06:00:00Z'],
    ['2026-05-08 06:00', '2026-05-08T06:00:00Z'],
    ['2026-05-08T06:00:00+02:00', '2026-05-08T04:00:00Z'],
    ['2026-05-08 06:00:00.000', '2026-05-08T06:00:00Z'],
    ['08.05.2026 06:00', '2026-05-08T06:00:00Z'],
    ['8/5/2026 6:00', '2026-05-08T06:00:00Z'],
    ['202605080600', '2026-05-08T06:00:00Z'],
    ['20260508', '2026-05-08T00:00:00Z'],
    ['1778220000', '2026-05-08T06:00:00Z'],
    ['2026-05-08 24:00', '2026-05-09T00:00:00Z'],
  ])('%s', (cell, wanted) => {
    expect(utc(cell)).toBe(wanted);
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '31.04.2026',
    '2026-05-08 25:00',
    '2026-05-08 06:99',
    'noon',
    '',
    '2026',
    '0'.repeat(10_000),
  ])('refuses %s', (cell) => {
    expect(utc(cell)).toBeNull();
  });

  it('day and month by the order that the file proves', () => {
    expect(utc('03/04/2026', 'UTC', 'mdy')).toBe('2026-03-04T00:00:00Z');
    expect(provenDayOrder(['03/04/2026', '13/04/2026'])).toBe('dmy');
    expect(provenDayOrder(['03/04/2026', '04/13/2026'])).toBe('mdy');
    expect(provenDayOrder(['03/04/2026'])).toBeNull();
  });

  it('zones, offsets, and the two instants of a repeated hour', () => {
    expect(utc('2026-07-01 12:00', 'Europe/Rome')).toBe('2026-07-01T10:00:00Z');
    expect(utc('2026-01-01 12:00', 'Europe/Rome')).toBe('2026-01-01T11:00:00Z');
    expect(utc('2026-01-01 12:00', '+01:00')).toBe('2026-01-01T11:00:00Z');
    expect(utc('2026-01-01 12:00', 'Asia/Kolkata')).toBe('2026-01-01T06:30:00Z');
    const twice = readTime('2025-10-26 02:30', 'Europe/Rome', 'dmy');
    expect([twice?.ms, twice?.altMs].map((ms) => formatUtc(ms ?? 0))).toEqual([
      '2025-10-26T00:30:00Z',
      '2025-10-26T01:30:00Z',
    ]);
    expect(readTime('2026-03-29 02:30', 'Europe/Rome', 'dmy')?.altMs).toBeNull();
  });

  it('finds changes of clocks', () => {
    const [from, to] = [Date.parse('2026-03-28T12:00:00Z'), Date.parse('2026-03-29T12:00:00Z')];
    expect(clocksChange(from, to, 'Europe/Rome')).toBe(true);
    expect(clocksChange(from, to, 'UTC')).toBe(false);
    expect(clocksChange(to, to + 86_400_000, 'Europe/Rome')).toBe(false);
  });
});
