/** TIFFs made to exhaust a reader. Each must be refused with a reason, quickly, without allocating what it asks for. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readGeoTiff } from '../../../../src/tools/gis/raster/geoTiffReader.ts';
import { MAX_CELLS, scanTiff } from '../../../../src/tools/gis/raster/tiffScan.ts';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { codeOf, raster } from '../../../support/gis/inputs.ts';

type Tag = readonly [tag: number, type: number, values: readonly number[]];

/** A classic little-endian TIFF with one directory (pointing to `next`) and `data` behind it. */
function tiff(tags: readonly Tag[], data: Uint8Array = new Uint8Array(), next = 0): Uint8Array {
  const size = { 3: 2, 4: 4, 12: 8 } as Record<number, number>;
  const table = 8 + 2 + tags.length * 12 + 4;
  const extra = tags.reduce(
    (sum, [, type, values]) => sum + ((size[type] ?? 4) * values.length > 4 ? (size[type] ?? 4) * values.length : 0),
    0,
  );
  const out = new Uint8Array(table + extra + data.length);
  const view = new DataView(out.buffer);
  out.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  view.setUint16(8, tags.length, true);
  let at = table;
  tags.forEach(([tag, type, values], index) => {
    const row = 10 + index * 12;
    const bytes = (size[type] ?? 4) * values.length;
    view.setUint16(row, tag, true);
    view.setUint16(row + 2, type, true);
    view.setUint32(row + 4, values.length, true);
    let to = row + 8;
    if (bytes > 4) {
      view.setUint32(row + 8, at, true);
      to = at;
      at += bytes;
    }
    values.forEach((value, i) => {
      if (type === 3) view.setUint16(to + 2 * i, value, true);
      else if (type === 12) view.setFloat64(to + 8 * i, value, true);
      else view.setUint32(to + 4 * i, value, true);
    });
  });
  view.setUint32(table - 4, next, true);
  out.set(data, at);
  return out;
}

const square = (side: number, offset: number, length: number, more: readonly Tag[] = []): Tag[] => [
  [256, 4, [side]],
  [257, 4, [side]],
  [258, 3, [8]],
  [259, 3, [8]],
  [262, 3, [1]],
  [273, 4, [offset]],
  [277, 3, [1]],
  [278, 4, [side]],
  [279, 4, [length]],
  [33550, 12, [1, 1, 0]],
  [33922, 12, [0, 0, 0, 0, 0, 0]],
  ...more,
];

/** Bytes in front of the data in a file of {@link square}. */
const front = tiff(square(1, 0, 0)).length;

/** What refusing costs; generous for a busy machine. */
async function refused(bytes: Uint8Array, reason: RegExp): Promise<void> {
  const before = process.memoryUsage();
  const start = performance.now();
  await expect(readGeoTiff(bytes)).rejects.toThrow(reason);
  expect(performance.now() - start).toBeLessThan(1000);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(64e6);
}

describe('hostile TIFFs', () => {
  it('refuses one that declares 10^6 × 10^6 cells', async () => {
    await refused(tiff(square(1_000_000, front, 4), new Uint8Array(4)), /1000000 × 1000000 cells/);
  });

  it.each([5001, 65_535, 2 ** 31, 2 ** 32 - 1])('refuses a side of %d', async (side) => {
    await refused(tiff(square(side, front, 4), new Uint8Array(4)), /cells/);
    expect(side * side).toBeGreaterThan(MAX_CELLS);
  });

  it('refuses a few kilobytes that unpack to half a gigabyte', async () => {
    const bomb = deflateSync(new Uint8Array(512 * 1024 * 1024 - 7), { level: 9 });
    // The block itself is honest about its packed size; its content is not.
    await refused(tiff(square(1024, front, bomb.length), bomb), /cannot be decoded|larger than/);
  }, 30_000);

  it('refuses directories in a circle', async () => {
    await refused(tiff(square(2, front, 4), new Uint8Array(4), 8), /circle/);
  });

  it('refuses a field with four billion values', async () => {
    const bytes = tiff([
      [256, 4, [2]],
      [257, 4, [2]],
      [273, 4, [0]],
    ]);
    new DataView(bytes.buffer).setUint32(10 + 2 * 12 + 4, 0xffff_ffff, true);
    await refused(bytes, /outside the file/);
  });

  it('refuses blocks that lie outside the file', async () => {
    await refused(tiff(square(64, 10_000_000, 100), new Uint8Array(100)), /cut off/);
  });

  it('refuses zero rows in a strip, zero cells, no size at all', async () => {
    await refused(tiff(square(0, front, 4), new Uint8Array(4)), /no cells/);
    await refused(tiff([[258, 3, [8]]]), /tag 256/);
  });

  it('refuses too many bands, odd bit depths and unknown compressions', async () => {
    const change = (tag: number, value: number): Uint8Array =>
      tiff(
        square(2, front, 4).map((entry): Tag => (entry[0] === tag ? [tag, entry[1], [value]] : entry)),
        new Uint8Array(4),
      );
    await refused(change(277, 200), /200 bands/);
    await refused(change(258, 12), /12 bits/);
    await refused(change(259, 7), /compression 7/);
    await refused(change(259, 50001), /compression 50001/);
  });

  it('refuses a file that says nowhere where it lies', async () => {
    const packed = deflateSync(new Uint8Array(4));
    const tags = square(2, 0, packed.length).filter(([tag]) => tag < 30_000);
    const at = tiff(tags).length;
    await refused(
      tiff(
        square(2, at, packed.length).filter(([tag]) => tag < 30_000),
        packed,
      ),
      /where it lies/,
    );
  });

  it('refuses every truncation of a good file, at any byte', async () => {
    const good = writeCog(raster({ width: 3, height: 2, bands: [{ name: 'rain_mm', values: new Float32Array(6) }] }));
    // The last four bytes repeat the end of the last tile for other readers; ours does without them.
    for (let length = 0; length < good.length - 4; length += 1) {
      expect(await codeOf(readGeoTiff(good.subarray(0, length))), `cut at ${length} of ${good.length}`).toBe(
        'UPLOAD_INVALID',
      );
    }
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a text', new TextEncoder().encode('ncols 3\nnrows 3\n')],
    ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0])],
    ['a zip', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0])],
    ['a header alone', Uint8Array.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])],
    ['a header that points nowhere', Uint8Array.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])],
  ])('refuses %s', async (_name, bytes) => {
    expect(await codeOf(readGeoTiff(bytes))).toBe('UPLOAD_INVALID');
  });

  it('passes an honest file through the scan with its facts', () => {
    const good = writeCog(
      raster({ width: 300, height: 200, bands: [{ name: 'rain_mm', values: new Float32Array(60_000) }] }),
    );
    expect(scanTiff(good)).toMatchObject({ width: 300, height: 200, bands: 1, bitsPerSample: 32, compression: 8 });
  });
});
