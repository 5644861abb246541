import fc from 'fast-check';
import type { Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { createFootprints } from '../../../../src/tools/gis/exposure/cells.ts';
import { classify } from '../../../../src/tools/gis/exposure/classify.ts';
import { areaOf } from '../../../../src/tools/gis/exposure/polygonCells.ts';
import { overlayExposureTool } from '../../../../src/tools/gis/exposure/tool.ts';
import type { ExposureSummary } from '../../../../src/tools/gis/exposure/summary.ts';
import { bandOf } from '../../../../src/tools/gis/raster/rasterFile.ts';
import {
  failedChecks,
  feature,
  features,
  featuresOf,
  jsonOf,
  rainRaster,
  rasterInput,
  runTool,
} from '../../../support/gis/inputs.ts';

const EAST = 2_600_000;
const NORTH = 1_200_000;
/** Some positions lie outside the 10 × 10 cells of 100 m. */
const position = fc
  .tuple(fc.integer({ min: -300, max: 1300 }), fc.integer({ min: -1300, max: 300 }))
  .map(([x, y]) => [EAST + x, NORTH + y]);
const ring = fc
  .tuple(position, fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }))
  .map(([[x = 0, y = 0], w, h]) => [
    [x, y],
    [x + w, y],
    [x + w, y - h],
    [x, y - h],
    [x, y],
  ]);
const geometry: fc.Arbitrary<Geometry | null> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  fc.array(position, { maxLength: 4 }).map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  fc.array(position, { maxLength: 6 }).map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  ring.map((one): Geometry => ({ type: 'Polygon', coordinates: [one] })),
  fc
    .array(position, { minLength: 4, maxLength: 8 })
    .map((corners): Geometry => ({ type: 'Polygon', coordinates: [[...corners, corners[0] ?? []]] })),
  fc.constant(null),
);
const rain = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 1000 }).map((n) => n / 10) },
      { weight: 1, arbitrary: fc.constant(NaN) },
    ),
    { minLength: 100, maxLength: 100 },
  )
  .map((cells) =>
    rainRaster(
      Array.from({ length: 10 }, (_, row) => cells.slice(row * 10, row * 10 + 10)),
      4,
    ),
  );

describe('gis.overlayExposure', () => {
  it('counts every asset once, keeps the order, passes its own checks, on any geometry', async () => {
    const inside: Geometry = { type: 'Point', coordinates: [EAST + 50, NORTH - 50] };
    await fc.assert(
      fc.asyncProperty(
        rain,
        fc.array(geometry, { maxLength: 25 }),
        fc.integer({ min: 1, max: 100 }),
        async (hazard, geometries, thresholdMm) => {
          const list = [inside, ...geometries].map((one, i) => feature(`f${i}`, one));
          const result = await runTool(
            overlayExposureTool,
            { thresholdMm },
            { hazard: rasterInput(hazard), assets: features(list) },
          );
          expect(failedChecks(result)).toEqual([]);
          const out = featuresOf(result).features;
          expect(out.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
          expect(out.map((one) => one.geometry)).toEqual(list.map((one) => one.geometry));
          const { byClass, total, atLeast, upTo } = jsonOf(result, 'summary') as ExposureSummary;
          expect(
            byClass.exceeds.count + byClass.undecided.count + byClass.below.count + byClass.notAssessed.count,
          ).toBe(total);
          expect(total).toBe(list.length);
          expect([atLeast, upTo]).toEqual([byClass.exceeds.count, total - byClass.below.count]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('O-37 never calls an asset below while a part of it lies on cells without rain', () => {
    fc.assert(
      fc.property(rain, geometry, (raster, one) => {
        const values = bandOf(raster, 'rain_mm');
        const footprint = createFootprints(raster)(one);
        const exposure = classify(footprint, {
          rain: values,
          se: bandOf(raster, 'se_mm'),
          thresholdMm: 30,
          confidence: 0.9,
        });
        if ([...footprint.cells.keys()].some((cell) => Number.isNaN(values[cell])))
          expect(exposure.class).not.toBe('below');
        if (exposure.class === 'notAssessed') expect([exposure.rain_mm, exposure.probability]).toEqual([null, null]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives lines exactly their length and boxes about their area', () => {
    const raster = rainRaster(
      Array.from({ length: 10 }, () => Array.from({ length: 10 }, () => 1)),
      1,
    );
    const footprint = createFootprints(raster);
    const inside = fc
      .tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }))
      .map(([x, y]) => [EAST + x, NORTH - y]);
    fc.assert(
      fc.property(fc.array(inside, { minLength: 2, maxLength: 6 }), (path) => {
        const length = path
          .slice(1)
          .reduce((sum, [x = 0, y = 0], i) => sum + Math.hypot(x - (path[i]?.[0] ?? 0), y - (path[i]?.[1] ?? 0)), 0);
        const { cells, total } = footprint({ type: 'LineString', coordinates: path });
        expect(total).toBeCloseTo(length, 6);
        expect([...cells.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(length, 5);
      }),
    );
    fc.assert(
      fc.property(ring, (corners) => {
        const { cells, smallerThanCell } = footprint({ type: 'Polygon', coordinates: [corners] });
        const xs = corners.map(([x = 0]) => Math.min(EAST + 1000, Math.max(EAST, x)));
        const ys = corners.map(([, y = 0]) => Math.min(NORTH, Math.max(NORTH - 1000, y)));
        const clipped = areaOf([xs.map((x, i) => [x, ys[i] ?? 0])]);
        const perimeter = 2 * (Math.max(...xs) - Math.min(...xs) + Math.max(...ys) - Math.min(...ys));
        // Cell centres stand for cells: at most half a cell of error along the outline.
        if (!smallerThanCell)
          expect(Math.abs(cells.size * 10_000 - clipped)).toBeLessThanOrEqual(perimeter * 50 + 10_000);
      }),
    );
  });
});
