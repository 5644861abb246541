import type { Raster } from '../../tools/gis/formats.ts';
import { writeCog } from '../../tools/gis/raster/cogWriter.ts';
import { heightM, SAMPLE_CRS, SAMPLE_EXTENT, TERRAIN_CELL_M } from './region.ts';

/** The invented relief as a cloud-optimised GeoTIFF: 220 × 150 cells of 300 m, heights at cell centres. */
export function makeTerrain(): Uint8Array {
  const width = SAMPLE_EXTENT.width / TERRAIN_CELL_M;
  const height = SAMPLE_EXTENT.height / TERRAIN_CELL_M;
  const originY = SAMPLE_EXTENT.minY + SAMPLE_EXTENT.height;
  const values = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const x = SAMPLE_EXTENT.minX + (column + 0.5) * TERRAIN_CELL_M;
      values[row * width + column] = heightM(x, originY - (row + 0.5) * TERRAIN_CELL_M);
    }
  }
  const raster: Raster = {
    width,
    height,
    originX: SAMPLE_EXTENT.minX,
    originY,
    cellSize: TERRAIN_CELL_M,
    crs: SAMPLE_CRS,
    unit: 'm',
    role: 'terrain',
    bands: [{ name: 'elevation_m', values }],
    metadata: { NOTE: 'SYNTHETIC relief, closed formula, for development and tests only' },
  };
  return writeCog(raster);
}
