import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import { overlayExposureTool } from '../../../../src/tools/gis/exposure/tool.ts';
import { transformer } from '../../../../src/tools/gis/crs/transformer.ts';
import {
  asInput,
  codeOf,
  failedChecks,
  feature,
  features,
  featuresOf,
  jsonOf,
  output,
  point,
  rainRaster,
  rasterInput,
  runTool,
  type TestFeature,
} from '../../../support/gis/inputs.ts';

/** Four columns west to east: 50, 31, 10 mm and nothing; cells of 100 m. */
const surface = rainRaster(
  [
    [50, 31, 10, NaN],
    [50, 31, 10, NaN],
  ],
  5,
  { metadata: { WINDOW_FROM: '2026-03-01T00:00:00Z', WINDOW_TO: '2026-03-02T00:00:00Z' } },
);
const at = (id: string, column: number): TestFeature => point(id, 2_600_050 + column * 100, 1_199_950);
const assets: TestFeature[] = [
  at('wet', 0),
  at('perhaps', 1),
  at('dry', 2),
  at('unknown', 3),
  feature('road', {
    type: 'LineString',
    coordinates: [
      [2_600_000, 1_199_950],
      [2_600_400, 1_199_950],
    ],
  }),
  feature('town', {
    type: 'Polygon',
    coordinates: [
      [
        [2_600_000, 1_199_800],
        [2_600_200, 1_199_800],
        [2_600_200, 1_200_000],
        [2_600_000, 1_200_000],
        [2_600_000, 1_199_800],
      ],
    ],
  }),
  feature('nowhere', null),
];
const overlay = (list = assets, args: object = { thresholdMm: 30 }, crs = 'EPSG:2056') =>
  runTool(overlayExposureTool, args, { hazard: rasterInput(surface), assets: features(list, crs) });

describe('gis.overlayExposure', () => {
  it('classes points, lines and polygons, and counts what has no place', async () => {
    const result = await overlay();
    const classes = Object.fromEntries(
      featuresOf(result).features.map(({ id, properties }) => [id, properties['class']]),
    );
    expect(classes).toEqual({
      wet: 'exceeds',
      perhaps: 'undecided',
      dry: 'below',
      unknown: 'notAssessed',
      road: 'exceeds',
      town: 'exceeds',
      nowhere: 'notAssessed',
    });
    const summary = jsonOf(result, 'summary');
    expect(summary).toMatchObject({
      total: 7,
      atLeast: 3,
      upTo: 6,
      notes: { noGeometry: 1, outsideSurface: 1, partlyOutside: 1 },
    });
    expect(summary.notAssessedShare).toBeCloseTo(2 / 7, 6);
    expect(summary.byClass.exceeds).toEqual({
      count: 3,
      measures: {
        count: { exposed: 1, total: 1 },
        length_m: { exposed: 100, total: 400 },
        area_share: { exposed: 0.5, total: 1 },
      },
    });
    expect(failedChecks(result)).toEqual([]);
  });

  it('keeps ids, order, geometry and own properties; an own property of the same name is kept aside', async () => {
    const own = feature('x', assets[0]!.geometry, { class: 'hospital', beds: 7, __proto__: null });
    const [one] = featuresOf(await overlay([own])).features;
    expect(one).toMatchObject({
      id: 'x',
      geometry: own.geometry,
      properties: { class: 'exceeds', original_class: 'hospital', beds: 7 },
    });
  });

  it('is byte-identical for equal inputs', async () => {
    const [one, two] = [await overlay(), await overlay()];
    for (const port of ['features', 'summary']) expect(output(one, port).bytes).toEqual(output(two, port).bytes);
  });

  it('takes a percentile of the surface and prints the millimetres', async () => {
    const { threshold } = jsonOf(
      await overlay(assets, { threshold: { basis: 'percentile', percentile: 50, source: 'test' } }),
      'summary',
    );
    expect(threshold).toEqual({ basis: 'percentile', percentile: 50, mm: 31, durationHours: null, source: 'test' });
  });

  it('decides more with less confidence asked for', async () => {
    const strict = jsonOf(await overlay(assets, { thresholdMm: 30, confidence: 0.999 }), 'summary');
    const lax = jsonOf(await overlay(assets, { thresholdMm: 30, confidence: 0.55 }), 'summary');
    expect(lax.byClass.undecided.count).toBeLessThan(strict.byClass.undecided.count);
  });

  it('O-38 carries assets in degrees over, says so, and leaves their geometry in degrees as plain GeoJSON', async () => {
    const back = transformer('EPSG:2056', 'EPSG:4326');
    const inDegrees = [0, 1, 2, 3].map((column) => point(String(column), ...back(2_600_050 + column * 100, 1_199_950)));
    const result = await overlay(inDegrees, { thresholdMm: 30 }, 'EPSG:4326');
    expect(featuresOf(result).features.map(({ properties }) => properties['class'])).toEqual([
      'exceeds',
      'undecided',
      'below',
      'notAssessed',
    ]);
    expect(jsonOf(result, 'summary').reprojected).toEqual({ from: 'EPSG:4326', to: 'EPSG:2056' });
    expect(output(result, 'features')).toMatchObject({
      mediaType: 'application/geo+json',
      type: { crs: 'EPSG:4326', role: 'result' },
    });
    expect(featuresOf(result)['crs']).toBeUndefined();
    expect(featuresOf(result).features[0]?.geometry).toEqual(inDegrees[0]?.geometry);
  });

  it('in another system travels under our own media type with crs', async () => {
    const result = await overlay();
    expect(output(result, 'features').mediaType).toBe('application/vnd.geoagent.features+json');
    expect(featuresOf(result)['crs']).toBe('EPSG:2056');
  });

  it('O-38 refuses assets that are all elsewhere, and positions that cannot be in their system', async () => {
    expect(await codeOf(overlay([point('x', 2_700_000, 1_100_000)]))).toBe('EXTENT_DISJOINT');
    expect(await codeOf(overlay([point('x', 1_199_950, 2_600_050)]))).toBe('CRS_MISMATCH');
    expect(await codeOf(overlay([point('x', 2_600_050, 1_199_950)], { thresholdMm: 30 }, 'EPSG:4326'))).toBe(
      'CRS_MISMATCH',
    );
  });

  it('refuses an empty set; takes one where nothing has a place', async () => {
    expect(await codeOf(overlay([]))).toBe('EMPTY_RESULT');
    expect(
      jsonOf(await overlay([feature('a', null), feature('b', { type: 'Point', coordinates: [] })]), 'summary'),
    ).toMatchObject({ total: 2, atLeast: 0, upTo: 2, notAssessedShare: 1 });
  });

  it('refuses a threshold for another duration than the rain', async () => {
    expect(await codeOf(overlay(assets, { threshold: { basis: 'fixed', mm: 30, durationHours: 1 } }))).toBe(
      'WINDOW_MISMATCH',
    );
  });

  it('refuses files that are not features', async () => {
    for (const text of [
      '',
      '[]',
      '{"type":"FeatureCollection"}',
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":["1",2]}}]}',
    ]) {
      const bad = asInput(new TextEncoder().encode(text), 'application/geo+json', {
        kind: 'features',
        geometry: null,
        crs: null,
        role: 'assets',
        fields: null,
      });
      expect(
        await codeOf(runTool(overlayExposureTool, { thresholdMm: 30 }, { hazard: rasterInput(surface), assets: bad })),
      ).toBe('STATE_INVALID');
    }
  });

  it.each([
    [{}],
    [{ thresholdMm: 0 }],
    [{ thresholdMm: -5 }],
    [{ thresholdMm: 30, threshold: { basis: 'fixed', mm: 30 } }],
    [{ threshold: { basis: 'alertZones', mm: 30 } }],
    [{ threshold: { basis: 'returnPeriod', mm: 30 } }],
    [{ threshold: { basis: 'percentile', percentile: 101 } }],
    [{ threshold: { basis: 'percentile', mm: 3 } }],
    [{ thresholdMm: 30, confidence: 0.5 }],
    [{ thresholdMm: 30, confidence: 1 }],
    [{ thresholdMm: 30, extra: 1 }],
  ])('refuses the arguments %j', (args) => {
    expect(overlayExposureTool.input.safeParse(args).success).toBe(false);
  });
});

