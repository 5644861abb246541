import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObservationReport } from '../../../src/tools/gis/rainfall/report.ts';
import { NOW } from './support.ts';
import { readRainfallArgs } from '../../../src/tools/gis/rainfall/args.ts';
import { readRainfall } from '../../../src/tools/gis/rainfall/readRainfall.ts';

const folder = process.env['GEOAGENT_SIC97_DIR'] ?? '../shared/data/sic97';
const there = existsSync(join(folder, 'stations.csv'));
const why = there ? '' : ` (skipped: no ${folder}, set GEOAGENT_SIC97_DIR)`;

interface Expected extends Partial<ObservationReport> {
  readonly after_choice?: readonly {
    station_id?: string;
    choice: string;
    mm?: number;
    rows_accepted: number;
    sum_mm?: number;
  }[];
}

/** Members of `expected.json` that describe the case or the truth, which no reader can know. */
const NOT_KNOWABLE = new Set(['variant', 'title', 'file', 'policy', 'after_choice', 'true_mm']);

function load(path: string, args: Record<string, unknown> = {}): ReturnType<typeof readRainfall> {
  return readRainfall(
    readFileSync(join(folder, path)),
    path,
    readRainfallArgs.parse({ source: 'sample', ...args }),
    NOW,
  );
}

function expected(name: string): Expected {
  return JSON.parse(readFileSync(join(folder, 'dirty', name, 'expected.json'), 'utf8')) as Expected;
}

const CASES = [
  'a-decimal-comma',
  'b-missing-and-trace',
  'c-duplicates',
  'd-swapped-lonlat',
  'e-inches',
  'f-running-totals',
  'g-lv03-as-lv95',
];

describe.skipIf(!there)(`seven flawed versions of real rain${why}`, () => {
  it.each(CASES)('%s: every key of expected.json that a reader can know holds', (name) => {
    const report = load(`dirty/${name}/input.csv`).report as unknown as Record<string, unknown>;
    const wanted = Object.entries(expected(name)).filter(([key]) => !NOT_KNOWABLE.has(key));
    expect(wanted.length).toBeGreaterThan(10);
    for (const [key, value] of wanted) {
      const knowable = JSON.parse(JSON.stringify(value), (member: string, inner: unknown) =>
        NOT_KNOWABLE.has(member) ? undefined : inner,
      ) as unknown;
      expect(JSON.parse(JSON.stringify(report[key] ?? null)), key).toEqual(knowable);
    }
  });

  it('c: a person keeps the first or the second of two conflicting entries', () => {
    const path = 'dirty/c-duplicates/input.csv';
    for (const { station_id: id = '', choice, mm, rows_accepted: rows } of expected('c-duplicates').after_choice ??
      []) {
      const action = choice === 'keep_first' ? 'keepFirst' : 'keepSecond';
      const { report } = load(path, { choices: [{ code: 'DUPLICATE_CONFLICT', stationId: id, action }] });
      expect(report.rows_accepted).toBe(rows);
      expect(report.accepted_mm[id]).toBe(mm);
      expect(report.choices_applied).toEqual([{ code: 'DUPLICATE_CONFLICT', station_id: '227', action }]);
    }
    expect(expected('c-duplicates').after_choice).toHaveLength(2);
  });

  it('d: accepting the suggestion puts all rows among the others', () => {
    const [after] = expected('d-swapped-lonlat').after_choice ?? [];
    const reading = load('dirty/d-swapped-lonlat/input.csv', {
      choices: [{ code: 'COORD_SWAP_SUSPECTED', action: 'acceptSuggestion' }],
    });
    expect(reading.report.rows_accepted).toBe(after?.rows_accepted);
    expect(reading.report.accepted_sum_mm).toBe(after?.sum_mm);
    expect(Math.max(...reading.stations.map((station) => station.x))).toBeLessThan(11);
  });

  it('g: accepting the shift gives the coordinates of the clean file', () => {
    const [after] = expected('g-lv03-as-lv95').after_choice ?? [];
    const reading = load('dirty/g-lv03-as-lv95/input.csv', {
      choices: [{ code: 'CRS_MISMATCH_LV03', action: 'acceptSuggestion' }],
    });
    expect(reading.report.rows_accepted).toBe(after?.rows_accepted);
    expect(reading.report.accepted_sum_mm).toBe(after?.sum_mm);
    expect(reading.report.file_error).toBeUndefined();
    const clean = load('stations.csv');
    expect(reading.stations.map(({ id, x, y }) => [id, x, y])).toEqual(
      clean.stations.map(({ id, x, y }) => [id, x, y]),
    );
  });

  it('g: stating the real system needs no choice', () => {
    const reading = load('dirty/g-lv03-as-lv95/input.csv', { schema: { crs: 'EPSG:21781' } });
    expect(reading.report.rows_accepted).toBe(467);
    expect(reading.crs).toBe('EPSG:21781');
  });

  it('the clean file reads without a schema: stated LV95, and the column in millimetres', () => {
    const { report, crs } = load('stations.csv');
    expect([crs, report.unit, report.rows_accepted, report.accepted_sum_mm]).toEqual(['EPSG:2056', 'mm', 467, 8604.2]);
    expect(report.columns).toMatchObject({ easting: 'easting_lv95_m', rain: 'rain_mm' });
    expect(report.assumptions).toEqual(['Rain is read from "rain_mm"; not used: "rain_tenth_mm".']);
  });

  it('the clean file reads the same through a schema that names the other columns', () => {
    const schema = {
      id: 'station_id',
      x: 'lon',
      y: 'lat',
      crs: 'EPSG:4326',
      value: 'rain_tenth_mm',
      unit: 'tenth_mm',
      window: { from: '1986-05-08T06:00:00Z', to: '1986-05-09T06:00:00Z' },
    };
    const { report, crs } = load('stations.csv', { schema });
    const plain = load('stations.csv').report;
    expect([crs, report.period_utc]).toEqual(['EPSG:4326', ['1986-05-08T06:00:00Z', '1986-05-09T06:00:00Z']]);
    expect(report.accepted_mm).toEqual(plain.accepted_mm);
    expect(report.flagged.map((entry) => entry.flag)).toEqual(['UNIT_CONVERTED']);
  });

  it('equal bytes give equal results', () => {
    expect(load('dirty/f-running-totals/input.csv')).toEqual(load('dirty/f-running-totals/input.csv'));
  });
});
