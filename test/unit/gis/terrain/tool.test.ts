import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import type { ToolInput } from '../../../../src/catalog/tool.ts';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { loadTerrainTool } from '../../../../src/tools/gis/terrain/tool.ts';
import { gdalTranslate } from '../../../support/gis/gdal.ts';
import {
  asInput,
  asNext,
  codeOf,
  failedChecks,
  output,
  rainRaster,
  runTool,
  terrainRaster,
} from '../../../support/gis/inputs.ts';

const type: PortType = { kind: 'artifact', mediaType: null };
const upload = (bytes: Uint8Array, name = 'dem'): ToolInput => asInput(bytes, 'application/octet-stream', type, name);
const ascii = upload(
  new TextEncoder().encode('ncols 2\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 100\n500 510\n520 NaN\n'),
  'dem.asc',
);
const tiff = upload(writeCog(terrainRaster(20, 10, (column, row) => 400 + column + row)), 'dem.tif');
const load = (source: ToolInput, args: object = {}) =>
  runTool(loadTerrainTool, { source: 'sample', ...args }, { source });

describe('gis.loadTerrain', () => {
  it('loads a GeoTIFF with its own system', async () => {
    const result = await load(tiff);
    const terrain = await readRaster(asNext(result, 'raster'), ['terrain']);
    expect(output(result, 'raster').type).toMatchObject({
      kind: 'raster',
      role: 'terrain',
      unit: 'm',
      crs: 'EPSG:2056',
      resolution: 100,
    });
    expect(bandOf(terrain, 'elevation_m')[21]).toBe(402);
    expect(terrain.metadata).toMatchObject({ FORMAT: 'GeoTIFF', SOURCE: 'dem.tif', LICENCE: 'test data' });
    expect(failedChecks(result)).toEqual([]);
  });

  it('loads an ASCII grid in the system that the plan names', async () => {
    const terrain = await readRaster(asNext(await load(ascii, { crs: '2056' }), 'raster'), ['terrain']);
    expect([...bandOf(terrain, 'elevation_m')]).toEqual([500, 510, 520, NaN]);
    expect([terrain.crs, terrain.originY]).toEqual(['EPSG:2056', 1_200_200]);
  });

  it('O-38 does not guess a system: none in the file and none in the plan is refused', async () => {
    await expect(load(ascii)).rejects.toThrow(/names no coordinate system/);
    expect(await codeOf(load(ascii))).toBe('CRS_MISMATCH');
  });

  it('O-38 refuses a plan that contradicts the file, and takes one that agrees', async () => {
    expect(await codeOf(load(tiff, { crs: 'EPSG:32632' }))).toBe('CRS_MISMATCH');
    expect(failedChecks(await load(tiff, { crs: 'EPSG:2056' }))).toEqual([]);
  });

  it('O-38 refuses a place that cannot be in the stated system', async () => {
    expect(await codeOf(load(ascii, { crs: 'EPSG:32632' }))).toBe('CRS_MISMATCH');
    expect(await codeOf(load(ascii, { crs: 'EPSG:4326' }))).toBe('CRS_MISMATCH');
  });

  it('converts heights whose band says feet', async () => {
    const feet = upload(writeCog({ ...terrainRaster(5, 5, () => 1000), unit: 'ft' }));
    const terrain = await readRaster(asNext(await load(feet), 'raster'), ['terrain']);
    expect(bandOf(terrain, 'elevation_m')[0]).toBeCloseTo(304.8, 3);
  });

  it('converts heights whose vertical system is in feet', async () => {
    const feet = await gdalTranslate(writeCog(terrainRaster(20, 10, () => 1000)), [
      '-of',
      'GTiff',
      '-a_srs',
      'EPSG:2056+6360',
    ]);
    const terrain = await readRaster(asNext(await load(upload(feet)), 'raster'), ['terrain']);
    expect(bandOf(terrain, 'elevation_m')[0]).toBeCloseTo(304.8, 1);
    expect(terrain.metadata['NOTE']).toContain('feet');
  }, 60_000);

  it('refuses files with two bands, unknown formats and no file', async () => {
    expect(await codeOf(load(upload(writeCog(rainRaster([[1]], 1)))))).toBe('UPLOAD_INVALID');
    expect(await codeOf(load(upload(new TextEncoder().encode('hello'))))).toBe('UPLOAD_INVALID');
    expect(await codeOf(runTool(loadTerrainTool, { source: 'sample' }, {}))).toBe('SOURCE_REQUIRED');
  });

  it.each([
    [{ source: 'http://host/dem.tif' }],
    [{ source: '../../etc/passwd' }],
    [{ source: { upload: 'zz' } }],
    [{}],
    [{ source: 'sample', path: '/x' }],
  ])('refuses the arguments %j', (args) => {
    expect(loadTerrainTool.input.safeParse(args).success).toBe(false);
  });

  it('promises the system that the plan names, refuses one nobody knows', () => {
    const rule = (args: Record<string, unknown>) => loadTerrainTool.types({ inputs: new Map(), args });
    expect(rule({ source: 'sample', crs: '102100' }).outputs.get('raster')).toMatchObject({
      role: 'terrain',
      unit: 'm',
      crs: 'EPSG:3857',
    });
    expect(rule({ source: 'sample' }).outputs.get('raster')).toMatchObject({ crs: null });
    expect(rule({ crs: 'EPSG:999999' }).problems[0]).toMatchObject({ code: 'INVALID_ARGUMENT', port: 'crs' });
  });
});
