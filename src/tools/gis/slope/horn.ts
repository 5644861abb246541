/**
 * Rise per metre across one line of three cells; NaN when fewer than two of them are known. In the middle of known
 * cells the central difference, at an edge the one-sided one.
 */
function rise(before: number, middle: number, after: number, cellSize: number): number {
  const central = (after - before) / (2 * cellSize);
  if (!Number.isNaN(central)) return central;
  const backward = (middle - before) / cellSize;
  return Number.isNaN(backward) ? (after - middle) / cellSize : backward;
}

/** Mean of three rises with Horn's weights 1, 2, 1 over those that are known; 0 when none is. */
function weigh(first: number, second: number, third: number): number {
  let sum = 0;
  let weights = 0;
  const add = (value: number, weight: number): void => {
    if (Number.isNaN(value)) return;
    sum += value * weight;
    weights += weight;
  };
  add(first, 1);
  add(second, 2);
  add(third, 1);
  return weights === 0 ? 0 : sum / weights;
}

/**
 * Slope in degrees by Horn's third-order finite difference over the eight neighbours (Horn 1981, "Hill shading and the
 * reflectance map", Proceedings of the IEEE 69(1), 14–47; the method of GDAL's `gdaldem slope`).
 *
 * With a b c / d e f / g h i around a cell of side s:
 *   dz/dx = ((c + 2f + i) − (a + 2d + g)) / 8s,  dz/dy = ((g + 2h + i) − (a + 2b + c)) / 8s,
 *   slope = atan √(dz/dx² + dz/dy²).
 *
 * A cell without data has no slope. Where neighbours are missing (edge of the raster, no data), lines of three with one
 * missing end give a one-sided difference and lines with less take no part; so a plane has its slope in every cell.
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
      if (Number.isNaN(e)) {
        out[row * width + column] = NaN;
        continue;
      }
      const [a, b, c] = [at(column - 1, row - 1), at(column, row - 1), at(column + 1, row - 1)];
      const [d, f] = [at(column - 1, row), at(column + 1, row)];
      const [g, h, i] = [at(column - 1, row + 1), at(column, row + 1), at(column + 1, row + 1)];
      const dx = weigh(rise(a, b, c, cellSize), rise(d, e, f, cellSize), rise(g, h, i, cellSize));
      const dy = weigh(rise(a, d, g, cellSize), rise(b, e, h, cellSize), rise(c, f, i, cellSize));
      out[row * width + column] = (Math.atan(Math.hypot(dx, dy)) * 180) / Math.PI;
    }
  }
  return out;
}
