import { beforeAll, describe, expect, it } from 'vitest';
import type { ToolInput, ToolResult } from '../../src/catalog/tool.ts';
import { sampleSource } from '../../src/local/sample/index.ts';
import type { MapData } from '../../src/tools/gis/map/mapData.ts';
import { prepareMap } from '../../src/tools/gis/map/prepareMap.ts';
import { allTools } from '../../src/tools/index.ts';

const NOW = Date.parse('2026-11-30T22:50:00Z');

/** The tools of both plans of the design on the bundled sample, each fed with the bytes of the one before. */
describe('what the tools before write is what the map reads', async () => {
  const sources = new Map<string, ToolInput>();
  for (const kind of ['rainfall', 'assets', 'terrain']) sources.set(kind, (await sampleSource(kind, NOW))!);
  const { labels } = sources.get('assets')!;
  const common = { now: NOW, locale: 'en', timeZone: 'Europe/Rome', labels };

  const run = (name: string, args: object, inputs: Record<string, ToolInput>): Promise<ToolResult> => {
    const tool = allTools.find((one) => one.name === name)!;
    return tool.run!({ args: tool.input.parse(args), inputs: new Map(Object.entries(inputs)), ...common });
  };
  const next = (result: ToolResult, port: string): ToolInput => {
    const { bytes, mediaType, type } = result.outputs.get(port)!;
    return { bytes, mediaType, type, sha256: '0'.repeat(64), labels };
  };
  const map = async (exposure: ToolInput, surface: ToolInput, observations: ToolInput): Promise<MapData> => {
    const inputs = new Map(Object.entries({ exposure, surface, observations }));
    return (await prepareMap({ args: {}, inputs, ...common })).data;
  };

  let surface: ToolInput;
  let observations: ToolInput;
  let assets: ToolInput;
  beforeAll(async () => {
    const rain = await run('gis.readRainfall', { source: 'sample', hours: 24 }, { source: sources.get('rainfall')! });
    observations = next(await run('gis.validateObservations', {}, { observations: next(rain, 'observations') }), 'observations'); // prettier-ignore
    surface = next(await run('gis.interpolate', {}, { observations }), 'raster');
    assets = next(await run('gis.loadAssets', { source: 'sample' }, { source: sources.get('assets')! }), 'features');
  }, 60_000);

  it(
    'exposure: same counts and same bounds as the summary, threshold, window, error of the surface',
    { timeout: 60_000 },
    async () => {
      const result = await run('gis.overlayExposure', { thresholdMm: 60 }, { hazard: surface, assets });
      const summary = JSON.parse(new TextDecoder().decode(result.outputs.get('summary')!.bytes));
      const data = await map(next(result, 'features'), surface, observations);
      expect(data.mode).toBe('exposure');
      for (const { key, count } of data.classes) expect(count, String(key)).toBe(summary.byClass[key!].count);
      expect(data.headline).toContain(
        `At least ${summary.atLeast}, up to ${summary.upTo} of ${summary.total} assets exceed 60 mm`,
      );
      expect(data.rule).toContain('60 mm of rain');
      expect(data.window?.utc).toBe('2026-11-29 22:00 – 2026-11-30 22:00');
      expect(data.windowDiffers).toBe(false);
      expect(data.method.join()).toMatch(/idw.*RMSE/);
      expect(data.surface?.hasNoData).toBe(true);
      expect(data.withoutGeometry).toBe(0);
      expect(data.synthetic).toBe(true);
    },
  );

  it('screening: all classes of the matrix, and the matrix itself', { timeout: 60_000 }, async () => {
    const terrain = next(
      await run('gis.loadTerrain', { source: 'sample' }, { source: sources.get('terrain')! }),
      'raster',
    );
    const result = await run('gis.computeRisk', {}, { rain: surface, terrain, assets });
    const data = await map(next(result, 'features'), surface, observations);
    expect(data.mode).toBe('screening');
    expect(data.classes.map((one) => one.key)).toEqual(['very high', 'high', 'moderate', 'low', null]);
    expect(data.classes.reduce((sum, one) => sum + one.count, 0)).toBe(data.assets.length);
    expect(data.rule).toHaveLength(5);
  });
});
