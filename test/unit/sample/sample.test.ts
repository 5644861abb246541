import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleSource } from '../../../src/local/sample/index.ts';
import { mulberry32 } from '../../../src/local/sample/random.ts';
import { heightM, hourlyShares, inlandKm, rainMm, SAMPLE_CRS } from '../../../src/local/sample/region.ts';
import { sampleFiles } from '../../../src/local/sample/sampleFiles.ts';
import { loadAssetsTool } from '../../../src/tools/gis/assets/tool.ts';
import { transformer } from '../../../src/tools/gis/crs/transformer.ts';
import { overlayExposureTool } from '../../../src/tools/gis/exposure/tool.ts';
import { interpolateTool } from '../../../src/tools/gis/interpolate/tool.ts';
import { validateObservationsTool } from '../../../src/tools/gis/observations/tool.ts';
import { readRainfallTool } from '../../../src/tools/gis/rainfall/tool.ts';
import { readGeoTiff } from '../../../src/tools/gis/raster/geoTiffReader.ts';
import { loadTerrainTool } from '../../../src/tools/gis/terrain/tool.ts';
import type { ToolInput } from '../../../src/catalog/tool.ts';
import { json, next, runTool } from '../toolRun.ts';

const NOW = Date.parse('2027-03-28T01:47:13Z');
const file = async (kind: string, now = NOW): Promise<ToolInput> => {
  const found = await sampleSource(kind, now);
  if (found === undefined) throw new Error(kind);
  return found;
};

describe('bundled sample', () => {
  it('is what its formulas and seeds make', async () => {
    let total = 0;
    for (const [name, bytes] of sampleFiles()) {
      const committed = readFileSync(new URL(`../../../src/local/sample/data/${name}`, import.meta.url));
      // How well zlib packs a raster depends on its release: cells are compared, not packed bytes.
      if (name.endsWith('.tif')) expect(await readGeoTiff(new Uint8Array(committed))).toEqual(await readGeoTiff(bytes));
      else expect(Buffer.compare(committed, Buffer.from(bytes)), name).toBe(0);
      total += bytes.byteLength;
    }
    expect(total).toBeLessThan(1_500_000);
  });

  it.each(['rainfall', 'assets', 'terrain'])(
    '%s is labelled synthetic, with licence, name and digest',
    async (kind) => {
      const { labels, name, sha256 } = await file(kind);
      expect(labels.integrity).toEqual(['synthetic']);
      expect(labels.licences[0]).toContain('GeoNames');
      expect(name).toMatch(/^sample-/);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  it('has no other kinds', async () => {
    for (const kind of ['', 'gauges.json', '../../package.json', 'constructor'])
      expect(await sampleSource(kind, NOW)).toBeUndefined();
  });

  it('is the same for the same time, and another hour later', async () => {
    expect((await file('rainfall')).sha256).toBe((await file('rainfall')).sha256);
    expect((await file('rainfall', NOW + 60_000)).sha256).toBe((await file('rainfall')).sha256);
    expect((await file('rainfall', NOW + 3_600_000)).sha256).not.toBe((await file('rainfall')).sha256);
  });

  it.each(['2027-03-28T01:00:00Z', '2027-03-28T01:00:01Z', '2027-03-28T01:59:59Z', '2024-02-29T00:30:00Z'])(
    '"the last 24 hours" exist at %s',
    async (at) => {
      const now = Date.parse(at);
      const result = await runTool(
        readRainfallTool,
        { source: 'sample', hours: 24 },
        { source: await file('rainfall', now) },
        now,
      );
      const report = json(result, 'report');
      expect([report.stations_total, report.stations_accepted]).toEqual([62, 61]);
      expect(report.counts).toEqual({ INCOMPLETE_WINDOW: 1, MISSING_BLANK: 1, TRACE_AS_ZERO: 7 });
    },
  );

  it('gauges read the stated field within their noise', async () => {
    const result = await runTool(
      readRainfallTool,
      { source: 'sample', hours: 24 },
      { source: await file('rainfall') },
      NOW,
    );
    const toMetres = transformer('EPSG:4326', SAMPLE_CRS);
    for (const { x, y, mm } of json(result, 'observations').stations) {
      const [east, north] = toMetres(x, y);
      expect(Math.abs(mm - rainMm(east, north)) / rainMm(east, north)).toBeLessThan(0.09);
      expect(inlandKm(east, north)).toBeGreaterThan(0.5);
    }
  });

  it('the whole chain shows all four classes at 30 mm', async () => {
    const rain = await runTool(
      readRainfallTool,
      { source: 'sample', hours: 24 },
      { source: await file('rainfall') },
      NOW,
    );
    const valid = await runTool(validateObservationsTool, {}, { observations: next(rain, 'observations') });
    const surface = await runTool(
      interpolateTool,
      { method: 'idw', resolutionM: 400 },
      { observations: next(valid, 'observations') },
    );
    const assets = await runTool(loadAssetsTool, { source: 'sample' }, { source: await file('assets') });
    const exposure = await runTool(
      overlayExposureTool,
      { thresholdMm: 30 },
      { hazard: next(surface, 'raster'), assets: next(assets, 'features') },
    );
    const { byClass, total } = json(exposure, 'summary');
    expect(total).toBe(json(assets, 'features').features.length);
    for (const name of ['exceeds', 'undecided', 'below', 'notAssessed'])
      expect(byClass[name].count, name).toBeGreaterThan(2);
    expect(json(assets, 'features').report.features_rejected).toBe(0);
    for (const { properties } of json(assets, 'features').features) expect(properties.name).toContain('(synthetic)');
  });

  it('terrain loads and has mountains behind a coast', async () => {
    const result = await runTool(loadTerrainTool, { source: 'sample' }, { source: await file('terrain') });
    expect(result.outputs.get('raster')?.type).toMatchObject({ crs: SAMPLE_CRS, resolution: 300, unit: 'm' });
    expect(result.checks.every((check) => check.passed)).toBe(true);
    expect(heightM(497_000, 4_903_000)).toBe(0);
    expect(heightM(497_000, 4_930_000)).toBeGreaterThan(300);
  });

  it('hourly shares sum to the whole', () => {
    expect(hourlyShares(490_000).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });

  it('mulberry32 has its known first numbers', () => {
    const random = mulberry32(0);
    expect([random(), random(), random()]).toEqual([0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
  });
});
