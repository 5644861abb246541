import { describe, expect, it } from 'vitest';
import { looksLikeAsciiGrid, readAsciiGrid } from '../../../../src/tools/gis/terrain/asciiGrid.ts';
import { checkedHeights, metresPer } from '../../../../src/tools/gis/terrain/heights.ts';
import { codeOf } from '../../../support/gis/inputs.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readAsciiGrid(bytes(text));
const CELLS = '1 2 3\n4 5 6\n';
const head = (more = ''): string => `ncols 3\nnrows 2\nxllcorner 100\nyllcorner 50\ncellsize 10\n${more}`;

describe('readAsciiGrid', () => {
  it('puts row 1 in the north and the corner where it is', () => {
    expect(read(head() + CELLS)).toEqual({
      width: 3,
      height: 2,
      originX: 100,
      originY: 70,
      cellSize: 10,
      noData: null,
      values: Float32Array.from([1, 2, 3, 4, 5, 6]),
    });
  });

  it('moves a centre by half a cell to the corner', () => {
    const grid = read(head().replace('xllcorner', 'xllcenter').replace('yllcorner', 'yllcenter') + CELLS);
    expect([grid.originX, grid.originY]).toEqual([95, 65]);
  });

  it.each([
    ['capitals', head().toUpperCase()],
    ['mixed case', head().replace('ncols', 'NCols').replace('xllcorner', 'XLLCorner')],
    ['tabs and spaces', head().replaceAll(' ', ' \t  ')],
    ['Windows line ends', head().replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${head()}`],
    ['another order of keywords', 'cellsize 10\nnrows 2\nncols 3\nyllcorner 50\nxllcorner 100\n'],
  ])('takes %s', (_name, header) => {
    expect(read(header + CELLS).values[5]).toBe(6);
  });

  it('takes cells on any number of lines, and numbers of any form', () => {
    expect([...read(`${head()}1 2\n3 4 5\n\n 6e0 `).values]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...read(`${head()}-1.5 +2 .5\n1e2 3. 0\n`).values]).toEqual([-1.5, 2, 0.5, 100, 3, 0]);
  });

  it('O-37 reads the declared no-data value and NaN alike', () => {
    expect([...read(`${head('NODATA_value -9999\n')}1 -9999 3\nnan 5 -9999.0\n`).values]).toEqual([
      1,
      NaN,
      3,
      NaN,
      5,
      NaN,
    ]);
  });

  it.each([
    ['too few cells', head() + '1 2 3\n4 5\n', /holds/],
    ['too many cells', head() + CELLS + '7', /more than 3 × 2/],
    ['a decimal comma', head() + '1,5 2 3\n4 5 6\n', /decimal comma/],
    ['a text among the cells', head() + '1 2 x\n4 5 6\n', /cell 3/],
    ['no ncols', head().replace('ncols 3\n', '') + CELLS, /ncols is missing/],
    ['no cellsize', head().replace('cellsize 10\n', '') + CELLS, /cellsize/],
    ['cellsize 0', head().replace('cellsize 10', 'cellsize 0') + CELLS, /cellsize/],
    ['ncols twice', `ncols 3\n${head()}${CELLS}`, /twice/],
    ['corner and centre', head('xllcenter 100\n') + CELLS, /one of xllcorner/],
    ['neither corner nor centre', head().replace('xllcorner 100\n', '') + CELLS, /one of xllcorner/],
    ['a fraction of a column', head().replace('ncols 3', 'ncols 2.5') + CELLS, /ncols is 2.5/],
    ['NaN columns', head().replace('ncols 3', 'ncols nan') + CELLS, /ncols/],
  ])('refuses %s', (_name, text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });

  it('refuses 10^6 × 10^6 cells, and what a header alone would make it allocate, at once', async () => {
    const start = performance.now();
    expect(
      await codeOf(() => read(head().replace('ncols 3', 'ncols 1000000').replace('nrows 2', 'nrows 1000000') + CELLS)),
    ).toBe('UPLOAD_INVALID');
    expect(
      await codeOf(() => read(head().replace('ncols 3', 'ncols 5000').replace('nrows 2', 'nrows 5000') + CELLS)),
    ).toBe('UPLOAD_INVALID');
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('is recognised by its first keyword', () => {
    expect(looksLikeAsciiGrid(bytes('NCOLS 4\n'))).toBe(true);
    expect(looksLikeAsciiGrid(bytes('\uFEFFncols        4'))).toBe(true);
    expect(looksLikeAsciiGrid(bytes('id,lon,lat'))).toBe(false);
    expect(looksLikeAsciiGrid(new Uint8Array())).toBe(false);
  });
});

describe('heights', () => {
  it.each([-9999, -32768, -32767, -99999])('O-37 refuses %d that nobody declared as no data', async (sentinel) => {
    expect(await codeOf(() => checkedHeights(Float32Array.from([100, sentinel]), 1))).toBe('UPLOAD_INVALID');
  });

  it('O-37 refuses a single cell of 1e20', async () => {
    expect(await codeOf(() => checkedHeights(Float32Array.from([100, 1e20]), 1))).toBe('UPLOAD_INVALID');
    expect(await codeOf(() => checkedHeights(Float32Array.from([100, Infinity]), 1))).toBe('UPLOAD_INVALID');
  });

  it('O-37 refuses a terrain without any height', async () => {
    expect(await codeOf(() => checkedHeights(Float32Array.from([NaN, NaN]), 1))).toBe('EMPTY_RESULT');
  });

  it('keeps sea floor and summits', () => {
    expect([...checkedHeights(Float32Array.from([-10_900, 8_848, NaN]), 1)]).toEqual([-10_900, 8_848, NaN]);
  });

  it('converts declared feet and refuses units it does not know', async () => {
    expect([...checkedHeights(Float32Array.from([1000]), metresPer(9002))][0]).toBeCloseTo(304.8, 3);
    expect(metresPer(9003)).toBeCloseTo(0.3048006096, 9);
    expect([metresPer(null), metresPer(9001)]).toEqual([1, 1]);
    expect(await codeOf(() => metresPer(9031))).toBe('UNIT_MISMATCH');
  });
});
