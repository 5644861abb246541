import { describe, expect, it } from 'vitest';
import { loadAssetsTool } from '../../../src/tools/gis/assets/tool.ts';
import { input, json, rejection, runTool } from '../toolRun.ts';

const args = { source: { upload: 'a'.repeat(64) } };
const load = async (file: string | object, more: Record<string, unknown> = {}, name = 'assets.geojson') =>
  runTool(loadAssetsTool, { ...args, ...more }, { source: input(file, name) });
const collection = (features: unknown[], extra: object = {}): object => ({
  type: 'FeatureCollection',
  features,
  ...extra,
});
const feature = (geometry: unknown, properties: unknown = {}, id?: string | number): object => ({
  type: 'Feature',
  ...(id === undefined ? {} : { id }),
  geometry,
  properties,
});
const point = (x: number, y: number): object => ({ type: 'Point', coordinates: [x, y] });
const polygon = (...ring: number[][]): object => ({ type: 'Polygon', coordinates: [ring] });
const message = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => (error as Error).message,
  );

describe('gis.loadAssets reads GeoJSON', () => {
  it('points, lines and polygons with their properties; mixed geometry in the type', async () => {
    const file = collection([
      feature(point(9, 46), { name: 'A', beds: 12 }, 'h1'),
      feature(
        {
          type: 'LineString',
          coordinates: [
            [9, 46],
            [9.1, 46.1],
          ],
        },
        { name: 'B', beds: null },
      ),
      feature(polygon([9, 46], [9.1, 46], [9.1, 46.1], [9, 46]), { name: 'C', beds: 3 }),
    ]);
    const result = await load(file);
    const out = json(result, 'features');
    expect(out.features.map((one: { id: string }) => one.id)).toEqual(['h1', 'asset-2', 'asset-3']);
    expect(result.outputs.get('features')?.type).toEqual({
      kind: 'features',
      geometry: 'mixed',
      crs: 'EPSG:4326',
      role: 'assets',
      fields: { name: { type: 'text' }, beds: { type: 'number' } },
    });
    expect(result.outputs.get('features')?.mediaType).toBe('application/geo+json');
    expect(out.source).toMatchObject({ kind: 'upload', name: 'assets.geojson' });
    expect(out.report).toMatchObject({ features_total: 3, features_accepted: 3, counts: { ID_GENERATED: 2 } });
  });

  it('what has no usable geometry is left out and counted', async () => {
    const file = collection([
      feature(point(9, 46)),
      feature(null),
      feature({ type: 'Point', coordinates: [] }),
      feature({ type: 'Point', coordinates: ['9', '46'] }),
      feature({ type: 'Point', coordinates: [9] }),
      feature({ type: 'LineString', coordinates: [[9, 46]] }),
      feature({
        type: 'LineString',
        coordinates: [
          [9, 46],
          [9, 46],
        ],
      }),
      feature({ type: 'Circle', coordinates: [9, 46] }),
      feature(polygon([9, 46], [9.1, 46], [9, 46], [9, 46])),
      feature({ type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [point(9, 46)] }] }),
      'not a feature',
    ]);
    const { report } = json(await load(file), 'features');
    expect(report).toMatchObject({ features_total: 11, features_accepted: 1, features_rejected: 10 });
    expect(report.counts).toMatchObject({
      NULL_GEOMETRY: 1,
      GEOMETRY_EMPTY: 1,
      GEOMETRY_UNSUPPORTED: 2,
      RING_INVALID: 1,
    });
    expect(report.rejected[0]).toEqual({ at: 2, reason: 'NULL_GEOMETRY' });
  });

  it('open rings are closed and outer rings turned counter-clockwise: no shape changes, both are counted', async () => {
    const file = collection([feature(polygon([9, 46], [9, 46.1], [9.1, 46.1], [9.1, 46]))]);
    const out = json(await load(file), 'features');
    expect(out.features[0].geometry.coordinates).toEqual([
      [
        [9, 46],
        [9.1, 46],
        [9.1, 46.1],
        [9, 46.1],
        [9, 46],
      ],
    ]);
    expect(out.report.counts).toEqual({ ID_GENERATED: 1, RING_CLOSED: 1, RING_ORDER_FIXED: 1 });
  });

  it('holes run the other way; heights are dropped and counted', async () => {
    const outer = [
      [9, 46, 1],
      [9.3, 46, 1],
      [9.3, 46.3, 1],
      [9, 46.3, 1],
      [9, 46, 1],
    ];
    const hole = [
      [9.1, 46.1],
      [9.2, 46.1],
      [9.2, 46.2],
      [9.1, 46.2],
      [9.1, 46.1],
    ];
    const out = json(await load(collection([feature({ type: 'Polygon', coordinates: [outer, hole] })])), 'features');
    expect(out.features[0].geometry.coordinates[0][1]).toEqual([9.3, 46]);
    expect(out.features[0].geometry.coordinates[1][1]).toEqual([9.1, 46.2]);
    expect(out.report.counts).toMatchObject({ Z_DROPPED: 5, RING_ORDER_FIXED: 1 });
  });

  it('ids are unique whatever the file says', async () => {
    const file = collection([
      feature(point(9, 46), {}, 'a'),
      feature(point(9, 46), {}, 'a'),
      feature(point(9, 46), { id: 'a~2' }),
      feature(point(9, 46), { id: 7 }),
      feature(point(9, 46), { id: '7' }),
    ]);
    const out = json(await load(file), 'features');
    expect(out.features.map((one: { id: string }) => one.id)).toEqual(['a', 'a~2', 'a~2~2', '7', '7~2']);
    expect(out.report.counts).toEqual({ DUPLICATE_ID: 3 });
  });

  it('a single feature and a bare geometry are collections of one', async () => {
    expect(json(await load(feature(point(9, 46))), 'features').features).toHaveLength(1);
    expect(json(await load(point(9, 46)), 'features').features).toHaveLength(1);
  });

  it('columns choose what is kept, the name and the id', async () => {
    const file = collection([feature(point(9, 46), { code: 'x1', label: 'Ospedale', secret: 's', name: 'old' })]);
    const out = json(await load(file, { columns: { id: 'code', name: 'label', keep: ['code'] } }), 'features');
    expect(out.features[0]).toMatchObject({
      id: 'x1',
      properties: { code: 'x1', label: 'Ospedale', name: 'Ospedale' },
    });
    expect(out.features[0].properties).not.toHaveProperty('secret');
  });

  it('zones are features of another role', async () => {
    const result = await load(collection([feature(polygon([9, 46], [9.1, 46], [9.1, 46.1], [9, 46]))]), {
      role: 'zones',
    });
    expect(result.outputs.get('features')?.type).toMatchObject({ role: 'zones', geometry: 'polygon' });
  });

  it('nested property values become their text', async () => {
    const out = json(await load(collection([feature(point(9, 46), { tags: { a: [1, 2] } })])), 'features');
    expect(out.features[0].properties.tags).toBe('{"a":[1,2]}');
  });
});

