/**
 * Slope in degrees by Horn's third-order finite difference over the eight neighbours (Horn 1981, "Hill shading and the
 * reflectance map", Proceedings of the IEEE 69(1), 14–47; the method of GDAL's `gdaldem slope`).
 *
 * With a b c / d e f / g h i around a cell of side s:
 *   dz/dx = ((c + 2f + i) − (a + 2d + g)) / 8s,  dz/dy = ((g + 2h + i) − (a + 2b + c)) / 8s,
 *   slope = atan √(dz/dx² + dz/dy²).
 *
 * A cell without data has no slope. A missing neighbour (edge of the raster, no data) is replaced by the value that
 * continues the plane through its opposite, 2e − opposite; when that is missing too, by e.
 *
 * @param heights metres, NaN = no data, row 0 is north
 * @param cellSize metres
 */
export function hornSlope(heights: Float32Array, width: number, height: number, cellSize: number): Float32Array {
  const out = new Float32Array(heights.length);
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? NaN : (heights[row * width + column] as number);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const e = at(column, row);
      const near = (dx: number, dy: number): number => {
        const value = at(column + dx, row + dy);
        if (!Number.isNaN(value)) return value;
        const opposite = at(column - dx, row - dy);
        return Number.isNaN(opposite) ? e : 2 * e - opposite;
      };
      const [a, b, c, d, f, g, h, i] = [
        near(-1, -1),
        near(0, -1),
        near(1, -1),
        near(-1, 0),
        near(1, 0),
        near(-1, 1),
        near(0, 1),
        near(1, 1),
      ];
      const dx = (c + 2 * f + i - (a + 2 * d + g)) / (8 * cellSize);
      const dy = (g + 2 * h + i - (a + 2 * b + c)) / (8 * cellSize);
      out[row * width + column] = (Math.atan(Math.hypot(dx, dy)) * 180) / Math.PI;
    }
  }
  return out;
}
