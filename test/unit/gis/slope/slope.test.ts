import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { hornSlope } from '../../../../src/tools/gis/slope/horn.ts';
import { slopeTool } from '../../../../src/tools/gis/slope/tool.ts';
import {
  asNext,
  codeOf,
  failedChecks,
  output,
  rainRaster,
  rasterInput,
  runTool,
  terrainRaster,
} from '../../../support/gis/inputs.ts';

const degrees = (radians: number): number => (radians * 180) / Math.PI;

describe('hornSlope', () => {
  it.each([
    [0, 0],
    [0.1, 0],
    [0, -0.5],
    [1, 1],
    [-3, 2],
  ])('of a plane rising %d east and %d north is the angle of the plane, edges and corners included', (dx, dy) => {
    const heights = Float32Array.from({ length: 6 * 5 }, (_, i) => (i % 6) * 10 * dx - Math.floor(i / 6) * 10 * dy);
    for (const value of hornSlope(heights, 6, 5, 10))
      expect(value).toBeCloseTo(degrees(Math.atan(Math.hypot(dx, dy))), 3);
  });

  it('weighs the eight neighbours as Horn does', () => {
    const heights = Float32Array.from([1, 4, 2, 8, 5, 7, 3, 9, 6]);
    const dx = (2 + 14 + 6 - (1 + 16 + 3)) / 80;
    const dy = (3 + 18 + 6 - (1 + 8 + 2)) / 80;
    expect(hornSlope(heights, 3, 3, 10)[4]).toBeCloseTo(degrees(Math.atan(Math.hypot(dx, dy))), 5);
  });

  it('O-37 has none where there is no height, and continues the plane past a hole', () => {
    const heights = Float32Array.from({ length: 25 }, (_, i) => (i % 5) * 10);
    heights[12] = NaN;
    const slope = hornSlope(heights, 5, 5, 10);
    expect(slope[12]).toBeNaN();
    expect(slope[11]).toBeCloseTo(45, 4);
    expect(slope.filter((value) => Number.isNaN(value))).toHaveLength(1);
  });

  it('is flat for a single cell and along a single row', () => {
    expect([...hornSlope(Float32Array.from([7]), 1, 1, 10)]).toEqual([0]);
    expect(
      [...hornSlope(Float32Array.from([0, 10, 20]), 3, 1, 10)].map((value) => Math.round(value * 1e4) / 1e4),
    ).toEqual([45, 45, 45]);
  });

  it('of Maunga Whau has its steepest cell at 43°', () => {
    const volcano = JSON.parse(readFileSync('node_modules/vega-datasets/data/volcano.json', 'utf8')) as {
      width: number;
      height: number;
      values: number[];
    };
    const slope = hornSlope(Float32Array.from(volcano.values), volcano.width, volcano.height, 10);
    expect(Math.max(...slope)).toBeGreaterThan(42.5);
    expect(Math.max(...slope)).toBeLessThan(43.5);
  });
});

describe('gis.slope', () => {
  it('gives a raster of degrees on the grid of the terrain', async () => {
    const result = await runTool(
      slopeTool,
      {},
      { terrain: rasterInput(terrainRaster(12, 9, (column) => column * 100)) },
    );
    const slope = await readRaster(asNext(result, 'raster'), ['slope']);
    expect(output(result, 'raster').type).toMatchObject({
      role: 'slope',
      unit: 'deg',
      crs: 'EPSG:2056',
      resolution: 100,
    });
    expect(bandOf(slope, 'slope_deg')[50]).toBeCloseTo(45, 3);
    expect(failedChecks(result)).toEqual([]);
  });

  it.each(['EPSG:4326', 'EPSG:3857'])(
    'refuses terrain in %s, whose units are not metres on the ground',
    async (crs) => {
      const place =
        crs === 'EPSG:4326' ? { originX: 8, originY: 47, cellSize: 0.001 } : { originX: 900_000, originY: 5_900_000 };
      const terrain = rasterInput(terrainRaster(4, 4, () => 1, { crs, ...place }));
      expect(await codeOf(runTool(slopeTool, {}, { terrain }))).toBe('CRS_NOT_PROJECTED');
    },
  );

  it('refuses a raster of rain', async () => {
    expect(await codeOf(runTool(slopeTool, {}, { terrain: rasterInput(rainRaster([[1]], 1)) }))).toBe('STATE_INVALID');
  });

  it('offers the reprojection to the zone of the place as soon as the types are known', () => {
    const terrain: PortType = {
      kind: 'raster',
      crs: 'EPSG:4326',
      unit: 'm',
      role: 'terrain',
      resolution: 0.001,
      extent: [8, 46, 9, 47],
      noData: null,
    };
    const rule = (type: PortType) => slopeTool.types({ inputs: new Map([['terrain', type]]), args: {} });
    expect(rule(terrain).problems).toEqual([
      expect.objectContaining({
        code: 'CRS_NOT_PROJECTED',
        insert: { tool: 'gis.reproject', inputPort: 'raster', outputPort: 'raster', args: { crs: 'EPSG:32632' } },
      }),
    ]);
    const nowhere = rule({ ...terrain, extent: null }).problems[0];
    expect(nowhere?.code).toBe('CRS_NOT_PROJECTED');
    expect(nowhere?.insert).toBeUndefined();
    expect(rule({ ...terrain, crs: 'EPSG:2056' }).problems).toEqual([]);
    expect(rule({ ...terrain, crs: null }).problems).toEqual([]);
  });
});
