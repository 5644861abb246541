import { transformer } from '../crs/transformer.ts';
import type { Raster } from '../formats.ts';
import { cellIndexAt, sampleBilinear, sameGrid, type Grid } from './grid.ts';

/**
 * A raster on another grid, by inverse mapping: for every cell centre of the target, the place in the source and its
 * value there, bilinear between cell centres (classes: the cell that contains it). No data where the source has none
 * (bilinear: where any of the four neighbours with weight has none).
 */
export function resample(source: Raster, target: Grid): Raster {
  if (sameGrid(source, target)) return source;
  const back = transformer(target.crs, source.crs);
  const classes = source.role === 'screening';
  const bands = source.bands.map(({ name }) => ({ name, values: new Float32Array(target.width * target.height) }));
  let cell = 0;
  for (let row = 0; row < target.height; row += 1) {
    const y = target.originY - (row + 0.5) * target.cellSize;
    for (let column = 0; column < target.width; column += 1, cell += 1) {
      const [sx, sy] = back(target.originX + (column + 0.5) * target.cellSize, y);
      const containing = classes ? cellIndexAt(source, sx, sy) : -1;
      for (const [index, band] of bands.entries()) {
        const values = source.bands[index]?.values ?? new Float32Array();
        band.values[cell] = classes ? (values[containing] ?? NaN) : sampleBilinear(source, values, sx, sy);
      }
    }
  }
  const { width, height, originX, originY, cellSize, crs } = target;
  return { ...source, width, height, originX, originY, cellSize, crs, bands };
}
