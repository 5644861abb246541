import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupByPlace, SAME_PLACE_M } from '../../../src/tools/gis/rainfall/duplicates.ts';
import { read, totals } from '../../unit/rainfall/support.ts';

const value = fc.oneof(
  fc.integer({ min: 0, max: 3000 }).map((tenths) => (tenths / 10).toFixed(1)),
  fc.constantFrom('', '-9999', 'T', 'NaN', '-1', 'x', '1e20', ' '),
);
const row = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  x: fc.integer({ min: 0, max: 6 }),
  y: fc.integer({ min: 0, max: 6 }),
  cell: value,
});
const file = (rows: readonly { id: string; x: number; y: number; cell: string }[]): string =>
  [
    'id,easting_lv95,northing_lv95,rain_mm',
    ...rows.map(({ id, x, y, cell }) => `${id},${2_600_000 + x * 400},${1_200_000 + y * 400},${cell}`),
    '',
  ].join('\n');

describe('reading a network', () => {
  it('every row is accepted or refused; accepted ids and places are unique; the sum is theirs', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const { report, stations } = read(file(rows));
        expect(report.rows_accepted + report.rows_rejected).toBe(rows.length);
        expect(report.rejected).toHaveLength(report.rows_rejected);
        expect(new Set(stations.map((station) => station.id)).size).toBe(stations.length);
        expect(new Set(stations.map((station) => `${station.x} ${station.y}`)).size).toBe(stations.length);
        expect(report.accepted_sum_mm).toBeCloseTo(
          stations.reduce((sum, station) => sum + station.mm, 0),
          2,
        );
        for (const station of stations) expect(station.mm).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('an accepted value stands in the file: nothing is averaged or invented (O-37)', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        for (const { id, mm } of read(file(rows)).stations) {
          expect(
            rows.some(
              (one) => one.id === id && (one.cell === 'T' ? 0 : Number(one.cell)) === mm && one.cell.trim() !== '',
            ),
          ).toBe(true);
        }
      }),
    );
  });

  it('the order of rows without conflicts does not matter', () => {
    const distinct = fc.uniqueArray(row, { selector: ({ x, y }) => `${x} ${y}`, maxLength: 20, minLength: 1 });
    fc.assert(
      fc.property(distinct, (rows) => {
        const named = rows.map((one, n) => ({ ...one, id: `s${n}` }));
        expect(totals(read(file(named)))).toEqual(totals(read(file(named.toReversed()))));
      }),
    );
  });

  it('unit and value in another unit are one value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), (tenths) => {
        const text = (heading: string, cell: string): string => `id,lon,lat,${heading}\na,9,46,${cell}\n`;
        expect(totals(read(text('rain_tenth_mm', String(tenths))))).toEqual(
          totals(read(text('rain_mm', (tenths / 10).toFixed(1)))),
        );
      }),
    );
  });

  it('a counter gives the rain that fell, wherever it starts and however often it is emptied', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ rain: fc.integer({ min: 0, max: 40 }), reset: fc.boolean() }), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.integer({ min: 500, max: 9000 }),
        (hours, start) => {
          let counter = start;
          let fallen = 0;
          const readings = [counter];
          for (const { rain, reset } of hours) {
            // A reset shows only when the counter falls by more than the noise that is ignored.
            if (reset && rain < counter - 2) counter = 0;
            counter += rain;
            fallen += rain;
            readings.push(counter);
          }
          const at = (n: number): string => new Date(Date.UTC(2026, 3, 1) + n * 3_600_000).toISOString();
          const text = [
            'id,lon,lat,time_utc,running_total_mm',
            ...readings.map((tenths, n) => `a,9,46,${at(n)},${(tenths / 10).toFixed(1)}`),
          ].join('\n');
          expect(totals(read(text))['a']).toBeCloseTo(fallen / 10, 6);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('same place', () => {
  it('members of a group lie within the tolerance of its first; firsts of groups do not', () => {
    const spot = fc.record({
      x: fc.double({ min: 0, max: 6, noNaN: true }),
      y: fc.double({ min: 0, max: 6, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 40 }), (spots) => {
        const groups = groupByPlace(spots, 'EPSG:2056');
        const firsts = groups.map(([first]) => first ?? { x: NaN, y: NaN });
        expect(groups.flat()).toHaveLength(spots.length);
        groups.forEach((group, n) => {
          for (const one of group)
            expect(Math.hypot(one.x - (firsts[n]?.x ?? 0), one.y - (firsts[n]?.y ?? 0))).toBeLessThanOrEqual(
              SAME_PLACE_M,
            );
        });
        firsts.forEach((a, n) => {
          for (const b of firsts.slice(n + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(SAME_PLACE_M);
        });
      }),
      { numRuns: 200 },
    );
  });
});
