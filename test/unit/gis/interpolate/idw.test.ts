import { describe, expect, it } from 'vitest';
import {
  defaultMaxDistance,
  defaultResolution,
  gridOver,
  niceCeil,
} from '../../../../src/tools/gis/interpolate/chooseGrid.ts';
import { fitErrorModel } from '../../../../src/tools/gis/interpolate/errorModel.ts';
import { toColumns, type Gauge } from '../../../../src/tools/gis/interpolate/gauges.ts';
import { createEstimator, idwSurface, type MaskOptions } from '../../../../src/tools/gis/interpolate/idw.ts';
import { candidateLists, nearestSquared } from '../../../../src/tools/gis/interpolate/nearestOnGrid.ts';
import { weightFunction } from '../../../../src/tools/gis/interpolate/weights.ts';
import type { Grid } from '../../../../src/tools/gis/raster/grid.ts';
import { codeOf } from '../../../support/gis/inputs.ts';

const gauges: Gauge[] = [
  { id: 'a', x: 0, y: 0, mm: 10 },
  { id: 'b', x: 1000, y: 0, mm: 30 },
  { id: 'c', x: 0, y: 1000, mm: 20 },
  { id: 'd', x: 700, y: 900, mm: 0 },
];
const grid: Grid = { width: 37, height: 41, originX: -500, originY: 1600, cellSize: 50, crs: 'EPSG:2056' };
const options: MaskOptions = { power: 2, neighbours: 0, maxDistanceM: 1e6, supportM: 0 };
const columns = toColumns(gauges);
const model = fitErrorModel(columns, options);

describe('estimate at a place', () => {
  it('is the weighted mean by hand', () => {
    const at = createEstimator(columns, model, options)(500, 0);
    const w = gauges.map(({ x, y }) => 1 / ((x - 500) ** 2 + y ** 2));
    const expected = gauges.reduce((sum, { mm }, i) => sum + w[i]! * mm, 0) / w.reduce((a, b) => a + b);
    expect(at.mm).toBeCloseTo(expected, 12);
  });

  it('is the gauge at a gauge, with no error there', () => {
    const estimate = createEstimator(columns, model, options);
    for (const { x, y, mm } of gauges) expect(estimate(x, y)).toEqual({ mm, se: 0 });
  });

  it('is the mean of gauges that share the place', () => {
    const twin = toColumns([...gauges, { id: 'a2', x: 0, y: 0, mm: 14 }]);
    expect(createEstimator(twin, fitErrorModel(twin, options), options)(0, 0).mm).toBe(12);
  });

  it('has an error that grows away from a gauge', () => {
    const estimate = createEstimator(columns, model, options);
    const errors = [1, 10, 50, 100, 200].map((offset) => estimate(-offset, -offset).se);
    for (let i = 1; i < errors.length; i += 1) expect(errors[i]).toBeGreaterThan(errors[i - 1]!);
  });

  it('does not let the error of a cell shrink below that of half a cell', () => {
    const point = createEstimator(columns, model, options)(1, 0).se;
    const cell = createEstimator(columns, model, { ...options, supportM: 25 })(1, 0).se;
    expect(cell).toBeCloseTo(point * 5, 9);
  });

  it('has nothing beyond the mask, neither value nor error', () => {
    expect(createEstimator(columns, model, { ...options, maxDistanceM: 100 })(500, 400)).toEqual({ mm: NaN, se: NaN });
  });

  it('uses only the nearest gauges when told to', () => {
    const one = createEstimator(columns, model, { ...options, neighbours: 1 });
    expect(one(10, 10).mm).toBe(10);
    expect(one(990, 10).mm).toBe(30);
    const most = createEstimator(columns, model, { ...options, neighbours: 99 });
    expect(most(400, 300)).toEqual(createEstimator(columns, model, options)(400, 300));
  });

  it('goes to the nearest gauge for large powers and to the mean for small ones', () => {
    const at = (power: number): number => createEstimator(columns, model, { ...options, power })(100, 80).mm;
    expect(at(8)).toBeCloseTo(10, 2);
    expect(Math.abs(at(0.5) - 15)).toBeLessThan(Math.abs(at(2) - 15));
  });
});

describe('surface', () => {
  it.each([
    [2, 0],
    [2, 3],
    [3, 0],
    [1, 0],
    [2.5, 2],
    [4, 0],
  ])('power %d, neighbours %d: every cell equals the estimate at its centre', (power, neighbours) => {
    const chosen = { ...options, power, neighbours, maxDistanceM: 450, supportM: 25 };
    const fitted = fitErrorModel(columns, chosen);
    const { rain, se } = idwSurface(columns, fitted, grid, chosen);
    const estimate = createEstimator(columns, fitted, chosen);
    for (let cell = 0; cell < rain.length; cell += 1) {
      const x = grid.originX + ((cell % grid.width) + 0.5) * grid.cellSize;
      const y = grid.originY - (Math.floor(cell / grid.width) + 0.5) * grid.cellSize;
      const { mm, se: error } = estimate(x, y);
      expect(rain[cell]).toBe(Math.fround(mm));
      expect(se[cell]).toBe(Math.fround(error));
    }
    expect(rain.some((value) => Number.isNaN(value))).toBe(true);
  });

  it('takes a gauge exactly in the centre of a cell', () => {
    const { rain } = idwSurface(columns, model, { ...grid, originX: -25, originY: 25, width: 1, height: 1 }, options);
    expect([...rain]).toEqual([10]);
  });

  it('never clips gauges that are not negative', () => {
    expect(idwSurface(columns, model, grid, options).clipped).toBe(0);
  });

  it('clips and counts what falls below zero', () => {
    const negative = toColumns([...gauges, { id: 'e', x: 300, y: 300, mm: -50 }]);
    const surface = idwSurface(negative, fitErrorModel(negative, options), grid, options);
    expect(surface.clipped).toBeGreaterThan(0);
    expect(Math.min(...surface.rain)).toBe(0);
    expect(surface.rain.filter((value) => value === 0).length).toBe(surface.clipped);
  });
});

