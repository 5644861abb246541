import { describe, expect, it } from 'vitest';
import { fitErrorModel } from '../../../../src/tools/gis/interpolate/errorModel.ts';
import { toColumns } from '../../../../src/tools/gis/interpolate/gauges.ts';
import { idwSurface } from '../../../../src/tools/gis/interpolate/idw.ts';
import { idwSurfaceInParallel } from '../../../../src/tools/gis/interpolate/parallel.ts';

describe('two threads', () => {
  it('give the surface of one thread to the last bit', { timeout: 60_000 }, async () => {
    const gauges = toColumns(
      Array.from({ length: 211 }, (_, i) => ({
        id: `g${i}`,
        x: (i * 7919) % 50_000,
        y: (i * 104_729) % 50_000,
        mm: i % 60,
      })),
    );
    const method = { power: 2, neighbours: 0 };
    const options = { ...method, maxDistanceM: 9_000, supportM: 50 };
    const grid = { width: 501, height: 499, originX: 0, originY: 50_000, cellSize: 100, crs: 'EPSG:32632' };
    const model = fitErrorModel(gauges, method);
    const one = idwSurface(gauges, model, grid, options);
    const two = await idwSurfaceInParallel(gauges, model, grid, options);
    expect(Buffer.from(two.rain.buffer).equals(Buffer.from(one.rain.buffer))).toBe(true);
    expect(Buffer.from(two.se.buffer).equals(Buffer.from(one.se.buffer))).toBe(true);
    expect(two.clipped).toBe(one.clipped);
  });
});
