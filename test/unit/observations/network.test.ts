import { describe, expect, it } from 'vitest';
import type { Station } from '../../../src/tools/gis/formats.ts';
import { median, nearestOthers, planePositions } from '../../../src/tools/gis/observations/neighbours.ts';
import { networkMarks } from '../../../src/tools/gis/observations/network.ts';

const CRS = 'EPSG:2056';

/** A grid of gauges 5 km apart with a smooth field; `change` sets single values. */
function grid(change: Record<number, number> = {}, n = 6): Station[] {
  return Array.from({ length: n * n }, (_, k) => {
    const [column, row] = [k % n, Math.floor(k / n)];
    return {
      id: `s${k}`,
      x: 2_600_000 + column * 5000,
      y: 1_200_000 + row * 5000,
      mm: change[k] ?? 20 + column * 2 + row,
    };
  });
}
const line = (dy: (n: number) => number): Station[] =>
  Array.from({ length: 10 }, (_, n) => ({ id: `s${n}`, x: 2_600_000 + n * 1000, y: 1_200_000 + dy(n), mm: 5 }));
const flags = (stations: Station[], crs = CRS): unknown[] =>
  networkMarks(stations, crs).map(({ station, flag }) => [station, flag]);

describe('marks of the network', () => {
  it('a smooth field carries none', () => {
    expect(flags(grid())).toEqual([]);
  });

  it.each([
    [14, 180, 'OUTLIER'],
    [14, 0, 'STUCK_ZERO'],
    [0, 150, 'OUTLIER'],
  ])('gauge %d at %d mm is %s', (station, mm, flag) => {
    expect(flags(grid({ [station]: mm }))).toEqual([[station, flag]]);
  });

  it('a wet place among dry ones below the least difference is weather', () => {
    const dry = grid().map((station, n) => ({ ...station, mm: n === 14 ? 12 : 0 }));
    expect(flags(dry)).toEqual([]);
  });

  it('zero among zeros is no stuck gauge', () => {
    expect(flags(grid().map((station) => ({ ...station, mm: 0 })))).toEqual([]);
  });

  it('the outlier does not mark its neighbours', () => {
    const marks = networkMarks(grid({ 14: 500 }), CRS);
    expect(marks).toHaveLength(1);
    expect(marks[0]?.detail).toMatchObject({ mm: 500 });
    expect(marks[0]?.detail['neighbours_median_mm']).toBeCloseTo(26, 0);
  });

  it('positions on one line, and nearly so', () => {
    expect(flags(line(() => 0))).toEqual([[null, 'COLLINEAR']]);
    expect(flags(line((n) => n * 500))).toEqual([[null, 'COLLINEAR']]);
    expect(flags(line((n) => (n % 2) * 200))).toEqual([[null, 'POOR_SPREAD']]);
    expect(flags(line((n) => (n % 2) * 4000))).toEqual([]);
  });

  it('the same in degrees', () => {
    const stations = grid({ 14: 180 }).map((station) => ({
      ...station,
      x: 8 + (station.x - 2_600_000) / 77_000,
      y: 46 + (station.y - 1_200_000) / 111_000,
    }));
    expect(flags(stations, 'EPSG:4326')).toEqual([[14, 'OUTLIER']]);
  });

  it('few gauges are not judged by each other', () => {
    expect(flags(grid({ 0: 900 }, 2))).toEqual([]);
  });
});

describe('neighbours', () => {
  it('are the nearest others, never oneself, also at one place', () => {
    expect(
      nearestOthers(
        [
          [0, 0],
          [1, 0],
          [5, 0],
        ],
        2,
      ),
    ).toEqual([
      [1, 2],
      [0, 2],
      [1, 0],
    ]);
    expect(
      nearestOthers(
        [
          [0, 0],
          [0, 0],
        ],
        3,
      ),
    ).toEqual([[1], [0]]);
    expect(nearestOthers([], 3)).toEqual([]);
  });

  it('median of odd and even counts', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
  });

  it('a degree of longitude shrinks with latitude', () => {
    const [a, b] = planePositions(
      [
        { id: 'a', x: 0, y: 60, mm: 0 },
        { id: 'b', x: 1, y: 60, mm: 0 },
      ],
      'EPSG:4326',
    );
    expect((b?.[0] ?? 0) - (a?.[0] ?? 0)).toBeCloseTo(55_660, -2);
  });
});
