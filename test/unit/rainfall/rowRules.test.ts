import { describe, expect, it } from 'vitest';
import { flags, gauges, NOW, read, reasons, totals } from './support.ts';
import { absurdAbove, judgeQuality, readRainCell } from '../../../src/tools/gis/rainfall/values.ts';

describe('O-37 a missing value is never a number', () => {
  it.each(['-9999', '-9999.0', '-999', '-99.9', '99999', '9999', '999.9', 'NaN', 'NA', 'n/a', 'null', 'M', '-', '---'])(
    'sentinel %s is refused, not read and not zero',
    (cell) => {
      const reading = read(gauges([cell, '4']));
      expect(reasons(reading)).toEqual(['MISSING_SENTINEL']);
      expect(totals(reading)).toEqual({ s2: 4 });
    },
  );

  it('O-37 blank is refused as blank', () => {
    expect(read(gauges(['', '   ', '1'])).report.counts).toEqual({ MISSING_BLANK: 2 });
  });

  it('O-37 an undeclared fill value of any size is refused', () => {
    expect(reasons(read(gauges(['1e20', '-3.4e38', '3'])))).toEqual(['ABSURD_VALUE', 'ABSURD_VALUE']);
  });

  it('O-37 all missing: nothing is accepted and the sum is over nothing', () => {
    const { report } = read(gauges(['', '-9999', 'NaN']));
    expect([report.accepted_count, report.accepted_max_mm]).toEqual([0, null]);
    expect(report.accepted_mm).toEqual({});
  });
});

describe('values', () => {
  it.each(['T', 't', ' T', 'Tr', 'trace'])('trace %j is zero with a mark', (cell) => {
    const reading = read(gauges([cell, '1']));
    expect(totals(reading)).toEqual({ s1: 0, s2: 1 });
    expect(reading.report.flagged).toEqual([{ line: 2, station_id: 's1', flag: 'TRACE_AS_ZERO', value: cell, mm: 0 }]);
    expect(reading.stations[0]?.flags).toEqual(['TRACE_AS_ZERO']);
  });

  it('a person may drop what is marked', () => {
    const reading = read(gauges(['T', '1']), { choices: [{ code: 'TRACE_AS_ZERO', action: 'drop' }] });
    expect(totals(reading)).toEqual({ s2: 1 });
    expect(reasons(reading)).toEqual(['TRACE_AS_ZERO']);
    expect(reading.report.choices_applied).toEqual([{ code: 'TRACE_AS_ZERO', station_id: 's1', action: 'drop' }]);
  });

  it.each([
    ['-3', 'NEGATIVE'],
    ['-0.1', 'NEGATIVE'],
    ['2500', 'ABSURD_VALUE'],
    ['12 mm', 'VALUE_UNREADABLE'],
    ['=1+1', 'VALUE_UNREADABLE'],
    ['0x10', 'VALUE_UNREADABLE'],
    ['1e3x', 'VALUE_UNREADABLE'],
    ['Infinity', 'VALUE_UNREADABLE'],
  ])('%s is refused as %s', (cell, code) => {
    expect(reasons(read(gauges([cell, '1'])))).toEqual([code]);
  });

  it('an hour has a lower limit than a day', () => {
    expect([absurdAbove(1), absurdAbove(24), absurdAbove(null), absurdAbove(48)]).toEqual([500, 1900, 1900, 3800]);
  });

  it('a counter may read what would be a sentinel elsewhere', () => {
    expect(readRainCell('9999', '.', true)).toMatchObject({ kind: 'value', value: 9999 });
    expect(readRainCell('-9999', '.', true)).toEqual({ kind: 'missing', code: 'MISSING_SENTINEL' });
  });
});

describe('positions, elevations, times, quality', () => {
  it('0,0 and missing coordinates', () => {
    const text = 'id,lon,lat,rain_mm\na,0,0,1\nb,,46,2\nc,8.9,abc,3\nd,8.9,46,4\n';
    expect(reasons(read(text))).toEqual(['ZERO_ZERO', 'COORD_MISSING', 'COORD_MISSING']);
  });

  it('an absurd elevation is left out and marked, a missing one is not', () => {
    const text = 'id,lon,lat,altitude_m,rain_mm\na,8.9,46,12000,1\nb,8.91,46,-9999,2\nc,8.92,46,300,3\n';
    const reading = read(text);
    expect(flags(reading)).toEqual(['ELEVATION_ABSURD']);
    expect(reading.stations.map((station) => station.elevationM)).toEqual([undefined, undefined, 300]);
  });

  it('a row from the future is refused; minutes ahead are a fast clock', () => {
    const at = (ms: number): string => new Date(ms).toISOString();
    const text = `id,lon,lat,time,rain_mm\na,8.9,46,${at(NOW + 86_400_000)},1\nb,8.91,46,${at(NOW + 300_000)},2\nc,8.92,46,yesterday,3\n`;
    expect(reasons(read(text))).toEqual(['FUTURE_TIME', 'TIME_UNREADABLE']);
  });

  it('quality marks: known bad ones refused, unknown ones marked, a stated list decides', () => {
    const text = 'id,lon,lat,rain_mm,quality\na,8.9,46,1,V\nb,8.91,46,2,X\nc,8.92,46,3,weird\n';
    const plain = read(text);
    expect([reasons(plain), flags(plain)]).toEqual([['QUALITY_FAILED'], ['QUALITY_UNKNOWN']]);
    const stated = read(text, { schema: { quality: { column: 'quality', accept: ['weird'] } } });
    expect(totals(stated)).toEqual({ c: 3 });
    expect(judgeQuality(' VA ', null)).toBe('good');
  });

  it('every row is accounted for, whatever is wrong with it', () => {
    const { report } = read(gauges(['1', '', '-9999', 'T', '-1', 'x', '3000', '2']));
    expect(report.rows_accepted + report.rows_rejected).toBe(report.rows_total);
    expect(report.rejected).toHaveLength(report.rows_rejected);
  });
});
