import type { Extent } from '../../../catalog/portTypes.ts';
import { ToolError } from '../../../plan/errors.ts';
import type { Grid } from '../raster/grid.ts';

/** Cells aimed at when no resolution is given. */
const AIM_CELLS = 250_000;
/** Cells of the largest surface: 2 bands of 16 MB each. */
export const MAX_SURFACE_CELLS = 4_000_000;
/** Mask by default: this many times the 95th percentile of the distance from a gauge to its nearest neighbour. */
const MASK_FACTOR = 3;

/** 95th percentile (nearest rank) of ascending values. */
function p95(ascending: Float64Array): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * 0.95) - 1)] ?? NaN;
}

/**
 * Distance beyond which no value is given unless the plan says otherwise: errors are only known for distances that occur
 * between gauges, so the surface ends at three times the spacing that 95 % of the gauges keep.
 * @param nearestDistances of each gauge to its nearest neighbour, ascending, metres
 */
export function defaultMaxDistance(nearestDistances: Float64Array): number {
  return MASK_FACTOR * p95(nearestDistances);
}

/** Smallest of 1, 2, 5 × 10ⁿ that is not below the value. */
export function niceCeil(value: number): number {
  const base = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5]) if (step * base >= value * (1 - 1e-12)) return step * base;
  return 10 * base;
}

/** Cell size in metres for a box when the plan names none: nice, and at most 250 000 cells. */
export function defaultResolution(extent: Extent): number {
  const [minX, minY, maxX, maxY] = extent;
  return niceCeil(
    Math.max(Math.sqrt(((maxX - minX) * (maxY - minY)) / AIM_CELLS), Math.max(maxX - minX, maxY - minY) / 5000, 1e-3),
  );
}

/**
 * North-up grid whose edges are whole multiples of the cell size and that covers the box.
 * @throws ToolError `INVALID_ARGUMENT` when the box is empty or needs too many cells
 */
export function gridOver(extent: Extent, cellSize: number, crs: string): Grid {
  const [minX, minY, maxX, maxY] = extent;
  if (!(maxX > minX && maxY > minY))
    throw new ToolError('INVALID_ARGUMENT', 'The extent is empty: minX, minY, maxX, maxY with max above min.');
  const column = Math.floor(minX / cellSize + 1e-9);
  const row = Math.ceil(maxY / cellSize - 1e-9);
  const width = Math.max(1, Math.ceil(maxX / cellSize - 1e-9) - column);
  const height = Math.max(1, row - Math.floor(minY / cellSize + 1e-9));
  if (width * height > MAX_SURFACE_CELLS) {
    throw new ToolError(
      'INVALID_ARGUMENT',
      `${width} × ${height} cells of ${cellSize} m are more than ${MAX_SURFACE_CELLS}. Choose a larger resolutionM or a smaller extent.`,
    );
  }
  return { width, height, originX: column * cellSize, originY: row * cellSize, cellSize, crs };
}
