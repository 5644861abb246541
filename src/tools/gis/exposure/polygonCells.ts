import type { Position } from 'geojson';
import { cellIndexAt, type Grid } from '../raster/grid.ts';

type Ring = readonly Position[];

/** Twice the signed area of a ring (shoelace), in squared units of the system. */
function doubleArea(ring: Ring): number {
  let sum = 0;
  const [ox = 0, oy = 0] = ring[0] ?? [];
  for (let i = 0; i < ring.length; i += 1) {
    const [ax = NaN, ay = NaN] = ring[i] ?? [];
    const [bx = NaN, by = NaN] = ring[(i + 1) % ring.length] ?? [];
    // Relative to a corner: differences of large coordinates keep their digits.
    sum += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy);
  }
  return sum;
}

/** Area of a polygon with holes, whatever the order of its rings' corners. */
export function areaOf(polygon: readonly Ring[]): number {
  const [outer, ...holes] = polygon;
  if (!outer) return 0;
  return (
    Math.max(0, Math.abs(doubleArea(outer)) - holes.reduce((sum, hole) => sum + Math.abs(doubleArea(hole)), 0)) / 2
  );
}

/** Where a horizontal line crosses the rings, ascending (even–odd rule, lower end of an edge included). */
function crossingsAt(polygon: readonly Ring[], y: number): number[] {
  const xs: number[] = [];
  for (const ring of polygon) {
    for (let i = 0; i < ring.length; i += 1) {
      const [ax = NaN, ay = NaN] = ring[i] ?? [];
      const [bx = NaN, by = NaN] = ring[(i + 1) % ring.length] ?? [];
      if (ay <= y !== by <= y) xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
  }
  return xs.sort((a, b) => a - b);
}

/**
 * Cells of the grid whose centre lies in the polygon. Scan lines through the centres; every edge is visited once for
 * every row it spans inside the grid.
 */
export function cellsInside(polygon: readonly Ring[], grid: Grid): number[] {
  const rows = new Map<number, number[]>();
  for (const ring of polygon) {
    for (let i = 0; i < ring.length; i += 1) {
      const [ax = NaN, ay = NaN] = ring[i] ?? [];
      const [bx = NaN, by = NaN] = ring[(i + 1) % ring.length] ?? [];
      const low = Math.min(ay, by);
      const high = Math.max(ay, by);
      // Rows whose centre y lies in [low, high): the upper end belongs to the next edge.
      const first = Math.max(0, Math.floor((grid.originY - high) / grid.cellSize - 0.5));
      const last = Math.min(grid.height - 1, Math.ceil((grid.originY - low) / grid.cellSize - 0.5));
      for (let row = first; row <= last; row += 1) {
        const y = grid.originY - (row + 0.5) * grid.cellSize;
        if (ay <= y === by <= y) continue;
        const xs = rows.get(row) ?? [];
        xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
        rows.set(row, xs);
      }
    }
  }
  const cells: number[] = [];
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const xs = (rows.get(row) ?? []).sort((a, b) => a - b);
    for (let k = 1; k < xs.length; k += 2) {
      const from = Math.max(0, Math.ceil(((xs[k - 1] as number) - grid.originX) / grid.cellSize - 0.5));
      const to = Math.min(grid.width - 1, Math.ceil(((xs[k] as number) - grid.originX) / grid.cellSize - 0.5) - 1);
      for (let column = from; column <= to; column += 1) cells.push(row * grid.width + column);
    }
  }
  return cells;
}

/** Cell at a point inside the polygon: the middle of the widest stretch half way up; -1 outside the grid. */
export function representativeCell(polygon: readonly Ring[], grid: Grid): number {
  let low = Infinity;
  let high = -Infinity;
  for (const [, y = NaN] of polygon[0] ?? []) {
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const y = (low + high) / 2;
  const xs = crossingsAt(polygon, y);
  let best: number | undefined;
  let widest = -1;
  for (let k = 1; k < xs.length; k += 2) {
    const width = (xs[k] as number) - (xs[k - 1] as number);
    if (width > widest) {
      widest = width;
      best = ((xs[k] as number) + (xs[k - 1] as number)) / 2;
    }
  }
  // A polygon without area: its first corner.
  const [fx = NaN, fy = NaN] = polygon[0]?.[0] ?? [];
  return best === undefined ? cellIndexAt(grid, fx, fy) : cellIndexAt(grid, best, y);
}

/** Whether the polygon lies wholly within the grid. */
export function isWithin(polygon: readonly Ring[], grid: Grid): boolean {
  const minY = grid.originY - grid.height * grid.cellSize;
  const maxX = grid.originX + grid.width * grid.cellSize;
  return (polygon[0] ?? []).every(
    ([x = NaN, y = NaN]) => x >= grid.originX && x <= maxX && y >= minY && y <= grid.originY,
  );
}
