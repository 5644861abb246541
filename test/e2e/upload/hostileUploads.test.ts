import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { createToolPool } from '../../../src/tools/process/pool.ts';
import { allTools } from '../../../src/tools/index.ts';
import { input, rejection, runOf } from '../../unit/toolRun.ts';

/** The product's own tool processes. */
const pool = createToolPool({ size: 2 });
afterAll(() => pool.close());
const signal = new AbortController().signal;

const tool = (name: string) => {
  const found = allTools.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const use = (name: string, bytes: Uint8Array): Promise<unknown> => {
  const { limits } = tool(name);
  const run = runOf(tool(name), { source: { upload: 'a'.repeat(64) } }, { source: input(bytes, 'upload') });
  return pool.run(name, run, { signal, timeoutMs: limits.timeoutSeconds * 1000, memoryMb: limits.memoryMb });
};
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const MEGABYTE = 1024 * 1024;

/** A hundred megabytes in one line, after an honest header. */
function longLine(): Uint8Array {
  const bytes = new Uint8Array(100 * MEGABYTE).fill(0x78);
  bytes.set(text('id,lon,lat,rain_mm\n'));
  return bytes;
}

const FILES: readonly (readonly [string, () => Uint8Array])[] = [
  ['a CSV with a line of 100 MB', longLine],
  [
    'a GeoJSON nested 5 000 deep',
    () => text(`{"type":"FeatureCollection","features":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  ],
  [
    'a truncated GeoJSON',
    () => text('{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coord'),
  ],
  ['fifty million brackets', () => new Uint8Array(50 * MEGABYTE).fill(0x5b)],
  ['a zip archive', () => text('PK\u0003\u0004 and more')],
  ['a GeoPackage', () => text('SQLite format 3\u0000')],
];

describe('hostile uploads', { timeout: 120_000 }, () => {
  it.each(FILES)(
    '%s: refused on inspection and by every reader, in bounded time, and the host notices nothing',
    async (_, make) => {
      const bytes = make();
      await pool.inspect(text('a,b\n1,2\n'), 'warm', signal);
      const before = process.memoryUsage.rss();
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const start = performance.now();
      expect(await rejection(pool.inspect(bytes, 'upload.csv', signal))).toBe('UPLOAD_INVALID');
      expect(await rejection(use('gis.readRainfall', bytes))).toBe('UPLOAD_INVALID');
      expect(await rejection(use('gis.loadAssets', bytes))).toBe('UPLOAD_INVALID');
      delay.disable();
      expect(performance.now() - start).toBeLessThan(60_000);
      expect(delay.percentile(95) / 1e6).toBeLessThan(100);
      expect((process.memoryUsage.rss() - before) / MEGABYTE).toBeLessThan(400);
    },
  );

  it('a table of a million short cells per megabyte does not take the process down', async () => {
    const bytes = text(`id,lon,lat,rain_mm\n${'a,9,46,1\n'.repeat(900_000)}`);
    const outcome = await rejection(use('gis.readRainfall', bytes));
    expect(['nothing thrown', 'UPLOAD_INVALID', 'TOOL_FAILED', 'NODE_TIMEOUT']).toContain(outcome);
    expect(await pool.inspect(text('a,b\n1,2\n'), 'after', signal)).toMatchObject({ format: 'csv' });
  });
});
