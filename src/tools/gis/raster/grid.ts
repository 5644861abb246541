import type { Extent, RasterType } from '../../../catalog/portTypes.ts';
import type { Raster } from '../formats.ts';

/** Where a raster lies: the part of it that does not depend on values. */
export type Grid = Pick<Raster, 'width' | 'height' | 'originX' | 'originY' | 'cellSize' | 'crs'>;

/** `[minX, minY, maxX, maxY]` of the outer cell edges. */
export function extentOf(grid: Grid): Extent {
  return [
    grid.originX,
    grid.originY - grid.height * grid.cellSize,
    grid.originX + grid.width * grid.cellSize,
    grid.originY,
  ];
}

/** Whether two boxes share any area (touching edges do not count). */
export function overlaps(a: Extent, b: Extent): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Index of the cell that contains a position, -1 outside. A position on an edge belongs to the cell east or south of it. */
export function cellIndexAt(grid: Grid, x: number, y: number): number {
  const column = Math.floor((x - grid.originX) / grid.cellSize);
  const row = Math.floor((grid.originY - y) / grid.cellSize);
  return column >= 0 && row >= 0 && column < grid.width && row < grid.height ? row * grid.width + column : -1;
}

/** Centre of a cell by its index. */
export function centreOf(grid: Grid, index: number): readonly [number, number] {
  const row = Math.floor(index / grid.width);
  return [grid.originX + ((index % grid.width) + 0.5) * grid.cellSize, grid.originY - (row + 0.5) * grid.cellSize];
}

export function sameGrid(a: Grid, b: Grid): boolean {
  return (
    a.crs === b.crs &&
    a.width === b.width &&
    a.height === b.height &&
    a.originX === b.originX &&
    a.originY === b.originY &&
    a.cellSize === b.cellSize
  );
}

/**
 * Bilinear value between the centres of the four nearest cells. NaN outside the outer centres' half cell, and NaN as soon
 * as a neighbour with weight has no data: no-data never turns into a number (O-37).
 */
export function sampleBilinear(grid: Grid, values: Float32Array, x: number, y: number): number {
  const fx = (x - grid.originX) / grid.cellSize - 0.5;
  const fy = (grid.originY - y) / grid.cellSize - 0.5;
  if (!(fx >= -0.5 && fy >= -0.5 && fx <= grid.width - 0.5 && fy <= grid.height - 0.5)) return NaN;
  const cx = Math.min(Math.max(fx, 0), grid.width - 1);
  const cy = Math.min(Math.max(fy, 0), grid.height - 1);
  const left = Math.min(Math.floor(cx), Math.max(0, grid.width - 2));
  const top = Math.min(Math.floor(cy), Math.max(0, grid.height - 2));
  const wx = cx - left;
  const wy = cy - top;
  const at = (column: number, row: number, weight: number): number =>
    weight === 0 ? 0 : weight * (values[row * grid.width + column] as number);
  return (
    at(left, top, (1 - wx) * (1 - wy)) +
    at(left + 1, top, wx * (1 - wy)) +
    at(left, top + 1, (1 - wx) * wy) +
    at(left + 1, top + 1, wx * wy)
  );
}

/** The port type of a raster as it turned out. */
export function rasterTypeOf(raster: Raster): RasterType {
  return {
    kind: 'raster',
    crs: raster.crs,
    unit: raster.unit,
    role: raster.role,
    resolution: raster.cellSize,
    extent: extentOf(raster),
    noData: null,
  };
}

/** Port type with the fields that are known before anything ran. */
export function rasterPromise(role: RasterType['role'], unit: string, known: Partial<RasterType> = {}): RasterType {
  return { kind: 'raster', crs: null, resolution: null, extent: null, noData: null, ...known, role, unit };
}
