import { describe, expect, it } from 'vitest';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { raster } from '../../../support/gis/inputs.ts';

const values = Float32Array.from({ length: 300 * 300 }, (_, i) => Math.sin(i / 500) * 10);
const make = () =>
  raster({ width: 300, height: 300, bands: [{ name: 'rain_mm', values }], metadata: { B: '2', A: '1' } });

/** Directory offsets in the order of the chain, and where each one's tiles are. */
function layout(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const directories: { at: number; tiles: { offset: number; length: number }[] }[] = [];
  for (let at = view.getUint32(4, true); at !== 0;) {
    const count = view.getUint16(at, true);
    const list = (tag: number): number[] => {
      for (let i = 0; i < count; i += 1) {
        const row = at + 2 + i * 12;
        if (view.getUint16(row, true) !== tag) continue;
        const length = view.getUint32(row + 4, true);
        const start = length === 1 ? row + 8 : view.getUint32(row + 8, true);
        return Array.from({ length }, (_, k) => view.getUint32(start + 4 * k, true));
      }
      return [];
    };
    const lengths = list(325);
    directories.push({ at, tiles: list(324).map((offset, i) => ({ offset, length: lengths[i] ?? 0 })) });
    at = view.getUint32(at + 2 + count * 12, true);
  }
  return { view, directories };
}

describe('writeCog', () => {
  it('gives equal bytes for equal rasters, whatever the order of the metadata', () => {
    const again = { ...make(), metadata: { A: '1', B: '2' } };
    expect(Buffer.compare(writeCog(make()), writeCog(again))).toBe(0);
  });

  it('puts all directories before all data, the full picture first in the chain and last in the data', () => {
    const { directories } = layout(writeCog(make()));
    expect(directories).toHaveLength(2);
    const [full, overview] = directories;
    const first = Math.min(...directories.flatMap(({ tiles }) => tiles.map(({ offset }) => offset)));
    expect(Math.max(...directories.map(({ at }) => at))).toBeLessThan(first);
    expect(full?.tiles).toHaveLength(4);
    expect(overview?.tiles).toHaveLength(1);
    expect(overview!.tiles[0]!.offset).toBeLessThan(full!.tiles[0]!.offset);
  });

  it('frames every tile: its length before it, its last four bytes behind it', () => {
    const bytes = writeCog(make());
    const { view, directories } = layout(bytes);
    for (const { offset, length } of directories.flatMap(({ tiles }) => tiles)) {
      expect(view.getUint32(offset - 4, true)).toBe(length);
      const tail = bytes.slice(offset + length - 4, offset + length);
      expect(bytes.slice(offset + length, offset + length + 4)).toEqual(tail);
    }
  });

  it('announces its layout right behind the header, with the right length', () => {
    const text = new TextDecoder('latin1').decode(writeCog(make()).subarray(8, 300));
    expect(text.startsWith('GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\n')).toBe(true);
    expect(text.slice(43, 43 + 140)).toMatch(/KNOWN_INCOMPATIBLE_EDITION=NO\n $/);
  });

  it('refuses rasters whose bands are not of their size', () => {
    expect(() => writeCog({ ...make(), width: 299 })).toThrow(RangeError);
    expect(() => writeCog({ ...make(), bands: [] })).toThrow(RangeError);
    expect(() =>
      writeCog({ ...make(), width: 0, height: 0, bands: [{ name: 'x', values: new Float32Array() }] }),
    ).toThrow(RangeError);
  });

  it('refuses a system it does not know', () => {
    expect(() => writeCog({ ...make(), crs: 'EPSG:999999' })).toThrow(/not known/);
  });
});
