import { describe, expect, it } from 'vitest';
import type { Geometry } from 'geojson';
import { createFootprints } from '../../../../src/tools/gis/exposure/cells.ts';
import { areaOf } from '../../../../src/tools/gis/exposure/polygonCells.ts';
import type { Grid } from '../../../../src/tools/gis/raster/grid.ts';

/** 10 × 10 cells of 10 m; x to the right from 0, y down from 100. */
const grid: Grid = { width: 10, height: 10, originX: 0, originY: 100, cellSize: 10, crs: 'EPSG:2056' };
const footprint = createFootprints(grid);
const cellsOf = (geometry: Geometry): Record<string, number> =>
  Object.fromEntries([...footprint(geometry).cells].map(([cell, part]) => [cell, Math.round(part * 1e6) / 1e6]));
const box = (x0: number, y0: number, x1: number, y1: number): number[][] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
  [x0, y0],
];

describe('points', () => {
  it('lie in the cell that contains them', () => {
    expect(footprint({ type: 'Point', coordinates: [25, 95, 1234] })).toMatchObject({ kind: 'count', total: 1 });
    expect(cellsOf({ type: 'Point', coordinates: [25, 95] })).toEqual({ 2: 1 });
  });

  it('of a multi point count each, those outside the grid only in the whole', () => {
    const many: Geometry = {
      type: 'MultiPoint',
      coordinates: [
        [5, 95],
        [6, 96],
        [500, 500],
      ],
    };
    expect(cellsOf(many)).toEqual({ 0: 2 });
    expect(footprint(many).total).toBe(3);
  });
});

describe('lines', () => {
  it('have their length in each cell', () => {
    expect(
      cellsOf({
        type: 'LineString',
        coordinates: [
          [5, 95],
          [35, 95],
        ],
      }),
    ).toEqual({ 0: 5, 1: 10, 2: 10, 3: 5 });
  });

  it('add up to their whole length on a slant, over corners and along edges', () => {
    for (const path of [
      [
        [0, 100],
        [100, 0],
      ],
      [
        [3, 7],
        [97, 88],
        [50, 12],
      ],
      [
        [10, 95],
        [10, 5],
      ],
      [
        [0, 50],
        [100, 50],
      ],
    ]) {
      const { cells, total } = footprint({ type: 'LineString', coordinates: path });
      const sum = [...cells.values()].reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(total, 9);
    }
  });

  it('leave the part outside the grid out of the cells, not out of the whole', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [-50, 95],
        [15, 95],
      ],
    };
    expect(footprint(line).total).toBe(65);
    expect(cellsOf(line)).toEqual({ 0: 10, 1: 5 });
  });

  it('far beyond the grid cost nothing', () => {
    const start = performance.now();
    expect(
      footprint({
        type: 'LineString',
        coordinates: [
          [-1e15, 55],
          [1e15, 55],
        ],
      }).cells.size,
    ).toBe(10);
    expect(
      footprint({
        type: 'LineString',
        coordinates: [
          [-1e15, 1e15],
          [1e15, 1e15],
        ],
      }).cells.size,
    ).toBe(0);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('of two equal positions are no line', () => {
    expect(
      footprint({
        type: 'LineString',
        coordinates: [
          [5, 5],
          [5, 5],
        ],
      }).total,
    ).toBe(0);
  });

  it('are measured along the ground in a grid of degrees', () => {
    const degrees = createFootprints({
      width: 10,
      height: 10,
      originX: 8,
      originY: 48,
      cellSize: 0.1,
      crs: 'EPSG:4326',
    });
    const { total } = degrees({
      type: 'LineString',
      coordinates: [
        [8, 47.5],
        [8, 47.6],
      ],
    });
    expect(total).toBeGreaterThan(11_100);
    expect(total).toBeLessThan(11_140);
  });
});

describe('polygons', () => {
  it('have the cells whose centre they hold', () => {
    expect(cellsOf({ type: 'Polygon', coordinates: [box(0, 80, 20, 100)] })).toEqual({ 0: 1, 1: 1, 10: 1, 11: 1 });
  });

  it('have no cells in their holes', () => {
    const ring: Geometry = { type: 'Polygon', coordinates: [box(0, 70, 30, 100), box(10, 80, 20, 90)] };
    expect(Object.keys(cellsOf(ring))).toHaveLength(8);
    expect(cellsOf(ring)[11]).toBeUndefined();
  });

  it('do not care which way their rings run', () => {
    const reversed = [box(0, 80, 20, 100).reverse()];
    expect(cellsOf({ type: 'Polygon', coordinates: reversed })).toEqual({ 0: 1, 1: 1, 10: 1, 11: 1 });
    expect(areaOf(reversed)).toBe(400);
  });

  it('smaller than a cell are judged at a point inside, and say so', () => {
    const tiny = footprint({ type: 'Polygon', coordinates: [box(21, 91, 22, 92)] });
    expect(tiny).toMatchObject({ smallerThanCell: true, total: 1 });
    expect([...tiny.cells]).toEqual([[2, 1]]);
  });

  it('shaped like a U get a point inside, not in the gap', () => {
    const u = [
      [
        [20.5, 95],
        [21, 95],
        [21, 91],
        [28, 91],
        [28, 95],
        [28.5, 95],
        [28.5, 90.5],
        [20.5, 90.5],
        [20.5, 95],
      ],
    ];
    const { cells, smallerThanCell } = footprint({ type: 'Polygon', coordinates: u });
    expect([smallerThanCell, [...cells.keys()]]).toEqual([true, [2]]);
  });

  it('that hang over the edge are not taken for whole', () => {
    const { cells, total } = footprint({ type: 'Polygon', coordinates: [box(-100, 0, 100, 100)] });
    expect(cells.size).toBe(100);
    expect(total).toBe(200);
  });

  it('count a shared cell of two parts once', () => {
    const two: Geometry = { type: 'MultiPolygon', coordinates: [[box(0, 80, 20, 100)], [box(0, 80, 20, 100)]] };
    expect(footprint(two).total).toBe(4);
  });

  it('round the world with few corners cost nothing', () => {
    const start = performance.now();
    expect(footprint({ type: 'Polygon', coordinates: [box(-1e12, -1e12, 1e12, 1e12)] }).cells.size).toBe(100);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('what is no place', () => {
  it.each<[string, Geometry | null]>([
    ['null', null],
    ['an empty point', { type: 'Point', coordinates: [] }],
    ['an empty line', { type: 'LineString', coordinates: [] }],
    ['an empty polygon', { type: 'Polygon', coordinates: [] }],
    ['a polygon with an empty ring', { type: 'Polygon', coordinates: [[]] }],
    [
      'a polygon of two corners',
      {
        type: 'Polygon',
        coordinates: [
          [
            [1, 1],
            [2, 2],
          ],
        ],
      },
    ],
    ['an empty collection', { type: 'GeometryCollection', geometries: [] }],
  ])('%s has no footprint and does not crash', (_name, geometry) => {
    const { cells, total } = footprint(geometry);
    expect([cells.size, total]).toEqual([0, 0]);
  });

  it('a collection is judged by its parts of the highest dimension', () => {
    const mixed: Geometry = {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [95, 5] },
        {
          type: 'LineString',
          coordinates: [
            [5, 95],
            [15, 95],
          ],
        },
      ],
    };
    expect(footprint(mixed).kind).toBe('length_m');
    expect(cellsOf(mixed)).toEqual({ 0: 5, 1: 5 });
  });
});
