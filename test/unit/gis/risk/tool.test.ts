import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import { transformer } from '../../../../src/tools/gis/crs/transformer.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { reprojectRaster } from '../../../../src/tools/gis/reproject/reprojectRaster.ts';
import { intersectRiskTool } from '../../../../src/tools/gis/risk/intersectTool.ts';
import { DEFAULT_MATRIX } from '../../../../src/tools/gis/risk/matrix.ts';
import { computeRiskTool } from '../../../../src/tools/gis/risk/tool.ts';
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
  rasterInput,
  runTool,
  terrainRaster,
} from '../../../support/gis/inputs.ts';

/** 20 × 20 cells of 100 m: rain rises from west (0 mm) to east (114 mm), the northern half is flat, the southern at 45°. */
const rain = rainRaster(
  Array.from({ length: 20 }, () => Array.from({ length: 20 }, (_, column) => column * 6)),
  3,
);
const terrain = terrainRaster(20, 20, (_column, row) => (row < 10 ? 1000 : 1000 - (row - 9.5) * 100));
const at = (id: string, column: number, row: number) => point(id, 2_600_050 + column * 100, 1_199_950 - row * 100);
const sites = [
  at('flat dry', 1, 2),
  at('steep dry', 1, 16),
  at('flat wet', 19, 2),
  at('steep wet', 19, 16),
  feature('nowhere', null),
  point('outside', 2_650_000, 1_199_000),
];
const compute = (args: object = {}, more: object = {}) =>
  runTool(computeRiskTool, args, {
    rain: rasterInput(rain),
    terrain: rasterInput(terrain),
    assets: features(sites),
    ...more,
  });

describe('gis.computeRisk', () => {
  it('gives every asset the class of its place, with the rain and slope it rests on', async () => {
    const result = await compute();
    const found = Object.fromEntries(
      featuresOf(result).features.map(({ id, properties }) => [id, properties['screeningClass']]),
    );
    expect(found).toEqual({
      'flat dry': 'low',
      'steep dry': 'moderate',
      'flat wet': 'high',
      'steep wet': 'very high',
      nowhere: null,
      outside: null,
    });
    const steep = featuresOf(result).features.find(({ id }) => id === 'steep wet')?.properties;
    expect(steep).toMatchObject({ screeningRank: 3, rain_mm: 114 });
    expect(steep?.['slope_deg']).toBeCloseTo(45, 1);
    expect(failedChecks(result)).toEqual([]);
  });

  it('prints the matrix, and that it is a screening, with features and raster', async () => {
    const result = await compute();
    expect(featuresOf(result)['screening']).toMatchObject({
      matrix: DEFAULT_MATRIX,
      notAssessed: 2,
      total: 6,
      byClass: { low: 1, moderate: 1, high: 1, 'very high': 1 },
    });
    expect(featuresOf(result)['screening'].note).toContain('not an official warning');
    const raster = await readRaster(asNext(result, 'raster'), ['screening']);
    expect(JSON.parse(raster.metadata['MATRIX'] ?? '')).toEqual(DEFAULT_MATRIX);
    expect(raster.bands.map(({ name }) => name)).toEqual(['screening_rank', 'rain_mm', 'slope_deg']);
    expect(output(result, 'raster').type).toMatchObject({ role: 'screening', unit: 'class' });
  });

  it('uses the matrix of the plan', async () => {
    const matrix = {
      rainClasses: [50],
      slopeClasses: [30],
      classes: ['fine', 'look'],
      cells: [
        [0, 0],
        [0, 1],
      ],
    };
    const found = featuresOf(await compute({ matrix })).features.map(({ properties }) => properties['screeningClass']);
    expect(found).toEqual(['fine', 'fine', 'fine', 'look', null, null]);
  });

  it('reports a matrix that lowers a class for more rain, without failing the node', async () => {
    const matrix = {
      rainClasses: [50],
      slopeClasses: [30],
      classes: ['fine', 'look'],
      cells: [
        [1, 1],
        [0, 0],
      ],
    };
    const failed = (await compute({ matrix })).checks.filter(({ passed }) => !passed);
    expect(failed).toEqual([expect.objectContaining({ name: 'the matrix is monotone', severity: 'report' })]);
  });

  it('takes the highest class along a road, and the wettest cell of that class', async () => {
    const road = feature('road', {
      type: 'LineString',
      coordinates: [
        [2_600_050, 1_198_350],
        [2_601_950, 1_198_350],
      ],
    });
    const [one] = featuresOf(await compute({}, { assets: features([road]) })).features;
    expect(one?.properties).toMatchObject({ screeningClass: 'very high', rain_mm: 114, coverage: 1 });
  });

  it('brings terrain of another grid and another metric system onto the grid of the rain', async () => {
    const coarse = terrainRaster(12, 12, (_column, row) => 3000 - row * 200, {
      cellSize: 200,
      originX: 2_599_800,
      originY: 1_200_200,
    });
    const moved = reprojectRaster(coarse, 'EPSG:32632');
    const raster = await readRaster(asNext(await compute({}, { terrain: rasterInput(moved) }), 'raster'), [
      'screening',
    ]);
    expect([raster.width, raster.cellSize, raster.crs]).toEqual([20, 100, 'EPSG:2056']);
    expect(bandOf(raster, 'slope_deg')[210]).toBeCloseTo(45, 0);
  });

  it('moves terrain in degrees to the system of the rain where no type could tell before', async () => {
    const degrees = reprojectRaster(
      terrainRaster(60, 60, (_column, row) => 5000 - row * 50, {
        cellSize: 50,
        originX: 2_599_500,
        originY: 1_200_500,
      }),
      'EPSG:4326',
    );
    const raster = await readRaster(asNext(await compute({}, { terrain: rasterInput(degrees) }), 'raster'), [
      'screening',
    ]);
    expect(raster.metadata['METHOD']).toContain('reprojected from EPSG:4326');
    expect(bandOf(raster, 'slope_deg')[210]).toBeCloseTo(45, 0);
  });

  it('O-37 has no class where rain or terrain is missing', async () => {
    const holed = terrainRaster(20, 20, (column, row) => (column < 5 ? NaN : row));
    const raster = await readRaster(asNext(await compute({}, { terrain: rasterInput(holed) }), 'raster'), [
      'screening',
    ]);
    const ranks = bandOf(raster, 'screening_rank');
    expect([ranks[0], ranks[10]]).toEqual([NaN, expect.any(Number)]);
    expect(ranks[10]).not.toBeNaN();
  });

  it('refuses rain and terrain that do not meet, and assets that are all elsewhere', async () => {
    const far = terrainRaster(5, 5, () => 1, { originX: 2_700_000, originY: 1_100_000 });
    expect(await codeOf(compute({}, { terrain: rasterInput(far) }))).toBe('EXTENT_DISJOINT');
    expect(await codeOf(compute({}, { assets: features([point('x', 2_700_000, 1_100_000)]) }))).toBe('EXTENT_DISJOINT');
  });

  it('is byte-identical for equal inputs', async () => {
    const [one, two] = [await compute(), await compute()];
    for (const port of ['features', 'raster']) expect(output(one, port).bytes).toEqual(output(two, port).bytes);
  });
});

