import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { extentOf } from '../../../../src/tools/gis/raster/grid.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { readGeoTiff } from '../../../../src/tools/gis/raster/geoTiffReader.ts';
import { mapPositions, pathsOf } from '../../../../src/tools/gis/reproject/positions.ts';
import { reprojectRaster, targetGrid } from '../../../../src/tools/gis/reproject/reprojectRaster.ts';
import { reprojectTool } from '../../../../src/tools/gis/reproject/tool.ts';
import { gdalWarp } from '../../../support/gis/gdal.ts';
import {
  asNext,
  codeOf,
  failedChecks,
  feature,
  features,
  featuresOf,
  output,
  point,
  rainRaster,
  raster,
  rasterInput,
  runTool,
  terrainRaster,
} from '../../../support/gis/inputs.ts';

const move = (list: Parameters<typeof features>[0], from: string, to: string) =>
  runTool(reprojectTool, { crs: to }, { features: features(list, from) });

describe('features', () => {
  it('go to another system position by position, heights, ids, order and properties kept', async () => {
    const bern = feature('bern', { type: 'Point', coordinates: [2_600_000, 1_200_000, 540] }, { beds: 3 });
    const result = await move([bern, feature('none', null)], 'EPSG:2056', 'EPSG:4326');
    const [first, second] = featuresOf(result).features;
    const [lon = NaN, lat = NaN, height] = (first?.geometry as { coordinates: number[] }).coordinates;
    expect([lon, lat]).toEqual([expect.closeTo(7.438632, 5), expect.closeTo(46.951083, 5)]);
    expect([height, first?.id, first?.properties, second?.geometry]).toEqual([540, 'bern', { beds: 3 }, null]);
    expect(output(result, 'features')).toMatchObject({
      mediaType: 'application/geo+json',
      type: { role: 'assets', crs: 'EPSG:4326' },
    });
    expect(failedChecks(result)).toEqual([]);
  });

  it('O-38 in EPSG:4326 come out as plain GeoJSON, in any other system with crs', async () => {
    const out = await move([point('a', 7.44, 46.95)], 'EPSG:4326', '102100');
    expect(featuresOf(out)['crs']).toBe('EPSG:3857');
    expect(output(out, 'features').mediaType).toBe('application/vnd.geoagent.features+json');
    expect(featuresOf(await move([point('a', 828_000, 5_933_000)], '102100', '4326'))['crs']).toBeUndefined();
  });

  it('say how far the middle of a long edge departs, as edges are not densified', async () => {
    const line = feature('long', {
      type: 'LineString',
      coordinates: [
        [6, 46],
        [10, 47.5],
      ],
    });
    const { reprojection } = featuresOf(await move([line], 'EPSG:4326', 'EPSG:2056'));
    const metres = Number(/by at most ([0-9.]+)/.exec(reprojection.note)?.[1]);
    expect(metres).toBeGreaterThan(100);
    expect(reprojection).toMatchObject({ from: 'EPSG:4326', to: 'EPSG:2056', positions: 2 });
  });

  it('O-38 are refused outside the area of the new system, with metres for degrees, and when exchanged', async () => {
    expect(await codeOf(move([point('rome', 12.5, 41.9)], 'EPSG:4326', 'EPSG:2056'))).toBe('CRS_MISMATCH');
    expect(await codeOf(move([point('m', 2_600_000, 1_200_000)], 'EPSG:4326', 'EPSG:2056'))).toBe('CRS_MISMATCH');
    await expect(move([point('s', 1_200_000, 2_600_000)], 'EPSG:2056', 'EPSG:4326')).rejects.toThrow(/exchanged/);
  });

  it('O-38 across the date line are refused, not turned into a band round the world', async () => {
    const crossing = feature('fiji', {
      type: 'Polygon',
      coordinates: [
        [
          [170, -20],
          [-170, -20],
          [-170, -10],
          [170, -10],
          [170, -20],
        ],
      ],
    });
    expect(await codeOf(move([crossing], 'EPSG:4326', 'EPSG:3857'))).toBe('INVALID_ARGUMENT');
  });

  it('of every type are carried, empty ones stay empty', () => {
    const twice = (x: number, y: number): [number, number] => [x * 2, y * 2];
    const line = [
      [1, 1],
      [2, 2],
    ];
    expect(mapPositions({ type: 'Point', coordinates: [] }, twice)).toEqual({ type: 'Point', coordinates: [] });
    expect(mapPositions({ type: 'MultiPoint', coordinates: line }, twice)).toMatchObject({
      coordinates: [
        [2, 2],
        [4, 4],
      ],
    });
    expect(mapPositions({ type: 'MultiLineString', coordinates: [line] }, twice)).toMatchObject({
      coordinates: [
        [
          [2, 2],
          [4, 4],
        ],
      ],
    });
    expect(mapPositions({ type: 'MultiPolygon', coordinates: [[line]] }, twice)).toMatchObject({
      coordinates: [
        [
          [
            [2, 2],
            [4, 4],
          ],
        ],
      ],
    });
    const all = mapPositions(
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [3, 4, 5] },
          { type: 'Polygon', coordinates: [line] },
        ],
      },
      twice,
    );
    expect([...pathsOf(all)]).toEqual([
      [[6, 8, 5]],
      [
        [2, 2],
        [4, 4],
      ],
    ]);
    expect([...pathsOf({ type: 'MultiPoint', coordinates: line })]).toHaveLength(2);
  });
});

