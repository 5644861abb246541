/** Hostile uploads: refused, with memory and time bounded; the host answers all the while. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, startRun, upload, waitFor } from '../support/system/api.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startProcess({ state: temporaryState() });
});
afterAll(() => system.stop());

const binary = { 'content-type': 'application/octet-stream' };
const zip = new Uint8Array([0x50, 0x4b, 3, 4, ...Array.from({ length: 200 }, () => 0)]);
const geopackage = new TextEncoder().encode(`SQLite format 3\0${'x'.repeat(200)}`);
const executable = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, ...Array.from({ length: 200 }, () => 0)]);

/** A classic little-endian TIFF header and one directory that claims 10^6 × 10^6 cells of 32 bits. */
function hugeTiff(): Uint8Array {
  const tags: readonly (readonly [number, number, number, number])[] = [
    [256, 4, 1, 1_000_000],
    [257, 4, 1, 1_000_000],
    [258, 3, 1, 32],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, 1_000_000],
    [279, 4, 1, 4_000_000_000],
    [339, 3, 1, 3],
  ];
  const view = new DataView(new ArrayBuffer(8 + 2 + tags.length * 12 + 4));
  view.setUint32(0, 0x002a_4949, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, tags.length, true);
  tags.forEach(([tag, type, count, value], i) => {
    const at = 10 + i * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value, true);
  });
  return new Uint8Array(view.buffer);
}

describe('types that no tool reads', () => {
  it.each([
    ['archive.zip', zip],
    ['data.gpkg', geopackage],
    ['data.csv', zip],
    ['tool.csv', executable],
  ])('%s is refused by its first bytes', async (name, bytes) => {
    const answer = await call(system.baseUrl, 'POST', `/uploads?name=${name}`, bytes, binary);
    expect(answer).toMatchObject({ status: 422, body: { code: 'UPLOAD_INVALID' } });
  });

  it('an empty file, JSON instead of bytes, and more than 100 MiB', async () => {
    expect(await call(system.baseUrl, 'POST', '/uploads?name=x.csv', new Uint8Array(), binary)).toMatchObject({
      status: 422,
    });
    expect(await call(system.baseUrl, 'POST', '/uploads?name=x.csv', '{}')).toMatchObject({ status: 415 });
    const body = new Uint8Array(100 * 1024 * 1024 + 1).fill(0x31);
    const answer = await call(system.baseUrl, 'POST', '/uploads?name=x.csv', body, binary).catch(
      (error: unknown) => error,
    );
    // The server may close before the body is through; then the client sees a reset instead of the 413.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect((await call(system.baseUrl, 'GET', '/health')).status).toBe(200);
  });
});

describe('files that lie', () => {
  const reader = (sha: string, name: string): unknown =>
    name.endsWith('.csv')
      ? { nodes: [{ id: 'r', tool: 'gis.readRainfall', args: { source: { upload: sha } } }] }
      : name.endsWith('.tif')
        ? { nodes: [{ id: 'r', tool: 'gis.loadTerrain', args: { source: { upload: sha } } }] }
        : { nodes: [{ id: 'r', tool: 'gis.loadAssets', args: { source: { upload: sha } } }] };

  const files: readonly (readonly [string, () => Uint8Array | string])[] = [
    [
      'truncated.geojson',
      () => '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,',
    ],
    ['deep.geojson', () => `{"type":"FeatureCollection","features":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['line.csv', () => new Uint8Array(99 * 1024 * 1024).fill(0x78)],
    ['huge.tif', () => hugeTiff()],
  ];

  it.each(files)(
    '%s: the node fails with a clear code, in bounded time, while the host answers',
    { timeout: 120_000 },
    async (name, make) => {
      const sha = await upload(system.baseUrl, name, make());
      const began = Date.now();
      const runId = await startRun(system.baseUrl, { plan: reader(sha, name) });
      const slowest = { ms: 0 };
      const run = await waitFor(system.baseUrl, runId, (one) => ['failed', 'succeeded'].includes(one.status), 100_000);
      const health = Date.now();
      expect((await call(system.baseUrl, 'GET', '/health')).status).toBe(200);
      slowest.ms = Date.now() - health;
      expect(run.status).toBe('failed');
      expect(['UPLOAD_INVALID', 'TOOL_FAILED', 'RESULT_TOO_LARGE', 'NODE_TIMEOUT']).toContain(run.nodes[0].error.code);
      expect(run.nodes[0].error.message).not.toMatch(/\bat .*\.(ts|js):\d+/);
      expect(Date.now() - began).toBeLessThan(60_000);
      expect(slowest.ms).toBeLessThan(2_000);
      const inspected = await call(system.baseUrl, 'GET', `/uploads/${sha}/inspect`);
      expect([200, 422]).toContain(inspected.status);
    },
  );
});

describe('hostile names', () => {
  it(
    'script, bidi, zero-width and 1 MB names as stations and assets end in a map that carries them as text',
    { timeout: 120_000 },
    async () => {
      const names = [
        '<script>globalThis.pwned=1</script>',
        '</script><img src=x onerror=alert(1)>',
        '\u202Eevil\u202C',
        'zero\u200Bwidth',
        "'; DROP TABLE Runs; --",
        'x'.repeat(1_000_000),
      ];
      const gauges = [
        'id,lon,lat,name,rain_mm',
        ...names.map(
          (name, i) =>
            `g${String(i)},${String(8.9 + i * 0.02)},${String(44.4 + (i % 3) * 0.03)},"${name.replaceAll('"', '""')}",${String(20 + i * 5)}`,
        ),
      ].join('\n');
      const features = names.map((name, i) => ({
        type: 'Feature',
        properties: { name, [name.slice(0, 40)]: name },
        geometry: { type: 'Point', coordinates: [8.91 + i * 0.02, 44.41 + (i % 3) * 0.03] },
      }));
      const rain = await upload(system.baseUrl, 'gauges.csv', gauges);
      const assets = await upload(
        system.baseUrl,
        'assets.geojson',
        JSON.stringify({ type: 'FeatureCollection', features }),
      );
      const runId = await startRun(system.baseUrl, {
        plan: {
          nodes: [
            {
              id: 'rain',
              tool: 'gis.readRainfall',
              args: {
                source: { upload: rain },
                schema: {
                  id: 'id',
                  x: 'lon',
                  y: 'lat',
                  crs: 'EPSG:4326',
                  value: 'rain_mm',
                  unit: 'mm',
                  window: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
                },
              },
            },
            { id: 'surface', tool: 'gis.interpolate', args: { observations: { ref: 'rain.observations' } } },
            { id: 'assets', tool: 'gis.loadAssets', args: { source: { upload: assets } } },
            {
              id: 'exposure',
              tool: 'gis.overlayExposure',
              args: { hazard: { ref: 'surface.raster' }, assets: { ref: 'assets.features' }, thresholdMm: 30 },
            },
            { id: 'map', tool: 'gis.generateMap', args: { exposure: { ref: 'exposure.features' } } },
          ],
        },
      });
      const run = await waitFor(system.baseUrl, runId);
      expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
      const { body } = await call(system.baseUrl, 'GET', `/runs/${runId}/artifacts`);
      const item = body.items.find((one: { output: string }) => one.output === 'html');
      const page = await fetch(`${system.baseUrl}/api/runs/${runId}/artifacts/${String(item.id)}`);
      expect(page.headers.get('content-security-policy')).toMatch(
        /^sandbox allow-scripts; default-src 'none'; script-src 'sha256-/,
      );
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      const html = await page.text();
      expect(html).not.toContain('<script>globalThis.pwned');
      expect(html).not.toContain('<img src=x');
    },
  );
});
