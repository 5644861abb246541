import type { Position } from 'geojson';
import type { Grid } from '../raster/grid.ts';
import { addTo } from './footprint.ts';

/** Length in metres of a straight piece between two places in the system of the grid. */
export type LengthM = (ax: number, ay: number, bx: number, by: number) => number;

/** Part of the segment inside the box 0…width, 0…height, as parameters 0…1 (Liang and Barsky 1984); null outside. */
function clip(
  u0: number,
  v0: number,
  u1: number,
  v1: number,
  width: number,
  height: number,
): readonly [number, number] | null {
  let from = 0;
  let to = 1;
  const du = u1 - u0;
  const dv = v1 - v0;
  for (const [direction, distance] of [
    [-du, u0],
    [du, width - u0],
    [-dv, v0],
    [dv, height - v0],
  ] as const) {
    if (direction === 0) {
      if (distance < 0) return null;
    } else if (direction < 0) {
      from = Math.max(from, distance / direction);
    } else {
      to = Math.min(to, distance / direction);
    }
  }
  return from < to ? [from, to] : null;
}

/** Parameters between `from` and `to` at which a coordinate running from `start` by `delta` passes a whole number. */
function crossings(start: number, delta: number, from: number, to: number): number[] {
  if (delta === 0) return [];
  const a = start + delta * from;
  const b = start + delta * to;
  const out: number[] = [];
  for (let whole = Math.ceil(Math.min(a, b)); whole <= Math.max(a, b); whole += 1) {
    const t = (whole - start) / delta;
    if (t > from && t < to) out.push(t);
  }
  return out;
}

/**
 * Adds the length of a path to the cells it runs through.
 * @returns length of the whole path in metres, parts outside the grid included
 */
export function addPath(cells: Map<number, number>, path: readonly Position[], grid: Grid, length: LengthM): number {
  let total = 0;
  for (let i = 1; i < path.length; i += 1) {
    const [ax = NaN, ay = NaN] = path[i - 1] ?? [];
    const [bx = NaN, by = NaN] = path[i] ?? [];
    const whole = length(ax, ay, bx, by);
    if (!(whole > 0)) continue;
    total += whole;
    const u0 = (ax - grid.originX) / grid.cellSize;
    const v0 = (grid.originY - ay) / grid.cellSize;
    const u1 = (bx - grid.originX) / grid.cellSize;
    const v1 = (grid.originY - by) / grid.cellSize;
    const inside = clip(u0, v0, u1, v1, grid.width, grid.height);
    if (!inside) continue;
    const [from, to] = inside;
    const stops = [from, ...crossings(u0, u1 - u0, from, to), ...crossings(v0, v1 - v0, from, to), to].sort(
      (a, b) => a - b,
    );
    for (let k = 1; k < stops.length; k += 1) {
      const s = stops[k - 1] as number;
      const t = stops[k] as number;
      if (t <= s) continue;
      const middle = (s + t) / 2;
      const column = Math.min(grid.width - 1, Math.max(0, Math.floor(u0 + (u1 - u0) * middle)));
      const row = Math.min(grid.height - 1, Math.max(0, Math.floor(v0 + (v1 - v0) * middle)));
      addTo(cells, row * grid.width + column, whole * (t - s));
    }
  }
  return total;
}
