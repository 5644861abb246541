/**
 * TIFF predictor 3 (floating point, Adobe Technical Note 3): per row, the bytes of all values are grouped by
 * significance (most significant first) and then stored as differences to the byte `stride` places before.
 *
 * @param tile little-endian float32 values, `rows` rows of `rowValues` values (all bands of a pixel side by side)
 * @param stride values per pixel (number of bands)
 * @returns a new buffer of the same length
 */
export function applyFloatPredictor(tile: Uint8Array, rows: number, rowValues: number, stride: number): Uint8Array {
  const out = new Uint8Array(tile.length);
  const rowBytes = rowValues * 4;
  for (let row = 0; row < rows; row += 1) {
    const start = row * rowBytes;
    for (let plane = 0; plane < 4; plane += 1) {
      const to = start + plane * rowValues;
      let from = start + (3 - plane);
      for (let i = 0; i < rowValues; i += 1, from += 4) out[to + i] = tile[from] as number;
    }
    for (let i = start + rowBytes - 1; i >= start + stride; i -= 1) {
      out[i] = (out[i] as number) - (out[i - stride] as number);
    }
  }
  return out;
}