describe('O-38 where assets can be', () => {
  it('O-38 metres declared as degrees are refused, with what they look like', async () => {
    expect(await message(load(collection([feature(point(-11_788_432, 4_821_816))])))).toContain('look like metres');
  });

  it('O-38 pairs that are valid only when exchanged: refused with that suggestion, never exchanged', async () => {
    const file = collection([feature(point(46, 139)), feature(point(45.5, 139.5))]);
    expect(await rejection(load(file))).toBe('CRS_MISMATCH');
    expect(await message(load(file))).toContain('x and y exchanged');
  });

  it('one exchanged asset among many is left out and counted', async () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      feature(point(13.3 + (n % 4) * 0.05, 52.4 + n * 0.01), {}, `b${n}`),
    );
    const out = json(await load(collection([...many, feature(point(52.5, 13.4), {}, 'berlin')])), 'features');
    expect(out.report.rejected).toEqual([{ at: 13, id: 'berlin', reason: 'COORD_SWAP_SUSPECTED' }]);
    expect(out.features).toHaveLength(12);
  });

  it('O-38 a polygon across 180° is left out, not drawn around the world', async () => {
    const across = polygon([170, -20], [-170, -20], [-170, -10], [170, -10], [170, -20]);
    const out = json(
      await load(collection([feature(across, {}, 'fiji'), feature(point(178, -18), {}, 'suva')])),
      'features',
    );
    expect(out.report.rejected).toEqual([{ at: 1, id: 'fiji', reason: 'CROSSES_180' }]);
  });

  it.each([
    ['urn:ogc:def:crs:EPSG::2056', [2_600_000, 1_200_000]],
    ['EPSG:32632', [500_000, 5_100_000]],
  ])('a legacy crs member is respected: %s', async (name, coordinates) => {
    const result = await load(
      collection([feature({ type: 'Point', coordinates })], { crs: { type: 'name', properties: { name } } }),
    );
    expect(result.outputs.get('features')?.type).toMatchObject({ crs: `EPSG:${name.split(':').at(-1)}` });
    expect(result.outputs.get('features')?.mediaType).toBe('application/vnd.geoagent.features+json');
  });

  it('argument and crs member must not disagree; an unknown member needs the argument', async () => {
    const file = (name: string): object =>
      collection([feature(point(2_600_000, 1_200_000))], { crs: { type: 'name', properties: { name } } });
    expect(await rejection(load(file('EPSG:2056'), { crs: 'EPSG:4326' }))).toBe('CRS_MISMATCH');
    expect(await rejection(load(file('my own system')))).toBe('CRS_MISMATCH');
    expect(json(await load(file('my own system'), { crs: 'EPSG:2056' }), 'features').crs).toBe('EPSG:2056');
  });
});
