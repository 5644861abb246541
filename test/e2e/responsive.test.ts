/** The heaviest raster of this release, while the host must stay quick to answer. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, output, startRun, upload, waitFor } from '../support/system/api.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

const DATA = resolve(
  process.env['GEOAGENT_SIC97_DIR'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'sic97'),
);
const present = existsSync(join(DATA, 'stations.csv'));

let running: RunningSystem | undefined;
let baseUrl = '';
beforeAll(async () => {
  if (!present) return;
  running = await startProcess({ state: temporaryState() });
  baseUrl = running.baseUrl;
});
afterAll(() => running?.stop());

describe.skipIf(!present)('1 000 × 1 000 cells from 467 gauges', () => {
  it('health answers with p95 under 100 ms meanwhile, and the node takes seconds', async () => {
    const rain = await upload(baseUrl, 'stations.csv', readFileSync(join(DATA, 'stations.csv')));
    const plan = {
      nodes: [
        {
          id: 'rain',
          tool: 'gis.readRainfall',
          args: {
            source: { upload: rain },
            schema: {
              id: 'station_id',
              x: 'easting_lv95_m',
              y: 'northing_lv95_m',
              crs: 'EPSG:2056',
              value: 'rain_mm',
              unit: 'mm',
              window: { from: '1986-05-07T23:00:00Z', to: '1986-05-08T23:00:00Z' },
            },
          },
        },
        { id: 'valid', tool: 'gis.validateObservations', args: { observations: { ref: 'rain.observations' } } },
        {
          id: 'surface',
          tool: 'gis.interpolate',
          args: {
            observations: { ref: 'valid.observations' },
            extent: [2_480_000, 1_060_000, 2_840_000, 1_420_000],
            resolutionM: 360,
            maxDistanceM: 400_000,
          },
        },
      ],
    };
    const runId = await startRun(baseUrl, { plan });
    const times: number[] = [];
    const probing = { on: true };
    const probe = (async () => {
      while (probing.on) {
        const began = performance.now();
        await call(baseUrl, 'GET', '/health');
        times.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 20));
      }
    })();
    const run = await waitFor(baseUrl, runId);
    probing.on = false;
    await probe;
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
    const node = run.nodes.find((one: { id: string }) => one.id === 'surface');
    const ms = Date.parse(node.endedAt) - Date.parse(node.startedAt);
    console.log(
      `interpolation node ${String(ms)} ms; health p95 ${p95.toFixed(1)} ms over ${String(times.length)} calls`,
    );
    expect(p95).toBeLessThan(100);
    const raster = await output(baseUrl, runId, 'surface', 'raster');
    expect([...raster.subarray(0, 4)]).toEqual([0x49, 0x49, 0x2a, 0]);
  });
});
