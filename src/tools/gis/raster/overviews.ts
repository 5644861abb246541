/** One level of a raster: bands of equal size, row 0 is north, NaN = no data. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly bands: readonly Float32Array[];
}

/** `average` for measured values, `nearest` for classes, whose mean means nothing. */
export type OverviewMethod = 'average' | 'nearest';

function halve(level: Level, method: OverviewMethod): Level {
  const width = Math.ceil(level.width / 2);
  const height = Math.ceil(level.height / 2);
  const bands = level.bands.map((band) => {
    const out = new Float32Array(width * height);
    for (let row = 0; row < height; row += 1) {
      const top = row * 2 * level.width;
      const bottom = row * 2 + 1 < level.height ? top + level.width : -1;
      for (let column = 0; column < width; column += 1) {
        const left = column * 2;
        if (method === 'nearest') {
          out[row * width + column] = band[top + left] ?? NaN;
          continue;
        }
        let sum = 0;
        let count = 0;
        const add = (value: number | undefined): void => {
          if (value === undefined || Number.isNaN(value)) return;
          sum += value;
          count += 1;
        };
        const right = left + 1 < level.width;
        add(band[top + left]);
        if (right) add(band[top + left + 1]);
        if (bottom >= 0) add(band[bottom + left]);
        if (bottom >= 0 && right) add(band[bottom + left + 1]);
        out[row * width + column] = count === 0 ? NaN : sum / count;
      }
    }
    return out;
  });
  return { width, height, bands };
}

/**
 * The level itself and its reductions by two, down to one that fits in a tile of `tileSize` cells.
 * No-data cells take no part in an average; a cell without any data stays without.
 */
export function pyramid(base: Level, tileSize: number, method: OverviewMethod): readonly Level[] {
  const levels = [base];
  let last = base;
  while (Math.max(last.width, last.height) > tileSize) {
    last = halve(last, method);
    levels.push(last);
  }
  return levels;
}
