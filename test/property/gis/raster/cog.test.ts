import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { readGeoTiff } from '../../../../src/tools/gis/raster/geoTiffReader.ts';
import { decodeLzw } from '../../../../src/tools/gis/raster/lzw.ts';
import { bandOf, readRaster } from '../../../../src/tools/gis/raster/rasterFile.ts';
import { ToolError } from '../../../../src/plan/errors.ts';
import type { Raster } from '../../../../src/tools/gis/formats.ts';
import { raster, rasterInput } from '../../../support/gis/inputs.ts';

/** Any float32, subnormals, -0 and infinities included; NaN is the no-data value. */
const cell = fc.oneof(
  { weight: 8, arbitrary: fc.float() },
  { weight: 1, arbitrary: fc.constantFrom(NaN, -0, 0, 1e-45, 3.4e38, -9999) },
);
const size = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(255, 256, 257));
const anyRaster = fc
  .record({
    width: size,
    height: fc.integer({ min: 1, max: 20 }),
    bands: fc.integer({ min: 1, max: 3 }),
    sample: fc.array(cell, { minLength: 1, maxLength: 50 }),
    key: fc.string(),
    text: fc.string(),
  })
  .map(({ width, height, bands, sample, key, text }): Raster =>
    raster({
      width,
      height,
      bands: Array.from({ length: bands }, (_, band) => ({
        name: `band ${band}`,
        values: Float32Array.from({ length: width * height }, (__, i) => sample[(i * 7 + band) % sample.length] ?? NaN),
      })),
      metadata: { [`K${key.replace(/[^ -~]/g, '')}`]: text.replace(/[^ -~]/g, '') },
    }),
  );

const bits = (values: Float32Array): Uint32Array => new Uint32Array(values.slice().buffer);

describe('Cloud-Optimised GeoTIFF', () => {
  it('comes back bit for bit, with its metadata', async () => {
    await fc.assert(
      fc.asyncProperty(anyRaster, async (source) => {
        const back = await readRaster(rasterInput(source), ['rain']);
        expect({ ...back, bands: [] }).toEqual({ ...source, bands: [] });
        for (const { name, values } of source.bands) expect(bits(bandOf(back, name))).toEqual(bits(values));
      }),
      { numRuns: 60 },
    );
  });

  it('with any byte changed is read or refused with a reason, and never anything else', async () => {
    const good = writeCog(
      raster({
        width: 5,
        height: 4,
        bands: [{ name: 'rain_mm', values: Float32Array.from({ length: 20 }, (_, i) => i) }],
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: good.length - 1 }),
        fc.integer({ min: 0, max: 255 }),
        async (at, value) => {
          const broken = good.slice();
          broken[at] = value;
          try {
            const file = await readGeoTiff(broken);
            expect(file.width * file.height).toBeLessThanOrEqual(25_000_000);
          } catch (error) {
            expect(error).toBeInstanceOf(ToolError);
            expect((error as ToolError).code).toBe('UPLOAD_INVALID');
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('made of noise behind a TIFF header is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 0, maxLength: 300 }),
        fc.constantFrom(42, 43),
        async (noise, magic) => {
          const bytes = Uint8Array.from([0x49, 0x49, magic, 0, 8, 0, 0, 0, ...noise]);
          await expect(readGeoTiff(bytes)).rejects.toMatchObject({ code: 'UPLOAD_INVALID' });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('LZW', () => {
  it('of noise ends, never writes past its limit, and fails only with a reason', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 0, max: 1000 }), (noise, limit) => {
        try {
          expect(decodeLzw(noise, limit).length).toBeLessThanOrEqual(limit);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
