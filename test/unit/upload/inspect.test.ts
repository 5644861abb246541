import { describe, expect, it } from 'vitest';
import { sampleFiles } from '../../../src/local/sample/sampleFiles.ts';
import { inspectUpload, type Inspection } from '../../../src/tools/upload/inspect.ts';
import { rejection } from '../toolRun.ts';

const inspect = (file: string | object, name = 'x'): Promise<Inspection> =>
  inspectUpload(new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file)), name);
const codes = (found: Inspection): string[] => found.problems.map((problem) => problem.code);

describe('inspectUpload', () => {
  it('a table: format, columns with roles, what it states, ten rows at most', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => `s${n};${2_600_000 + n};1200000;${n},5`);
    const found = await inspect(['# LV95 (EPSG:2056)', 'Stations-Nr;Ost;Nord;Niederschlag_mm', ...rows].join('\n'));
    expect(found).toMatchObject({
      format: 'csv',
      mediaType: 'text/csv',
      rows: 30,
      crs: [{ value: 'EPSG:2056', basis: 'stated' }],
      unit: [{ value: 'mm', basis: 'stated' }],
      problems: [],
    });
    expect(found.columns.map((column) => column.role)).toEqual(['id', 'easting', 'northing', 'rain']);
    expect(found.sampleRows).toHaveLength(10);
    expect(found.sampleRows[0]?.[3]).toEqual(['Niederschlag_mm', '0,5']);
  });

  it('what is not stated is a problem; systems that would fit are only candidates', async () => {
    const found = await inspect('id,x,y,rain\na,2600000,1200000,1\n');
    expect(codes(found)).toEqual(['CRS_UNSTATED', 'UNIT_UNSTATED']);
    expect(found.crs).toContainEqual({ value: 'EPSG:2056', basis: 'possible' });
    expect(found.crs.some((candidate) => candidate.basis === 'stated')).toBe(false);
  });

  it('ragged rows, another encoding, no rows', async () => {
    expect(codes(await inspect('id,lon,lat,rain_mm\na,1\n'))).toContain('COLUMN_COUNT');
    expect(codes(await inspect('id,lon,lat,rain_mm\n'))).toEqual(['EMPTY']);
    const mixed = Buffer.concat([
      Buffer.from('id,lon,lat,n,rain_mm\na,9,46,ü,1\n'),
      Buffer.from('b,9,46,ü,1\n', 'latin1'),
    ]);
    expect(codes(await inspectUpload(mixed, 'x'))).toEqual(['MIXED_ENCODING']);
  });

  it('GeoJSON: geometry counts, property names, missing geometries, legacy crs', async () => {
    const feature = (geometry: unknown): object => ({
      type: 'Feature',
      geometry,
      properties: { name: '<b>x</b>', n: 1 },
    });
    const found = await inspect({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: 'EPSG:2056' } },
      features: [feature({ type: 'Point', coordinates: [1, 2] }), feature(null)],
    });
    expect(found).toMatchObject({
      format: 'geojson',
      rows: 2,
      geometry: { Point: 1, none: 1 },
      crs: [{ value: 'EPSG:2056', basis: 'stated' }],
    });
    expect(codes(found)).toEqual(['LEGACY_CRS', 'NULL_GEOMETRY']);
    expect(found.sampleRows[0]).toEqual([
      ['name', '<b>x</b>'],
      ['n', '1'],
    ]);
  });

  it('Open-Meteo is a table with its unit', async () => {
    const found = await inspect({
      latitude: 46,
      longitude: 9,
      hourly_units: { precipitation: 'mm' },
      hourly: { time: ['2026-01-01T00:00'], precipitation: [1] },
    });
    expect(found).toMatchObject({ rows: 1, unit: [{ value: 'mm' }], crs: [{ value: 'EPSG:4326' }] });
  });

  it('rasters', async () => {
    const tif = await inspectUpload(sampleFiles().get('terrain.tif') ?? new Uint8Array(), 'dem.tif');
    expect(tif).toMatchObject({
      format: 'geotiff',
      crs: [{ value: 'EPSG:32632', basis: 'stated' }],
      raster: { width: 220, height: 150, bands: 1 },
    });
    const grid = await inspect('ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n');
    expect([grid.format, codes(grid)]).toEqual(['asciiGrid', ['CRS_UNSTATED']]);
  });

  it('texts of any size are cut for display', async () => {
    const found = await inspect(`id,lon,lat,rain_mm,${'h'.repeat(5000)}\n${'x'.repeat(100_000)},9,46,1,2\n`);
    expect(JSON.stringify(found).length).toBeLessThan(3000);
  });

  it.each([
    ['truncated JSON', '{"type":"FeatureCollection","features":['],
    ['5 000 levels', `{"type":"Polygon","coordinates":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['a TIFF that declares 10^12 cells', tiffOf(1_000_000, 1_000_000)],
    ['markup', '<html></html>'],
  ])('%s is refused', async (_, file) => {
    const start = performance.now();
    const work = typeof file === 'string' ? inspect(file) : inspectUpload(file, 'x.tif');
    expect(await rejection(work)).toBe('UPLOAD_INVALID');
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

/** Smallest little-endian TIFF that declares these sides and holds nothing. */
function tiffOf(width: number, height: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(200));
  view.setUint32(0, 0x002a4949, true);
  view.setUint32(4, 8, true);
  const fields = [
    [256, width],
    [257, height],
    [258, 32],
    [259, 1],
    [262, 1],
    [273, 150],
    [277, 1],
    [278, height],
    [279, 4],
  ] as const;
  view.setUint16(8, fields.length, true);
  fields.forEach(([tag, value], n) => {
    view.setUint16(10 + n * 12, tag, true);
    view.setUint16(12 + n * 12, 4, true);
    view.setUint32(14 + n * 12, 1, true);
    view.setUint32(18 + n * 12, value, true);
  });
  return new Uint8Array(view.buffer);
}
