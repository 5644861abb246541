import { describe, expect, it } from 'vitest';
import { loadAssetsTool } from '../../../src/tools/gis/assets/tool.ts';
import { input, json, rejection, runTool } from '../toolRun.ts';

const args = { source: { upload: 'a'.repeat(64) } };
const load = async (file: string | Uint8Array | object, name = 'x') =>
  runTool(loadAssetsTool, args, { source: input(file, name) });
const one = (properties: object, id?: string): object => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', id, geometry: { type: 'Point', coordinates: [9, 46] }, properties }],
});

describe('hostile texts stay data', () => {
  it.each([
    '<script>alert(1)</script>',
    '</script><!--',
    '\u202eevil',
    'a\u200bb\u0000c',
    '=1+1',
    '{{x}}${y}',
    'x'.repeat(1024 * 1024),
  ])('name %#', async (name) => {
    const out = json(await load(one({ name, [name.slice(0, 50)]: 1 }, name)), 'features');
    expect(out.features[0].properties.name).toBe(name);
    expect(out.features[0].id).toBe(name);
    expect(out.features[0].properties[name.slice(0, 50)]).toBe(1);
  });

  it('__proto__ as a property changes no prototype: left out and counted; constructor is a property', async () => {
    const text = JSON.stringify(one({ constructor: 'c' })).replace(
      '"constructor"',
      '"__proto__":{"polluted":true},"constructor"',
    );
    const out = json(await load(text), 'features');
    expect(out.features[0].properties).toEqual({ constructor: 'c' });
    expect(out.report.counts['PROPERTY_DROPPED']).toBe(1);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('a lone surrogate cannot be written: replaced and counted', async () => {
    const out = json(
      await load(
        '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[9,46]},"properties":{"name":"a\\ud800b"}}]}',
      ),
      'features',
    );
    expect(out.features[0].properties.name).toBe('a\ufffdb');
    expect(out.report.counts['TEXT_REPAIRED']).toBe(1);
  });
});

describe('hostile files are refused in bounded time', () => {
  const refused = async (file: string | Uint8Array, name = 'x.geojson'): Promise<void> => {
    const start = performance.now();
    expect(await rejection(load(file, name))).toBe('UPLOAD_INVALID');
    expect(performance.now() - start).toBeLessThan(5000);
  };
  const deep = `{"type":"FeatureCollection","features":[${'{"a":['.repeat(2500)}${']}'.repeat(2500)}]}`;

  it('5 000 levels deep', async () => refused(deep));
  it('5 000 levels of coordinates', async () =>
    refused(`{"type":"Polygon","coordinates":${'['.repeat(5000)}${']'.repeat(5000)}}`));
  it('truncated in the middle', async () => refused(JSON.stringify(one({ name: 'x' })).slice(0, -12)));
  it('truncated inside a text', async () => refused(JSON.stringify(one({ name: 'x' })).slice(0, -6)));
  it('TopoJSON', async () => refused('{"type":"Topology","objects":{}}'));
  it('Esri JSON', async () =>
    refused('{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":102100},"features":[]}'));
  it('a zip archive under a friendly name', async () => refused(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])));
  it('a GeoPackage', async () => refused(new TextEncoder().encode('SQLite format 3\0........')));
  it('a raster', async () => refused(new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0])));
  it('a CSV with a line of ten megabytes', async () => refused(`id,lon,lat\n${'9,'.repeat(5_000_000)}`, 'x.csv'));
  it('UTF-16 JSON', async () => refused(Buffer.from(JSON.stringify(one({})), 'utf16le')));

  it('four hundred thousand positions are read in bounded time', async () => {
    const line = Array.from({ length: 40_000 }, (_, n) => [9 + (n % 100) / 1000, 46 + n / 1e6]);
    const features = Array.from({ length: 10 }, () => ({
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: line },
      properties: {},
    }));
    const start = performance.now();
    const result = await load({ type: 'FeatureCollection', features });
    expect(result.checks.every((check) => check.passed)).toBe(true);
    expect(performance.now() - start).toBeLessThan(30_000);
  }, 60_000);
});
