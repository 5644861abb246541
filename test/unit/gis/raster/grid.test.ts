import { describe, expect, it } from 'vitest';
import {
  cellIndexAt,
  centreOf,
  extentOf,
  overlaps,
  rasterTypeOf,
  sampleBilinear,
  type Grid,
} from '../../../../src/tools/gis/raster/grid.ts';
import { pyramid } from '../../../../src/tools/gis/raster/overviews.ts';
import { readGdalMetadata, writeGdalMetadata } from '../../../../src/tools/gis/raster/gdalMetadata.ts';
import { resample } from '../../../../src/tools/gis/raster/resample.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { asInput, codeOf, rainRaster, raster, rasterInput } from '../../../support/gis/inputs.ts';

const grid: Grid = { width: 3, height: 2, originX: 100, originY: 50, cellSize: 10, crs: 'EPSG:2056' };

describe('grid', () => {
  it('knows its outer edges', () => {
    expect(extentOf(grid)).toEqual([100, 30, 130, 50]);
  });

  it('finds the cell of a position; an edge belongs to the east and the south', () => {
    expect(cellIndexAt(grid, 100, 50)).toBe(0);
    expect(cellIndexAt(grid, 110, 50)).toBe(1);
    expect(cellIndexAt(grid, 109.999, 40.001)).toBe(0);
    expect(cellIndexAt(grid, 105, 40)).toBe(3);
    expect(cellIndexAt(grid, 130, 45)).toBe(-1);
    expect(cellIndexAt(grid, 105, 30)).toBe(-1);
    expect(cellIndexAt(grid, 99.99, 45)).toBe(-1);
    expect(cellIndexAt(grid, NaN, 45)).toBe(-1);
  });

  it('goes from cell to centre and back', () => {
    for (let cell = 0; cell < 6; cell += 1) expect(cellIndexAt(grid, ...centreOf(grid, cell))).toBe(cell);
  });

  it('does not count touching boxes as overlapping', () => {
    expect(overlaps([0, 0, 1, 1], [1, 0, 2, 1])).toBe(false);
    expect(overlaps([0, 0, 1.001, 1], [1, 0, 2, 1])).toBe(true);
  });
});

describe('sampleBilinear', () => {
  const values = Float32Array.from([0, 10, 20, 100, 110, 120]);

  it('is exact at centres and linear between them', () => {
    expect(sampleBilinear(grid, values, 105, 45)).toBe(0);
    expect(sampleBilinear(grid, values, 110, 45)).toBe(5);
    expect(sampleBilinear(grid, values, 115, 40)).toBe(60);
  });

  it('holds the value from the outer centres to the edge and has none beyond', () => {
    expect(sampleBilinear(grid, values, 100, 50)).toBe(0);
    expect(sampleBilinear(grid, values, 130, 30)).toBe(120);
    expect(sampleBilinear(grid, values, 130.1, 40)).toBeNaN();
    expect(sampleBilinear(grid, values, NaN, 40)).toBeNaN();
  });

  it('O-37 gives no number where a neighbour with weight has none', () => {
    const holed = Float32Array.from([0, NaN, 20, 100, 110, 120]);
    expect(sampleBilinear(grid, holed, 107, 45)).toBeNaN();
    expect(sampleBilinear(grid, holed, 105, 41)).not.toBeNaN();
  });
});

describe('overviews', () => {
  it('O-37 average what is there: no data is neither zero nor contagious', () => {
    const levels = pyramid(
      { width: 4, height: 2, bands: [Float32Array.from([1, 3, NaN, NaN, NaN, 5, NaN, NaN])] },
      2,
      'average',
    );
    expect([...(levels[1]?.bands[0] ?? [])]).toEqual([3, NaN]);
  });

  it('handle odd sizes', () => {
    const levels = pyramid(
      { width: 3, height: 3, bands: [Float32Array.from([1, 1, 5, 1, 1, 5, 7, 7, 9])] },
      2,
      'average',
    );
    expect(levels[1]).toMatchObject({ width: 2, height: 2 });
    expect([...(levels[1]?.bands[0] ?? [])]).toEqual([1, 5, 7, 9]);
  });

  it('keep classes as they are', () => {
    const levels = pyramid({ width: 4, height: 1, bands: [Float32Array.from([0, 3, 2, 1])] }, 2, 'nearest');
    expect([...(levels[1]?.bands[0] ?? [])]).toEqual([0, 2]);
  });
});

describe('GDAL metadata text', () => {
  it('brings hostile text back as it was, but for what XML cannot hold', () => {
    const pairs = { 'A<"&>': '</Item><Item name="X">&amp;lt;', Z: ' a\u202Eb\u200B ', N: 'nul\u0000and\uD800half' };
    const read = readGdalMetadata(writeGdalMetadata(pairs, [{ name: 'rain "x"', unit: 'mm' }]));
    expect(read.pairs).toEqual({ ...pairs, N: 'nul and half' });
    expect(read.descriptions.get(0)).toBe('rain "x"');
    expect(read.units.get(0)).toBe('mm');
  });

  it('takes time in proportion to a hostile text', () => {
    const start = performance.now();
    readGdalMetadata('<Item '.repeat(200_000));
    readGdalMetadata(`<Item name="${'<'.repeat(1_000_000)}`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('keeps a pair called __proto__ a pair', () => {
    const read = readGdalMetadata('<Item name="__proto__">x</Item>');
    expect(Object.keys(read.pairs)).toEqual(['__proto__']);
  });
});

describe('resample', () => {
  it('gives back the same raster on its own grid', () => {
    const source = rainRaster(
      [
        [1, 2],
        [3, 4],
      ],
      1,
    );
    expect(resample(source, source)).toBe(source);
  });

  it('carries every band, and classes without mixing them', () => {
    const classes = raster({
      width: 2,
      height: 1,
      role: 'screening',
      unit: 'class',
      bands: [
        { name: 'screening_rank', values: Float32Array.from([0, 3]) },
        { name: 'rain_mm', values: Float32Array.from([5, 50]) },
      ],
    });
    const fine = resample(classes, { ...classes, width: 8, cellSize: 25, height: 4 });
    expect(new Set(fine.bands[0]?.values)).toEqual(new Set([0, 3]));
    expect(fine.bands.map(({ name }) => name)).toEqual(['screening_rank', 'rain_mm']);
  });
});

describe('raster artifacts', () => {
  it('come back with role, unit, bands and metadata', async () => {
    const source = rainRaster(
      [
        [1, NaN],
        [3, 4],
      ],
      0.5,
      { metadata: { METHOD: 'idw' } },
    );
    const back = await readRaster(rasterInput(source), ['rain']);
    expect(back).toEqual(source);
    expect(rasterTypeOf(back)).toMatchObject({
      kind: 'raster',
      role: 'rain',
      unit: 'mm',
      extent: [2_600_000, 1_199_800, 2_600_200, 1_200_000],
    });
  });

  it('are refused in another role, without a band asked for, and when the bytes are not a raster', async () => {
    const input = rasterInput(rainRaster([[1]], 1));
    expect(await codeOf(readRaster(input, ['terrain']))).toBe('STATE_INVALID');
    expect(await codeOf(() => bandOf(rainRaster([[1]], 1), 'slope_deg'))).toBe('STATE_INVALID');
    expect(await codeOf(readRaster(asInput(new Uint8Array(9), 'image/tiff', input.type), ['rain']))).toBe(
      'STATE_INVALID',
    );
  });
});