describe('gis.intersectRisk', () => {
  it('says of other assets what computeRisk says, from the raster alone', async () => {
    const computed = await compute();
    const again = await runTool(
      intersectRiskTool,
      {},
      { screening: asNext(computed, 'raster'), assets: features(sites) },
    );
    expect(featuresOf(again).features).toEqual(featuresOf(computed).features);
    expect(failedChecks(again)).toEqual([]);
  });

  it('carries assets in degrees over and says so', async () => {
    const back = transformer('EPSG:2056', 'EPSG:4326');
    const site = point('d', ...back(2_601_950, 1_198_350));
    const again = await runTool(
      intersectRiskTool,
      {},
      { screening: asNext(await compute(), 'raster'), assets: features([site], 'EPSG:4326') },
    );
    expect(featuresOf(again).features[0]?.properties['screeningClass']).toBe('very high');
    expect(featuresOf(again)['reprojected']).toEqual({ from: 'EPSG:4326', to: 'EPSG:2056' });
  });

  it('refuses a raster that does not say its matrix, and one of rain', async () => {
    const { metadata: _none, ...raster } = await readRaster(asNext(await compute(), 'raster'), ['screening']);
    const bare = rasterInput({ ...raster, metadata: {} });
    expect(await codeOf(runTool(intersectRiskTool, {}, { screening: bare, assets: features(sites) }))).toBe(
      'STATE_INVALID',
    );
    expect(
      await codeOf(runTool(intersectRiskTool, {}, { screening: rasterInput(rain), assets: features(sites) })),
    ).toBe('STATE_INVALID');
  });
});

describe('types of the screening tools', () => {
  const rainType: PortType = {
    kind: 'raster',
    crs: 'EPSG:2056',
    unit: 'mm',
    role: 'rain',
    resolution: 100,
    extent: [0, 0, 10, 10],
    noData: null,
  };
  const ground: PortType = { ...rainType, unit: 'm', role: 'terrain' };
  const assets: PortType = { kind: 'features', geometry: null, crs: 'EPSG:2056', role: 'assets', fields: null };
  const rule = (change: Record<string, PortType> = {}) =>
    computeRiskTool.types({
      inputs: new Map(Object.entries({ rain: rainType, terrain: ground, assets, ...change })),
      args: {},
    });
  const codes = (change: Record<string, PortType>): string[] => rule(change).problems.map(({ code }) => code);

  it('let a sound plan pass, and one where nothing is known yet', () => {
    expect(rule().problems).toEqual([]);
    expect(
      codes({
        rain: { ...rainType, crs: null, extent: null },
        terrain: { ...ground, crs: null, extent: null },
        assets: { ...assets, crs: null },
      }),
    ).toEqual([]);
    expect(rule().outputs.get('raster')).toMatchObject({ role: 'screening', crs: 'EPSG:2056', extent: [0, 0, 10, 10] });
    expect(rule().outputs.get('features')).toMatchObject({ role: 'result', crs: 'EPSG:2056' });
  });

  it('refuse what does not go together', () => {
    expect(codes({ assets: { ...assets, crs: 'EPSG:4326' } })).toEqual(['CRS_MISMATCH']);
    expect(codes({ terrain: { ...ground, crs: 'EPSG:4326', extent: [8, 46, 9, 47] } })).toEqual(['CRS_NOT_PROJECTED']);
    expect(codes({ terrain: { ...ground, extent: [20, 20, 30, 30] } })).toEqual(['EXTENT_DISJOINT']);
    expect(codes({ terrain: { ...ground, unit: 'ft' } })).toEqual(['UNIT_MISMATCH']);
    expect(codes({ rain: { ...rainType, unit: 'in' } })).toEqual(['UNIT_MISMATCH']);
  });

  it('of gis.intersectRisk refuse another system and offer the reprojection', () => {
    const screening: PortType = { ...rainType, role: 'screening', unit: 'class' };
    const inputs = new Map<string, PortType>([
      ['screening', screening],
      ['assets', { ...assets, crs: 'EPSG:4326' }],
    ]);
    expect(intersectRiskTool.types({ inputs, args: {} }).problems).toEqual([
      expect.objectContaining({
        code: 'CRS_MISMATCH',
        insert: expect.objectContaining({ args: { crs: 'EPSG:2056' } }),
      }),
    ]);
  });
});