describe('nearest gauge of a cell', () => {
  it('is found among the candidates of its block, everywhere', () => {
    for (let row = 0; row < grid.height; row += 1) {
      const lists = candidateLists(columns, grid, row - (row % 16), Infinity);
      for (let column = 0; column < grid.width; column += 1) {
        const x = grid.originX + (column + 0.5) * grid.cellSize;
        const y = grid.originY - (row + 0.5) * grid.cellSize;
        const expected = Math.min(...gauges.map((gauge) => (gauge.x - x) ** 2 + (gauge.y - y) ** 2));
        expect(nearestSquared(columns, lists[Math.floor(column / 16)]!, x, y)).toBe(expected);
      }
    }
  });

  it('has no candidates in blocks beyond the mask', () => {
    expect(candidateLists(columns, { ...grid, originX: 1e6 }, 0, 1000).every((list) => list.length === 0)).toBe(true);
  });
});

describe('leave-one-out', () => {
  it('is what leaving out by hand gives', () => {
    const residuals = gauges.map((left) => {
      const rest = toColumns(gauges.filter(({ id }) => id !== left.id));
      return createEstimator(rest, fitErrorModel(rest, options), options)(left.x, left.y).mm - left.mm;
    });
    const { leaveOneOut } = model;
    expect(leaveOneOut.n).toBe(4);
    expect(leaveOneOut.biasMm).toBeCloseTo(residuals.reduce((a, b) => a + b) / 4, 10);
    expect(leaveOneOut.maeMm).toBeCloseTo(residuals.reduce((a, b) => a + Math.abs(b), 0) / 4, 10);
    expect(leaveOneOut.rmseMm).toBeCloseTo(Math.sqrt(residuals.reduce((a, b) => a + b * b, 0) / 4), 10);
  });

  it('is nothing for equal gauges, and so is the error', () => {
    const flat = toColumns(gauges.map((gauge) => ({ ...gauge, mm: 7 })));
    const fitted = fitErrorModel(flat, options);
    expect(fitted.leaveOneOut.rmseMm).toBeCloseTo(0, 12);
    expect(createEstimator(flat, fitted, options)(321, 123).se).toBeCloseTo(0, 6);
  });

  it('survives all gauges at one place', () => {
    const same = toColumns([1, 2, 3].map((mm, i) => ({ id: String(i), x: 5, y: 5, mm })));
    const fitted = fitErrorModel(same, options);
    expect(fitted.leaveOneOut.rmseMm).toBeGreaterThan(0);
    expect(defaultMaxDistance(fitted.nearestDistances)).toBe(0);
  });
});

describe('weights', () => {
  it.each([0.5, 1, 1.7, 2, 2.75, 3, 4, 8])('power %d: d to the minus p', (power) => {
    const weight = weightFunction(power);
    for (const distance of [0.01, 1, 3.5, 1e5])
      expect(weight(distance * distance) * distance ** power).toBeCloseTo(1, 10);
  });
});

describe('grid', () => {
  it.each([
    [0.9, 1],
    [1, 1],
    [1.1, 2],
    [2.1, 5],
    [5.1, 10],
    [734, 1000],
    [1e-5, 1e-5],
  ])('rounds %d up to %d', (value, nice) => {
    expect(niceCeil(value)).toBeCloseTo(nice, 12);
  });

  it('by default has at most 250 000 cells, on any box', () => {
    for (const [w, h] of [
      [1, 1],
      [350_000, 220_000],
      [1e6, 10],
      [123_456, 654_321],
    ] as const) {
      const cell = defaultResolution([0, 0, w, h]);
      expect((w / cell) * (h / cell)).toBeLessThanOrEqual(250_000 * 1.0001);
    }
  });

  it('has edges at whole multiples of the cell and covers the box', () => {
    const made = gridOver([101, -33, 255, 78], 10, 'EPSG:2056');
    expect(made).toMatchObject({ originX: 100, originY: 80, width: 16, height: 12 });
    expect(gridOver([100, 0, 200, 50], 10, 'EPSG:2056')).toMatchObject({
      originX: 100,
      originY: 50,
      width: 10,
      height: 5,
    });
  });

  it('refuses empty boxes and too many cells', async () => {
    expect(await codeOf(() => gridOver([0, 0, 0, 10], 1, 'EPSG:2056'))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(() => gridOver([0, 0, 1e6, 1e6], 1, 'EPSG:2056'))).toBe('INVALID_ARGUMENT');
  });
});
