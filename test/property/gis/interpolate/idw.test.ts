import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitErrorModel } from '../../../../src/tools/gis/interpolate/errorModel.ts';
import { toColumns, type Gauge } from '../../../../src/tools/gis/interpolate/gauges.ts';
import { createEstimator, idwSurface, type MaskOptions } from '../../../../src/tools/gis/interpolate/idw.ts';
import type { Grid } from '../../../../src/tools/gis/raster/grid.ts';

const grid: Grid = { width: 23, height: 19, originX: 0, originY: 10_000, cellSize: 500, crs: 'EPSG:2056' };
const coordinate = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((n) => n * 250),
  fc.double({ min: 0, max: 10_000, noNaN: true }),
);
const gaugeList = fc
  .array(fc.record({ x: coordinate, y: coordinate, mm: fc.double({ min: 0, max: 400, noNaN: true }) }), {
    minLength: 3,
    maxLength: 40,
  })
  .map((list) => list.map((gauge, i): Gauge => ({ id: `g${i}`, ...gauge })));
const method = fc.record({
  power: fc.constantFrom(0.5, 1, 2, 2, 2.75, 3, 4),
  neighbours: fc.constantFrom(0, 0, 1, 5, 100),
  maxDistanceM: fc.constantFrom(700, 3000, 1e6),
  supportM: fc.constantFrom(0, 250),
});

const surfaceOf = (gauges: readonly Gauge[], options: MaskOptions) => {
  const columns = toColumns(gauges);
  return idwSurface(columns, fitErrorModel(columns, options), grid, options);
};
const bits = (values: Float32Array): Uint32Array => new Uint32Array(values.buffer);

describe('inverse distance', () => {
  it('never leaves the range of the gauges, has an error wherever it has a value, and nothing beyond the mask', () => {
    fc.assert(
      fc.property(gaugeList, method, (gauges, options) => {
        const { rain, se, clipped } = surfaceOf(gauges, options);
        const observed = gauges.map(({ mm }) => mm);
        const [least, most] = [Math.min(...observed), Math.max(...observed)];
        expect(clipped).toBe(0);
        rain.forEach((value, cell) => {
          const x = grid.originX + ((cell % grid.width) + 0.5) * grid.cellSize;
          const y = grid.originY - (Math.floor(cell / grid.width) + 0.5) * grid.cellSize;
          const nearest = Math.min(...gauges.map((gauge) => Math.hypot(gauge.x - x, gauge.y - y)));
          expect(Number.isNaN(value)).toBe(Number.isNaN(se[cell]));
          if (nearest > options.maxDistanceM * (1 + 1e-9)) expect(value).toBeNaN();
          if (nearest < options.maxDistanceM * (1 - 1e-9)) {
            expect(value).toBeGreaterThanOrEqual(Math.fround(least) - most * 1e-6);
            expect(value).toBeLessThanOrEqual(Math.fround(most) + most * 1e-6);
            expect(se[cell]).toBeGreaterThanOrEqual(0);
            expect(se[cell]).toBeLessThan(Infinity);
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on the order of the gauges, to the last bit of both bands', () => {
    const shuffled = gaugeList.chain((gauges) =>
      fc.tuple(
        fc.constant(gauges),
        fc.shuffledSubarray(gauges, { minLength: gauges.length, maxLength: gauges.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, method, ([gauges, other], options) => {
        const [one, two] = [surfaceOf(gauges, options), surfaceOf(other, options)];
        expect(bits(two.rain)).toEqual(bits(one.rain));
        expect(bits(two.se)).toEqual(bits(one.se));
      }),
      { numRuns: 60 },
    );
  });

  it('moves with the map: shifted gauges give shifted values', () => {
    fc.assert(
      fc.property(gaugeList, fc.integer({ min: -50, max: 50 }), method, (gauges, shift, options) => {
        const metres = shift * 1024;
        const here = toColumns(gauges);
        const there = toColumns(gauges.map((gauge) => ({ ...gauge, x: gauge.x + metres, y: gauge.y - metres })));
        const one = createEstimator(here, fitErrorModel(here, { ...options, neighbours: 0 }), {
          ...options,
          neighbours: 0,
          maxDistanceM: 1e9,
        });
        const two = createEstimator(there, fitErrorModel(there, { ...options, neighbours: 0 }), {
          ...options,
          neighbours: 0,
          maxDistanceM: 1e9,
        });
        for (const [x, y] of [
          [123, 4567],
          [5000, 5000],
          [9999, 1],
        ] as const) {
          expect(Math.abs(two(x + metres, y - metres).mm - one(x, y).mm)).toBeLessThan(1e-3);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('scales with the rain: twice as much everywhere is twice the value and twice the error', () => {
    fc.assert(
      fc.property(gaugeList, method, (gauges, options) => {
        const once = toColumns(gauges);
        const twice = toColumns(gauges.map((gauge) => ({ ...gauge, mm: gauge.mm * 2 })));
        const all = { ...options, neighbours: 0, maxDistanceM: 1e9 };
        const one = createEstimator(once, fitErrorModel(once, all), all)(4321, 1234);
        const two = createEstimator(twice, fitErrorModel(twice, all), all)(4321, 1234);
        expect(two.mm).toBeCloseTo(2 * one.mm, 6);
        expect(two.se).toBeCloseTo(2 * one.se, 6);
      }),
      { numRuns: 100 },
    );
  });
});
