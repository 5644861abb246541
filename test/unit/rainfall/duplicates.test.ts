import { describe, expect, it } from 'vitest';
import { groupByPlace } from '../../../src/tools/gis/rainfall/duplicates.ts';
import { read, reasons, totals } from './support.ts';

const lv95 = (list: readonly (readonly [id: string, x: number, y: number, mm: number])[]): string =>
  ['id,easting_lv95,northing_lv95,rain_mm', ...list.map((row) => row.join(',')), ''].join('\n');
const [X, Y] = [2_600_000, 1_200_000];

describe('one place, one value', () => {
  it('within a metre and equal: the first stays', () => {
    const reading = read(
      lv95([
        ['a', X, Y, 5],
        ['b', X + 0.7, Y + 0.7, 5],
        ['c', X + 1.2, Y, 5],
      ]),
    );
    expect(reading.report.rejected).toMatchObject([
      { line: 3, station_id: 'b', reason: 'DUPLICATE_SAME_VALUE', with: 'a' },
    ]);
    expect(Object.keys(totals(reading))).toEqual(['a', 'c']);
  });

  it('different values: both refused, never averaged', () => {
    const reading = read(
      lv95([
        ['a', X, Y, 5],
        ['b', X, Y, 9],
        ['c', X + 500, Y, 1],
      ]),
    );
    expect(reasons(reading)).toEqual(['DUPLICATE_CONFLICT', 'DUPLICATE_CONFLICT']);
    expect(totals(reading)).toEqual({ c: 1 });
  });

  it('of three entries, one that differs makes all doubtful', () => {
    const text = lv95([
      ['a', X, Y, 5],
      ['b', X, Y, 5],
      ['c', X, Y, 6],
    ]);
    expect(read(text).report.counts).toEqual({ DUPLICATE_CONFLICT: 3 });
    expect(totals(read(text, { choices: [{ code: 'DUPLICATE_CONFLICT', action: 'keepSecond' }] }))).toEqual({ b: 5 });
  });

  it('drop decides that neither is used', () => {
    const reading = read(
      lv95([
        ['a', X, Y, 5],
        ['b', X, Y, 9],
      ]),
      { choices: [{ code: 'DUPLICATE_CONFLICT', stationId: 'b', action: 'drop' }] },
    );
    expect(totals(reading)).toEqual({});
    expect(reading.report.choices_applied).toHaveLength(1);
  });

  it('the same id at two places has moved: refused until a person chooses', () => {
    const text = lv95([
      ['a', X, Y, 5],
      ['a', X + 4000, Y, 9],
      ['b', X + 9000, Y, 1],
    ]);
    expect(reasons(read(text))).toEqual(['STATION_MOVED', 'STATION_MOVED']);
    expect(totals(read(text, { choices: [{ code: 'STATION_MOVED', stationId: 'a', action: 'keepSecond' }] }))).toEqual({
      a: 9,
      b: 1,
    });
  });

  it('the same id twice at one place is a duplicate, not a move', () => {
    expect(
      reasons(
        read(
          lv95([
            ['a', X, Y, 5],
            ['a', X, Y, 5],
          ]),
        ),
      ),
    ).toEqual(['DUPLICATE_SAME_VALUE']);
  });

  it('in degrees a metre is a metre', () => {
    const text = 'id,lon,lat,rain_mm\na,8.9,46,1\nb,8.900009,46,1\nc,8.90003,46,1\n';
    expect(Object.keys(totals(read(text)))).toEqual(['a', 'c']);
  });

  it('a hundred thousand entries at distinct places are compared in a moment', () => {
    const places = Array.from({ length: 100_000 }, (_, n) => ({
      x: 2_500_000 + (n % 400) * 3,
      y: 1_100_000 + Math.floor(n / 400) * 3,
    }));
    const start = performance.now();
    expect(groupByPlace(places, 'EPSG:2056')).toHaveLength(100_000);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('ids that are property names of objects are ordinary ids', () => {
    const text = lv95([
      ['__proto__', X, Y, 5],
      ['constructor', X + 50, Y, 6],
      ['toString', X + 100, Y, 7],
    ]);
    const { report, stations } = read(text);
    expect(stations.map((station) => station.id)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(JSON.stringify(report.accepted_mm)).toBe('{"__proto__":5,"constructor":6,"toString":7}');
  });
});
