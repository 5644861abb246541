import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { fitsCrs } from '../crs/fits.ts';
import { transformer } from '../crs/transformer.ts';
import type { Raster } from '../formats.ts';
import { carryExtent } from '../raster/carryExtent.ts';
import { extentOf, type Grid } from '../raster/grid.ts';
import { resample } from '../raster/resample.ts';
import { MAX_CELLS } from '../raster/tiffScan.ts';

/** Cell size is rounded to this many digits, so that grids have readable edges. */
const DIGITS = 3;

/** Grid in the target system around the source, with cells of about the same area in the middle. */
export function targetGrid(source: Grid, to: string): Grid {
  const target = crsInfo(to);
  const [minX, minY, maxX, maxY] = extentOf(source);
  const transform = transformer(source.crs, target.id);
  const x = (minX + maxX) / 2;
  const y = (minY + maxY) / 2;
  const middle = transform(x, y);
  if (!fitsCrs(...middle, target.id)) {
    throw new ToolError(
      'CRS_MISMATCH',
      `The raster lies outside the area of ${target.id} (${target.name}). Choose a system that covers it.`,
    );
  }
  const east = transform(x + source.cellSize, y);
  const north = transform(x, y + source.cellSize);
  const area = Math.abs(
    (east[0] - middle[0]) * (north[1] - middle[1]) - (east[1] - middle[1]) * (north[0] - middle[0]),
  );
  const cellSize = Number(Math.sqrt(area).toPrecision(DIGITS));
  const box = carryExtent([minX, minY, maxX, maxY], source.crs, target.id);
  if (!box.every(Number.isFinite) || !(cellSize > 0)) {
    throw new ToolError(
      'CRS_MISMATCH',
      `Part of the raster has no place in ${target.id} (${target.name}). Choose a system that covers it.`,
    );
  }
  if (target.kind === 'geographic' && box[2] - box[0] > 180) {
    throw new ToolError(
      'INVALID_ARGUMENT',
      'The raster spans more than 180° or crosses the 180° meridian. Cut it first.',
    );
  }
  const column = Math.floor(box[0] / cellSize);
  const row = Math.ceil(box[3] / cellSize);
  const width = Math.ceil(box[2] / cellSize) - column;
  const height = row - Math.floor(box[1] / cellSize);
  if (width * height > MAX_CELLS)
    throw new ToolError(
      'RESULT_TOO_LARGE',
      `The reprojected raster would have ${width} × ${height} cells, more than ${MAX_CELLS}.`,
    );
  return { width, height, originX: column * cellSize, originY: row * cellSize, cellSize, crs: target.id };
}

/** A raster in another system, all bands. @throws ToolError as {@link targetGrid} */
export function reprojectRaster(source: Raster, to: string): Raster {
  if (crsInfo(to).id === crsInfo(source.crs).id) return source;
  const moved = resample(source, targetGrid(source, to));
  return {
    ...moved,
    metadata: {
      ...source.metadata,
      REPROJECTED: `${source.crs} to ${moved.crs}, ${source.role === 'screening' ? 'nearest cell' : 'bilinear'}`,
    },
  };
}