describe('rasters', () => {
  const terrain = terrainRaster(120, 90, (column, row) => 500 + 200 * Math.sin(column / 15) * Math.cos(row / 12));

  it('equal those that gdalwarp makes, bilinear, on the same grid', async () => {
    const ours = reprojectRaster(terrain, 'EPSG:32632');
    const [minX, minY, maxX, maxY] = extentOf(ours).map(String) as [string, string, string, string];
    const options = [
      '-of',
      'GTiff',
      '-t_srs',
      'EPSG:32632',
      '-r',
      'bilinear',
      '-te',
      minX,
      minY,
      maxX,
      maxY,
      '-ts',
      String(ours.width),
      String(ours.height),
      '-dstnodata',
      'nan',
      '-et',
      '0',
    ];
    const theirs =
      (await readGeoTiff(await gdalWarp(writeCog(terrain), options))).bands[0]?.values ?? new Float32Array();
    const mine = bandOf(ours, 'elevation_m');
    let both = 0;
    let worst = 0;
    mine.forEach((value, cell) => {
      const other = theirs[cell] ?? NaN;
      if (Number.isNaN(value) || Number.isNaN(other)) return;
      both += 1;
      worst = Math.max(worst, Math.abs(value - other));
    });
    expect(both).toBeGreaterThan(0.95 * 120 * 90);
    // Two datum shifts that differ by up to a metre, on slopes of some 10 %.
    expect(worst).toBeLessThan(1);
  }, 60_000);

  it('keep bands, role, unit and metadata, and note where they came from', async () => {
    const rain = rainRaster(
      Array.from({ length: 20 }, () => Array.from({ length: 20 }, (_, i) => i)),
      2,
      { metadata: { METHOD: 'idw' } },
    );
    const result = await runTool(reprojectTool, { crs: 'EPSG:32632' }, { raster: rasterInput(rain) });
    const moved = await readRaster(asNext(result, 'raster'), ['rain']);
    expect(moved.bands.map(({ name }) => name)).toEqual(['rain_mm', 'se_mm']);
    expect(moved.metadata).toMatchObject({ METHOD: 'idw', REPROJECTED: 'EPSG:2056 to EPSG:32632, bilinear' });
    expect(output(result, 'raster').type).toMatchObject({ role: 'rain', unit: 'mm', crs: 'EPSG:32632' });
    expect(failedChecks(result)).toEqual([]);
  });

  it('O-37 have no data in the corners that the turned grid leaves empty, never zero', () => {
    const values = reprojectRaster(terrain, 'EPSG:3035').bands[0]?.values ?? new Float32Array();
    expect(values.some((value) => Number.isNaN(value))).toBe(true);
    expect(values.some((value) => value === 0)).toBe(false);
  });

  it('of classes keep their classes', () => {
    const classes = raster({
      width: 30,
      height: 30,
      role: 'screening',
      unit: 'class',
      bands: [{ name: 'screening_rank', values: Float32Array.from({ length: 900 }, (_, i) => (i % 2) * 3) }],
    });
    const found = new Set(
      reprojectRaster(classes, 'EPSG:32632').bands[0]?.values.filter((value) => !Number.isNaN(value)),
    );
    expect(found).toEqual(new Set([0, 3]));
  });

  it('have cells of about the same area, with readable edges', () => {
    const grid = targetGrid(terrain, 'EPSG:32632');
    expect(grid.cellSize).toBeGreaterThan(99);
    expect(grid.cellSize).toBeLessThan(101);
    expect(Math.abs(grid.originX / grid.cellSize - Math.round(grid.originX / grid.cellSize))).toBeLessThan(1e-6);
  });

  it('O-38 are refused outside the area of the new system', async () => {
    expect(await codeOf(() => reprojectRaster(terrain, 'EPSG:27700'))).toBe('CRS_MISMATCH');
  });

  it('stay the same raster in their own system', () => {
    expect(reprojectRaster(terrain, '2056')).toBe(terrain);
  });
});

