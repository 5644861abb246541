import type { Grid } from '../raster/grid.ts';
import type { GaugeColumns } from './gauges.ts';

/** Cells along the side of a block. */
export const BLOCK = 16;

/**
 * For every block of 16 × 16 cells, the gauges that can be nearest to a cell of it: those not farther from its middle than
 * the nearest one by more than the block's diagonal. Makes the exact nearest distance of a cell a matter of a few gauges.
 *
 * @param row first row of a line of blocks
 * @returns one list a block, from west to east; empty when all of the block is farther than `maxDistanceM` from any gauge
 */
export function candidateLists(
  gauges: GaugeColumns,
  grid: Grid,
  row: number,
  maxDistanceM: number,
): readonly Int32Array[] {
  const lists: Int32Array[] = [];
  const half = (BLOCK * grid.cellSize * Math.SQRT2) / 2;
  const distances = new Float64Array(gauges.count);
  const y = grid.originY - (row + BLOCK / 2) * grid.cellSize;
  for (let column = 0; column < grid.width; column += BLOCK) {
    const x = grid.originX + (column + BLOCK / 2) * grid.cellSize;
    let least = Infinity;
    for (let i = 0; i < gauges.count; i += 1) {
      const distance = Math.hypot((gauges.x[i] as number) - x, (gauges.y[i] as number) - y);
      distances[i] = distance;
      if (distance < least) least = distance;
    }
    const chosen: number[] = [];
    // A hair more than needed: rounding must not drop the nearest.
    const limit = least + 2 * half * (1 + 1e-9);
    if (least - half <= maxDistanceM) {
      for (let i = 0; i < gauges.count; i += 1) if ((distances[i] as number) <= limit) chosen.push(i);
    }
    lists.push(Int32Array.from(chosen));
  }
  return lists;
}

/** Squared distance to the nearest of the candidates; Infinity without any. */
export function nearestSquared(gauges: GaugeColumns, candidates: Int32Array, x: number, y: number): number {
  let nearest = Infinity;
  for (const i of candidates) {
    const dx = (gauges.x[i] as number) - x;
    const dy = (gauges.y[i] as number) - y;
    nearest = Math.min(nearest, dx * dx + dy * dy);
  }
  return nearest;
}
