import { beforeAll, describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/plan/errors.ts';
import type { ToolResult, ToolRun } from '../../../src/catalog/tool.ts';
import { dataBlock, mapChecks } from '../../../src/tools/gis/map/checks.ts';
import { prepareMap } from '../../../src/tools/gis/map/prepareMap.ts';
import { readExposure } from '../../../src/tools/gis/map/readInputs.ts';
import { generateMapTool } from '../../../src/tools/gis/map/tool.ts';
import type { MapData } from '../../../src/tools/gis/map/mapData.ts';
import { CRS, exposureItems, featuresInput, gaugesInput, mapRun, rainRaster, screeningItems, surfaceInput, WINDOW } from '../../support/mapData.ts'; // prettier-ignore

const htmlOf = (result: ToolResult): string => new TextDecoder().decode(result.outputs.get('html')!.bytes);
const dataOf = (result: ToolResult): MapData => dataBlock(htmlOf(result))!;
/** Both files: slow, so most tests look at the data that both are drawn from. */
const draw = (overrides: Partial<ToolRun<unknown>> = {}, synthetic = false): Promise<ToolResult> =>
  generateMapTool.run!(mapRun(overrides, synthetic));
const prepare = async (overrides: Partial<ToolRun<unknown>> = {}): Promise<MapData> =>
  (await prepareMap(mapRun(overrides) as ToolRun<object>)).data;
const only = (items: readonly unknown[], crs?: string): Partial<ToolRun<unknown>> => ({
  inputs: new Map([['exposure', featuresInput(items, crs)]]),
});

let plain: ToolResult;
let again: ToolResult;
let marked: ToolResult;
beforeAll(async () => {
  plain = await draw();
  again = await draw();
  marked = await draw({}, true);
}, 120_000);

describe('gis.generateMap', () => {
  it('draws the exposure result with surface and gauges, and its counts are those of the input', async () => {
    const items = exposureItems();
    const result = plain;
    expect(result.checks.filter((one) => !one.passed)).toEqual([]);
    const data = dataOf(result);
    for (const { key, count } of data.classes) {
      expect(count, String(key)).toBe(items.filter((one) => one.properties['class'] === key).length);
    }
    expect(data.assets).toHaveLength(items.length);
    expect(data.withoutGeometry).toBe(1);
    expect(data.gauges).toHaveLength(36);
    expect(data.surface?.hasNoData).toBe(true);
    expect(result.outputs.get('png')!.bytes.length).toBeGreaterThan(50_000);
    expect(result.outputs.get('html')!.mediaType).toBe('text/html; charset=utf-8');
  });

  it('draws the screening result of a plan that has no exposure step', async () => {
    const data = await prepare(only(screeningItems()));
    expect(data.mode).toBe('screening');
    expect(data.classes.map((one) => one.key)).toEqual(['high', 'moderate', 'low', null]);
    expect(data.surface).toBeNull();
    expect(data.assets[0]?.slope).not.toBeUndefined();
  });

  it('gives equal bytes for equal input', async () => {
    for (const name of ['html', 'png']) {
      expect(Buffer.compare(plain.outputs.get(name)!.bytes, again.outputs.get(name)!.bytes), name).toBe(0);
    }
  });

  it('puts assets where they are: UTM 32N to WGS 84, longitude first', async () => {
    const point = { type: 'Feature', geometry: { type: 'Point', coordinates: [500_000, 5_000_000] }, properties: exposureItems()[0]!.properties }; // prettier-ignore
    const { geometry } = (await prepare(only([point]))).assets[0]!;
    const [lon, lat] = (geometry as { coordinates: number[] }).coordinates;
    expect(lon).toBeCloseTo(9, 6);
    expect(lat).toBeCloseTo(45.1535, 3);
  });

  it('lists an asset that cannot be placed instead of drawing half of it', async () => {
    const broken = { type: 'Feature', geometry: { type: 'LineString', coordinates: [[9, 45], [9, 95]] }, properties: exposureItems()[0]!.properties }; // prettier-ignore
    expect(await prepare(only([broken], 'EPSG:4326'))).toMatchObject({ withoutGeometry: 1 });
  });

  it('writes the window in UTC and in local time with the offset', async () => {
    expect((await prepare()).window).toEqual({
      utc: '2026-05-12 06:00 – 2026-05-13 06:00',
      local: '2026-05-12 08:00 – 2026-05-13 08:00',
      zone: 'Europe/Rome, UTC+2',
    });
  });

  it('says when gauges and surface state different windows, and when none is stated', async () => {
    const other = rainRaster({ metadata: { WINDOW_FROM: '2026-05-01T00:00:00Z', WINDOW_TO: '2026-05-02T00:00:00Z' } });
    const inputs = new Map([['exposure', featuresInput(exposureItems())], ['surface', surfaceInput(other)], ['observations', gaugesInput()]]); // prettier-ignore
    expect((await prepare({ inputs })).windowDiffers).toBe(true);
    expect((await prepare(only(exposureItems()))).window).toBeNull();
  });

  it('marks synthetic data in page, title and picture, and nothing else', async () => {
    expect(dataOf(marked).synthetic).toBe(true);
    expect(htmlOf(marked).includes('<title>[SYNTHETIC DATA] ')).toBe(true);
    expect(htmlOf(plain).includes('[SYNTHETIC DATA]')).toBe(false);
    expect(Buffer.compare(marked.outputs.get('png')!.bytes, plain.outputs.get('png')!.bytes)).not.toBe(0);
  });

  it('speaks the language of its argument, else that of the run', async () => {
    expect((await prepare({ args: { locale: 'de' }, locale: 'it-IT' })).labels.legend).toBe('Legende');
    const italian = await prepare({ locale: 'it-IT' });
    expect(italian.labels.disclaimer).toBe('Analisi preliminare, non un’allerta ufficiale.');
    expect(italian.headline).toMatch(
      /^Almeno \d+, fino a \d+ elementi su 60 superano la soglia di pioggia \(9 indecisi, 5 non valutati\)\.$/,
    );
    expect((await prepare({ locale: 'fr-FR' })).locale).toBe('en');
  });

  it('names sources and licences of all inputs once, and the coordinate systems', async () => {
    const data = await prepare();
    expect(data.sources).toEqual([
      'CC BY 4.0, sample authors',
      'Coast and borders: Natural Earth 1:10m (public domain)',
      'assets.geojson (sample; ODbL 1.0)',
      'rain.csv (sample; CC0)',
    ]);
    expect(data.dataCrs).toEqual(['EPSG:32632']);
  });

  it('says what the classes rest on: threshold with basis, source and confidence', async () => {
    const threshold = {
      mm: 40,
      basis: 'percentile',
      percentile: 90,
      durationHours: null,
      source: 'Regional bulletin 7',
    };
    const inputs = new Map([
      ['exposure', featuresInput(exposureItems(), CRS, { threshold, confidence: 0.9, window: WINDOW })],
    ]);
    const data = await prepare({ inputs });
    expect(data.rule).toEqual(['40 mm of rain (percentile 90 of the surface)', 'Regional bulletin 7', 'Certain from 90 % probability, else undecided']); // prettier-ignore
    expect(data.headline).toContain('exceed 40 mm of rain');
    expect(data.window?.utc).toBe('2026-05-12 06:00 – 2026-05-13 06:00');
  });

  it('prints the screening matrix with its limits', async () => {
    const matrix = { rainClasses: [20, 50], slopeClasses: [10], classes: ['low', 'moderate', 'high'], cells: [[0, 0], [0, 1], [1, 2]] }; // prettier-ignore
    const inputs = new Map([['exposure', featuresInput(screeningItems(), CRS, { screening: { matrix } })]]);
    expect((await prepare({ inputs, locale: 'it' })).rule).toEqual([
      'Pioggia per pendenza < 10° · ≥ 10°',
      '< 20 mm: bassa · bassa',
      '20–50 mm: bassa · moderata',
      '≥ 50 mm: moderata · alta',
    ]);
  });

  it('names method and error of the surface', async () => {
    expect((await prepare()).method).toEqual([
      'idw, power 2, all gauges, within 60000 m',
      'Leave-one-out error 4.1 mm (RMSE)',
    ]);
  });

  it('draws an empty collection as a map without assets', async () => {
    const run = mapRun(only([])) as ToolRun<object>;
    const { exposure, data } = await prepareMap(run);
    expect(data.headline).toBe('No assets.');
    expect(mapChecks(exposure, data, htmlOf(plain), new Uint8Array())[0]?.passed).toBe(false);
  });

  it('thins outlines of a megabyte and says so', async () => {
    const ring = Array.from({ length: 200_001 }, (_, i) => [9 + Math.cos((i / 100_000) * Math.PI), 45 + Math.sin((i / 100_000) * Math.PI)]); // prettier-ignore
    ring[200_000] = ring[0]!;
    const area = {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: exposureItems()[0]!.properties,
    };
    const data = await prepare(only([area], 'EPSG:4326'));
    expect(data.simplifiedM).toBeGreaterThan(0);
    expect(JSON.stringify(data).length).toBeLessThan(1_500_000);
  });

  it('refuses inputs that are not what their port says', async () => {
    const garbage = { ...featuresInput([]), bytes: new TextEncoder().encode('{"type":"Feature"') };
    const wrong = {
      ...featuresInput([]),
      bytes: new TextEncoder().encode('{"type":"FeatureCollection","features":[{}]}'),
    };
    for (const exposure of [garbage, wrong, featuresInput([{ type: 'Feature', geometry: null, properties: {} }])]) {
      await expect(prepare({ inputs: new Map([['exposure', exposure]]) })).rejects.toMatchObject({
        code: 'STATE_INVALID',
      });
    }
    await expect(prepare({ inputs: new Map() })).rejects.toBeInstanceOf(ToolError);
    await expect(prepare(only(exposureItems(), 'EPSG:999999'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('refuses unknown arguments, languages and titles of a novel', () => {
    for (const args of [{ locale: 'fr' }, { title: '' }, { title: 'x'.repeat(201) }, { url: 'http://x' }]) {
      expect(generateMapTool.input.safeParse(args).success).toBe(false);
    }
    expect(generateMapTool.input.safeParse({ title: 'Rain', locale: 'it' }).success).toBe(true);
  });
});

describe('type rule', () => {
  const type = (fields: Record<string, { type: string }> | null) =>
    generateMapTool.types({ inputs: new Map([['exposure', { kind: 'features', geometry: null, crs: null, role: 'result', fields }]]), args: {} }); // prettier-ignore

  it('refuses features that promise no class, takes those that do or that are not known yet', () => {
    expect(type({ name: { type: 'string' } }).problems).toMatchObject([{ code: 'TYPE_MISMATCH', port: 'exposure' }]);
    expect(type({ class: { type: 'string' } }).problems).toEqual([]);
    expect(type({ screeningClass: { type: 'string' } }).problems).toEqual([]);
    expect(type(null).problems).toEqual([]);
  });
});

describe('checks of the map', () => {
  it('fail when a count on the map, the list of assets, or the picture is wrong', async () => {
    const input = featuresInput(exposureItems());
    const [html, data, png] = [htmlOf(plain), dataOf(plain), plain.outputs.get('png')!.bytes];
    const failed = (page: string, bytes: Uint8Array): string[] =>
      mapChecks(readExposure(input), data, page, bytes).filter((one) => !one.passed).map((one) => one.name); // prettier-ignore
    expect(failed(html, png)).toEqual([]);
    expect(failed(html.replace(/"count":(\d+)/, '"count":9$1'), png)).toEqual([
      'counts on the map equal counts in the input',
    ]);
    expect(failed(html.replace(/\{"index":0,.*?\},\{"index":1,/, '{"index":1,'), png)).toEqual(['every asset is drawn or listed as without geometry']); // prettier-ignore
    expect(failed(html.slice(0, -20), png)).toEqual(['the HTML file is complete']);
    expect(failed(html, png.subarray(1))).toEqual(['the PNG file is a picture']);
  });
});