describe('gis.reproject', () => {
  it('takes exactly one of features and raster', async () => {
    const both = { features: features([point('a', 2_600_000, 1_200_000)]), raster: rasterInput(rainRaster([[1]], 1)) };
    expect(await codeOf(runTool(reprojectTool, { crs: '4326' }, both))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(runTool(reprojectTool, { crs: '4326' }, {}))).toBe('INVALID_ARGUMENT');
  });

  it('refuses a system it does not know, whatever it is called', async () => {
    for (const crs of ['EPSG:999999', '__proto__', '+proj=longlat'])
      expect(await codeOf(move([point('a', 2_600_000, 1_200_000)], 'EPSG:2056', crs))).toBe('INVALID_ARGUMENT');
    expect(reprojectTool.input.safeParse({}).success).toBe(false);
  });

  it('passes the type on in the new system, role and unit as they were', () => {
    const assets: PortType = { kind: 'features', geometry: 'line', crs: 'EPSG:4326', role: 'zones', fields: null };
    const slope: PortType = {
      kind: 'raster',
      crs: 'EPSG:2056',
      unit: 'deg',
      role: 'slope',
      resolution: 10,
      extent: [0, 0, 1, 1],
      noData: null,
    };
    const rule = (inputs: Record<string, PortType>, crs?: unknown) =>
      reprojectTool.types({ inputs: new Map(Object.entries(inputs)), args: { crs } });
    expect(Object.fromEntries(rule({ features: assets }, '2056').outputs)).toEqual({
      features: { ...assets, crs: 'EPSG:2056' },
    });
    expect(Object.fromEntries(rule({ raster: slope }, '4326').outputs)).toEqual({
      raster: { ...slope, crs: 'EPSG:4326', resolution: null, extent: null },
    });
    expect(rule({ features: assets }).outputs.get('features')).toMatchObject({ crs: null });
    expect(rule({}, '2056').problems[0]?.code).toBe('MISSING_ARGUMENT');
    expect(rule({ features: assets, raster: slope }, '2056').problems[0]?.code).toBe('INVALID_ARGUMENT');
    expect(rule({ features: assets }, 'EPSG:1').problems[0]).toMatchObject({ code: 'INVALID_ARGUMENT', port: 'crs' });
  });
});
