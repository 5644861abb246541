/** Real gauges (SIC97, 8 May 1986) through the whole system, held against independent predictions. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, output, startRun, upload, waitFor, type Loose } from '../support/system/api.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

const DATA = resolve(
  process.env['GEOAGENT_SIC97_DIR'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'sic97'),
);
const present = existsSync(join(DATA, 'stations.csv'));
if (!present) console.warn(`skipped: no SIC97 data at GEOAGENT_SIC97_DIR (${DATA})`);

const SCHEMA = {
  id: 'station_id',
  x: 'easting_lv95_m',
  y: 'northing_lv95_m',
  crs: 'EPSG:2056',
  value: 'rain_mm',
  unit: 'mm',
  window: { from: '1986-05-07T23:00:00Z', to: '1986-05-08T23:00:00Z' },
};

let running: RunningSystem | undefined;
let baseUrl = '';
beforeAll(async () => {
  if (!present) return;
  running = await startProcess({ state: temporaryState() });
  baseUrl = running.baseUrl;
});
afterAll(() => running?.stop());

const lines = (): string[] => readFileSync(join(DATA, 'stations.csv'), 'utf8').trim().split('\n');

describe.skipIf(!present)('real rain', () => {
  it('467 gauges uploaded with a schema, places as assets, run to a map', async () => {
    const rain = await upload(baseUrl, 'stations.csv', readFileSync(join(DATA, 'stations.csv')));
    // Places to look at: every tenth gauge site stands for a village, in lon/lat, so that a reprojection is needed.
    const places = lines()
      .slice(1)
      .filter((_, i) => i % 10 === 0)
      .map((line) => line.split(','));
    const collection = {
      type: 'FeatureCollection',
      features: places.map(([id, , , lon, lat]) => ({
        type: 'Feature',
        id: `p${id ?? ''}`,
        properties: { name: `Place ${id ?? ''}` },
        geometry: { type: 'Point', coordinates: [Number(lon), Number(lat)] },
      })),
    };
    const assets = await upload(baseUrl, 'places.geojson', JSON.stringify(collection));
    const plan = {
      goal: 'Which places had more than 30 mm on 8 May 1986?',
      nodes: [
        { id: 'rain', tool: 'gis.readRainfall', args: { source: { upload: rain }, schema: SCHEMA } },
        { id: 'valid', tool: 'gis.validateObservations', args: { observations: { ref: 'rain.observations' } } },
        { id: 'surface', tool: 'gis.interpolate', args: { observations: { ref: 'valid.observations' } } },
        { id: 'places', tool: 'gis.loadAssets', args: { source: { upload: assets } } },
        { id: 'moved', tool: 'gis.reproject', args: { features: { ref: 'places.features' }, crs: 'EPSG:2056' } },
        {
          id: 'exposure',
          tool: 'gis.overlayExposure',
          args: {
            hazard: { ref: 'surface.raster' },
            assets: { ref: 'moved.features' },
            threshold: { mm: 30, basis: 'fixed' },
          },
        },
        {
          id: 'map',
          tool: 'gis.generateMap',
          args: {
            exposure: { ref: 'exposure.features' },
            surface: { ref: 'surface.raster' },
            observations: { ref: 'valid.observations' },
          },
        },
      ],
    };
    const runId = await startRun(baseUrl, { plan, locale: 'de' });
    const run = await waitFor(baseUrl, runId);
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    expect(run.headline).toMatch(/^Mindestens \d+, höchstens \d+ von 47 Objekten über 30 mm$/);
    const report = JSON.parse(new TextDecoder().decode(await output(baseUrl, runId, 'rain', 'report'))) as Record<
      string,
      unknown
    >;
    expect(report).toMatchObject({
      rows_total: 467,
      rows_accepted: 467,
      accepted_sum_mm: 8604.2,
      accepted_max_mm: 58.5,
      crs: 'EPSG:2056',
      unit: 'mm',
    });
    const { body } = await call(baseUrl, 'GET', `/runs/${runId}/artifacts`);
    expect(
      body.items.every((item: { labels: { integrity: string[] } }) => !item.labels.integrity.includes('synthetic')),
    ).toBe(true);
  });

  it('IDW p=2 from the 100 training gauges equals the independent predictions at the 367 others to 1e-6 mm', async () => {
    const [header = '', ...rows] = lines();
    const column = header.split(',').indexOf('set');
    const pick = (set: string): string => [header, ...rows.filter((row) => row.split(',')[column] === set)].join('\n');
    const train = await upload(baseUrl, 'train.csv', pick('train'));
    const targets = await upload(baseUrl, 'targets.csv', pick('test'));
    const plan = {
      nodes: [
        { id: 'rain', tool: 'gis.readRainfall', args: { source: { upload: train }, schema: SCHEMA } },
        { id: 'valid', tool: 'gis.validateObservations', args: { observations: { ref: 'rain.observations' } } },
        {
          id: 'targets',
          tool: 'gis.loadAssets',
          args: {
            source: { upload: targets },
            format: 'csv',
            crs: 'EPSG:2056',
            columns: { id: 'station_id', x: 'easting_lv95_m', y: 'northing_lv95_m' },
          },
        },
        {
          id: 'surface',
          tool: 'gis.interpolate',
          args: {
            observations: { ref: 'valid.observations' },
            targets: { ref: 'targets.features' },
            method: 'idw',
            power: 2,
            neighbours: 0,
            maxDistanceM: 1_000_000,
          },
        },
      ],
    };
    const runId = await startRun(baseUrl, { plan });
    const run = await waitFor(baseUrl, runId);
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    const table = JSON.parse(new TextDecoder().decode(await output(baseUrl, runId, 'surface', 'predictions'))) as {
      columns: unknown;
      rows: Loose[];
    };
    const predicted = new Map(
      table.rows.map((row) =>
        Array.isArray(row) ? [String(row[0]), Number(row[1])] : [String(row.id), Number(row.rain_mm)],
      ),
    );
    const [peerHeader = '', ...peers] = readFileSync(join(DATA, 'peer-r', 'peer-predictions.csv'), 'utf8')
      .trim()
      .split('\n');
    const idw2 = peerHeader.split(',').indexOf('idw2');
    expect(peers).toHaveLength(367);
    const worst = Math.max(
      ...peers
        .map((line) => line.split(','))
        .map((cells) => Math.abs((predicted.get(cells[0] ?? '') ?? Number.NaN) - Number(cells[idw2]))),
    );
    expect(worst).toBeLessThanOrEqual(1e-6);
  });
});
