import { describe, expect, it } from 'vitest';
import type { PortType } from '../../../../src/catalog/portTypes.ts';
import { interpolateTool } from '../../../../src/tools/gis/interpolate/tool.ts';
import { readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import {
  asInput,
  asNext,
  codeOf,
  failedChecks,
  feature,
  features,
  jsonOf,
  observations,
  output,
  point,
  runTool,
} from '../../../support/gis/inputs.ts';

const stations = [
  { id: 'a', x: 2_600_000, y: 1_200_000, mm: 10 },
  { id: 'b', x: 2_610_000, y: 1_200_000, mm: 30 },
  { id: 'c', x: 2_600_000, y: 1_210_000, mm: 20 },
  { id: 'd', x: 2_607_000, y: 1_209_000, mm: 0 },
];
const run = (args: object = {}, more: object = {}) =>
  runTool(interpolateTool, args, { observations: observations(stations), ...more });

describe('gis.interpolate', () => {
  it('gives a two-band raster in mm, quality and an empty table', async () => {
    const result = await run();
    const raster = await readRaster(asNext(result, 'raster'), ['rain']);
    expect(raster.bands.map(({ name }) => name)).toEqual(['rain_mm', 'se_mm']);
    expect(output(result, 'raster').type).toMatchObject({
      kind: 'raster',
      role: 'rain',
      unit: 'mm',
      crs: 'EPSG:2056',
      resolution: raster.cellSize,
    });
    expect(raster.metadata).toMatchObject({ LICENCE: 'test data', WINDOW_FROM: '2026-03-01T00:00:00Z', STATIONS: '4' });
    expect(jsonOf(result, 'predictions')).toMatchObject({ rows: [], columns: { rain_mm: { unit: 'mm' } } });
    expect(failedChecks(result)).toEqual([]);
    expect(result.checks.length).toBeGreaterThanOrEqual(4);
  });

  it('is byte-identical for equal inputs', async () => {
    const [one, two] = [await run({ neighbours: 3, power: 2.5 }), await run({ neighbours: 3, power: 2.5 })];
    for (const port of ['raster', 'quality', 'predictions'])
      expect(output(one, port).bytes).toEqual(output(two, port).bytes);
  });

  it('uses resolution, extent and mask as given, and says so', async () => {
    const result = await run({
      resolutionM: 500,
      extent: [2_598_000, 1_198_000, 2_612_000, 1_212_000],
      maxDistanceM: 3000,
    });
    const { parameters, cells } = jsonOf(result, 'quality');
    expect(parameters).toMatchObject({
      resolutionM: 500,
      extentBasis: 'given',
      maxDistanceM: 3000,
      maxDistanceBasis: 'given',
      extent: [2_598_000, 1_198_000, 2_612_000, 1_212_000],
    });
    expect(cells.total).toBe(28 * 28);
    expect(cells.withValue).toBeLessThan(28 * 28);
  });

  it.each([
    [{ method: 'ok' }],
    [{ method: 'tps' }],
    [{ method: 'auto' }],
    [{ power: 0 }],
    [{ power: NaN }],
    [{ neighbours: -1 }],
    [{ neighbours: 2.5 }],
    [{ resolutionM: 0 }],
    [{ extent: [0, 0, 1] }],
    [{ variogram: {} }],
    [{ url: 'http://example.org' }],
  ])('refuses the arguments %j', (args) => {
    expect(interpolateTool.input.safeParse(args).success).toBe(false);
  });

  it('refuses what would take too many cells or too long, saying what to change', async () => {
    await expect(run({ resolutionM: 1 })).rejects.toThrow(/resolutionM/);
  });

  it('refuses an extent far from every gauge', async () => {
    expect(await codeOf(run({ resolutionM: 500, extent: [2_700_000, 1_100_000, 2_710_000, 1_110_000] }))).toBe(
      'EMPTY_RESULT',
    );
  });

  it('refuses fewer than three gauges, and gauges at one place', async () => {
    const few = runTool(interpolateTool, {}, { observations: observations(stations.slice(0, 2)) });
    expect(await codeOf(few)).toBe('TOO_FEW_STATIONS');
    const same = runTool(
      interpolateTool,
      {},
      { observations: observations(stations.map((one) => ({ ...one, x: 2_600_000, y: 1_200_000 }))) },
    );
    expect(await codeOf(same)).toBe('TOO_FEW_STATIONS');
  });

  it('O-37 refuses observations that nobody validated, negative rain and null rain', async () => {
    expect(
      await codeOf(runTool(interpolateTool, {}, { observations: observations(stations, { validated: false }) })),
    ).toBe('STATE_INVALID');
    for (const mm of [-1, null as unknown as number, -9999]) {
      const bad = observations([...stations, { id: 'x', x: 2_601_000, y: 1_201_000, mm }]);
      expect(await codeOf(runTool(interpolateTool, {}, { observations: bad }))).toBe('STATE_INVALID');
    }
  });

  it('O-38 refuses positions that cannot be in the stated system', async () => {
    const swapped = observations(stations.map(({ id, x, y, mm }) => ({ id, x: y, y: x, mm })));
    await expect(runTool(interpolateTool, {}, { observations: swapped })).rejects.toThrow(/exchanged/);
    const degrees = observations(stations, { crs: 'EPSG:4326' });
    expect(await codeOf(runTool(interpolateTool, {}, { observations: degrees }))).toBe('CRS_MISMATCH');
  });

  it('refuses bytes that are not observations', async () => {
    const type: PortType = {
      kind: 'observations',
      quantity: 'rain',
      unit: 'mm',
      valueKind: 'interval',
      window: null,
      crs: null,
      validated: true,
    };
    for (const text of ['', '{}', '[]', '{"version":2}', '\u0000']) {
      const bad = asInput(new TextEncoder().encode(text), 'application/json', type);
      expect(await codeOf(runTool(interpolateTool, {}, { observations: bad }))).toBe('STATE_INVALID');
    }
  });

  it('estimates at point targets in order, in any system, and leaves a null where nothing can be said', async () => {
    const targets = features([
      point('far', 2_700_000, 1_100_000),
      point('a', 2_600_000, 1_200_000),
      feature('area', { type: 'Polygon', coordinates: [] }),
      feature('none', null),
    ]);
    const result = await run({}, { targets });
    expect(jsonOf(result, 'predictions').rows).toEqual([
      { id: 'far', rain_mm: null, se_mm: null },
      { id: 'a', rain_mm: 10, se_mm: 0 },
      { id: 'area', rain_mm: null, se_mm: null },
      { id: 'none', rain_mm: null, se_mm: null },
    ]);
    expect(jsonOf(result, 'quality').targets).toEqual({ given: 4, estimated: 1 });
  });

  it('refuses targets without a single point', async () => {
    expect(await codeOf(run({}, { targets: features([feature('none', null)]) }))).toBe('INVALID_ARGUMENT');
  });
});

describe('types of gis.interpolate', () => {
  const observed = (crs: string | null, more: object = {}): PortType => ({
    kind: 'observations',
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    window: null,
    crs,
    validated: true,
    ...more,
  });
  const rule = (inputs: Record<string, PortType>) =>
    interpolateTool.types({ inputs: new Map(Object.entries(inputs)), args: {} });

  it('keep a metric system and leave the zone for degrees open', () => {
    expect(rule({ observations: observed('EPSG:2056') }).outputs.get('raster')).toMatchObject({
      crs: 'EPSG:2056',
      unit: 'mm',
      role: 'rain',
    });
    expect(rule({ observations: observed('EPSG:4326') })).toMatchObject({ problems: [] });
    expect(rule({ observations: observed('EPSG:4326') }).outputs.get('raster')).toMatchObject({ crs: null });
    expect(rule({ observations: observed(null) }).problems).toEqual([]);
  });

  it('O-38 refuse targets in another known system and offer the reprojection', () => {
    const targets: PortType = { kind: 'features', geometry: 'point', crs: 'EPSG:4326', role: 'assets', fields: null };
    const [problem] = rule({ observations: observed('EPSG:2056'), targets }).problems;
    expect(problem).toMatchObject({
      code: 'CRS_MISMATCH',
      port: 'targets',
      insert: { tool: 'gis.reproject', args: { crs: 'EPSG:2056' } },
    });
    expect(rule({ observations: observed('EPSG:900913'), targets: { ...targets, crs: 'EPSG:3857' } }).problems).toEqual(
      [],
    );
  });

  it('refuse rates and counters, and systems nobody knows', () => {
    expect(rule({ observations: observed('EPSG:2056', { valueKind: 'rate' }) }).problems[0]?.code).toBe(
      'UNIT_MISMATCH',
    );
    expect(rule({ observations: observed('EPSG:999999') }).problems[0]?.code).toBe('CRS_MISMATCH');
  });
});
