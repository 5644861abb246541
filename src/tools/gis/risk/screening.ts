import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import type { Raster } from '../formats.ts';
import { bandOf } from '../raster/rasterFile.ts';
import { resample } from '../raster/resample.ts';
import { reprojectRaster } from '../reproject/reprojectRaster.ts';
import { slopeOf } from '../slope/tool.ts';
import { matrixArg, rankOf, type Matrix } from './matrix.ts';

export interface Screening {
  readonly raster: Raster;
  /** How the terrain came onto the grid of the rain, in words. */
  readonly alignment: string;
}

/** Terrain in a metric system; moved to that of the rain only when its own is not (types could not tell beforehand). */
function metricTerrain(terrain: Raster, rain: Raster): Raster {
  return crsInfo(terrain.crs).metric ? terrain : reprojectRaster(terrain, rain.crs);
}

/**
 * Screening class per cell of the rain surface: slope from the terrain on its own grid (Horn), brought onto the grid of
 * the rain by bilinear inverse mapping, then the class of the matrix. Rain and slope are classed each in its own unit;
 * they are never multiplied.
 *
 * @throws ToolError `EXTENT_DISJOINT` when no cell has both rain and slope
 */
export function screen(rain: Raster, terrain: Raster, matrix: Matrix): Screening {
  const ground = metricTerrain(terrain, rain);
  const slope = bandOf(resample(slopeOf(ground), rain), 'slope_deg');
  const mm = bandOf(rain, 'rain_mm');
  const ranks = new Float32Array(mm.length);
  let known = 0;
  for (let cell = 0; cell < ranks.length; cell += 1) {
    const rank = rankOf(matrix, mm[cell] as number, slope[cell] as number);
    ranks[cell] = rank;
    if (!Number.isNaN(rank)) known += 1;
  }
  if (known === 0)
    throw new ToolError(
      'EXTENT_DISJOINT',
      'No cell has both rain and terrain. Check that the two cover the same area.',
    );
  const alignment = `slope computed on the terrain grid (${ground.cellSize} m${ground === terrain ? '' : `, reprojected from ${terrain.crs}`}), bilinear onto the rain grid (${rain.cellSize} m)`;
  const { REPROJECTED: _moved, METHOD: rainMethod = 'not stated', ...rest } = rain.metadata;
  return {
    raster: {
      ...rain,
      role: 'screening',
      unit: 'class',
      bands: [
        { name: 'screening_rank', values: ranks },
        { name: 'rain_mm', values: mm },
        { name: 'slope_deg', values: slope },
      ],
      metadata: {
        ...rest,
        RAIN_METHOD: rainMethod,
        METHOD: `screening class by matrix; ${alignment}`,
        MATRIX: JSON.stringify(matrix),
      },
    },
    alignment,
  };
}

/** The matrix that a screening raster was made with. @throws ToolError `STATE_INVALID` when the file holds none */
export function matrixOf(raster: Raster): Matrix {
  try {
    return matrixArg.parse(JSON.parse(raster.metadata['MATRIX'] ?? ''));
  } catch {
    throw new ToolError('STATE_INVALID', 'The screening raster does not say which matrix it was made with.');
  }
}
