import { describe, expect, it } from 'vitest';
import { decodeObservations } from '../../../src/tools/gis/observations/codec.ts';
import { readRainfallTool } from '../../../src/tools/gis/rainfall/tool.ts';
import { input, json, rejection, runTool } from '../toolRun.ts';
import { gauges } from './support.ts';

const args = { source: { upload: 'a'.repeat(64) } };
const source = (text: string): Record<string, ReturnType<typeof input>> => ({ source: input(text, 'rain.csv') });

describe('gis.readRainfall', () => {
  it('writes observations, not yet validated, and a report; both typed', async () => {
    const window = { from: '2026-05-09T12:00:00Z', to: '2026-05-10T12:00:00Z' };
    const result = await runTool(readRainfallTool, { ...args, window }, source(gauges(['3', '', '1'])));
    const set = decodeObservations(result.outputs.get('observations')?.bytes ?? new Uint8Array());
    expect(set).toMatchObject({
      crs: 'EPSG:4326',
      window,
      validated: false,
      unit: 'mm',
      source: { kind: 'upload', name: 'rain.csv', licence: 'test' },
    });
    expect(set.stations.map((station) => station.id)).toEqual(['s1', 's3']);
    expect(result.outputs.get('observations')?.type).toEqual({
      kind: 'observations',
      quantity: 'rain',
      unit: 'mm',
      valueKind: 'interval',
      window,
      crs: 'EPSG:4326',
      validated: false,
    });
    expect(json(result, 'report')).toMatchObject({ rows_total: 3, rows_rejected: 1 });
    expect(result.checks.every((check) => check.passed)).toBe(true);
  });

  it('a stopped file leaves a readable report, no stations, and a check that keeps the run from being verified', async () => {
    const text = 'id,easting_lv95,northing_lv95,rain_mm\na,600000,200000,1\nb,601000,201000,2\n';
    const result = await runTool(readRainfallTool, args, source(text));
    expect(json(result, 'report').file_error).toEqual({
      reason: 'CRS_MISMATCH_LV03',
      suggested_crs: 'EPSG:21781',
      shift_m: [2_000_000, 1_000_000],
    });
    expect(json(result, 'observations')).toMatchObject({ stations: [], stopped: { code: 'CRS_MISMATCH_LV03' } });
    expect(result.checks.filter((check) => !check.passed)).toMatchObject([
      { name: 'the file is usable', severity: 'report' },
    ]);
  });

  it('needs its source', async () => {
    expect(await rejection(runTool(readRainfallTool, { source: 'sample' }, {}))).toBe('SOURCE_REQUIRED');
  });

  it('equal inputs give equal bytes', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => runTool(readRainfallTool, args, source(gauges(['3', 'T', '1'])))),
    );
    expect(one?.outputs.get('report')?.bytes).toEqual(two?.outputs.get('report')?.bytes);
    expect(one?.outputs.get('observations')?.bytes).toEqual(two?.outputs.get('observations')?.bytes);
  });

  it.each([
    ['a URL as source', { source: 'https://example.org/rain.csv' }],
    ['a path as source', { source: '../../etc/passwd' }],
    ['an unknown argument', { source: 'sample', magic: 1 }],
    ['an unknown unit', { source: 'sample', schema: { unit: 'furlong' } }],
    ['negative hours', { source: 'sample', hours: -1 }],
    ['endless hours', { source: 'sample', hours: 1e9 }],
    ['a choice that repairs silently', { source: 'sample', choices: [{ code: 'NEGATIVE', action: 'abs' }] }],
  ])('its schema refuses %s', (_, given) => {
    expect(readRainfallTool.input.safeParse(given).success).toBe(false);
  });

  it('promises what the arguments state, and leaves the rest open', () => {
    const window = { from: '2026-05-09T12:00:00Z', to: '2026-05-10T12:00:00Z' };
    const { outputs } = readRainfallTool.types({ inputs: new Map(), args: { schema: { crs: '2056' }, window } });
    expect(outputs.get('observations')).toMatchObject({ crs: 'EPSG:2056', window, validated: false });
    const open = readRainfallTool.types({ inputs: new Map(), args: { hours: 24 } });
    expect(open.outputs.get('observations')).toMatchObject({ crs: null, window: null });
  });
});