describe('types of gis.overlayExposure', () => {
  const hazard: PortType = {
    kind: 'raster',
    crs: 'EPSG:2056',
    unit: 'mm',
    role: 'rain',
    resolution: null,
    extent: null,
    noData: null,
  };
  const sites: PortType = {
    kind: 'features',
    geometry: 'point',
    crs: 'EPSG:4326',
    role: 'assets',
    fields: { name: { type: 'string' } },
  };
  const rule = (inputs: Record<string, PortType>) =>
    overlayExposureTool.types({ inputs: new Map(Object.entries(inputs)), args: {} });

  it('O-38 refuse known systems that differ and offer the reprojection of the assets', () => {
    expect(rule({ hazard, assets: sites }).problems).toEqual([
      expect.objectContaining({
        code: 'CRS_MISMATCH',
        port: 'assets',
        insert: { tool: 'gis.reproject', inputPort: 'features', outputPort: 'features', args: { crs: 'EPSG:2056' } },
      }),
    ]);
  });

  it('say nothing while a system is not known, or when aliases name the same', () => {
    expect(rule({ hazard: { ...hazard, crs: null }, assets: sites }).problems).toEqual([]);
    expect(
      rule({ hazard: { ...hazard, crs: 'EPSG:3857' }, assets: { ...sites, crs: 'EPSG:102100' } }).problems,
    ).toEqual([]);
  });

  it('refuse another unit', () => {
    expect(rule({ hazard: { ...hazard, unit: 'm' }, assets: { ...sites, crs: null } }).problems[0]?.code).toBe(
      'UNIT_MISMATCH',
    );
  });

  it('promise results with the fields of the assets and the new ones', () => {
    const type = rule({ hazard, assets: { ...sites, crs: 'EPSG:2056' } }).outputs.get('features');
    expect(type).toMatchObject({
      kind: 'features',
      role: 'result',
      crs: 'EPSG:2056',
      geometry: 'point',
      fields: { name: { type: 'string' }, rain_mm: { unit: 'mm' }, class: {} },
    });
  });
});
