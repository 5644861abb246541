import type { Extent } from '../../../catalog/portTypes.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { localMetricCrs } from '../crs/localMetric.ts';
import { transformer } from '../crs/transformer.ts';
import type { ObservationSet } from '../formats.ts';
import { carryExtent } from '../raster/carryExtent.ts';
import type { Grid } from '../raster/grid.ts';
import type { InterpolateArgs } from './args.ts';
import { defaultMaxDistance, defaultResolution, gridOver } from './chooseGrid.ts';
import { fitErrorModel, type ErrorModel } from './errorModel.ts';
import { toColumns, type Gauge } from './gauges.ts';
import { createEstimator, type Estimator, type MaskOptions, type Surface } from './idw.ts';
import { idwSurfaceInParallel } from './parallel.ts';

/** Gauge × cell products that fit in the time limit on a slow machine. */
const MAX_WORK = 8e9;

export interface Interpolation {
  readonly gauges: readonly Gauge[];
  readonly model: ErrorModel;
  readonly grid: Grid;
  readonly options: MaskOptions;
  readonly surface: Surface;
  /** Estimates at points, in the system of the grid, without the floor of half a cell in the error. */
  readonly at: Estimator;
}

function gaugeBox(gauges: readonly Gauge[], margin: number): Extent {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of gauges) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin];
}

/**
 * Surface of a set of gauges, in their own system when it is metric, else in the UTM zone of their middle.
 * @throws ToolError `CRS_NOT_PROJECTED` (no metric system serves), `TOO_FEW_STATIONS` (all at one place),
 *   `INVALID_ARGUMENT` (extent, resolution), `EMPTY_RESULT` (no cell near a gauge)
 */
export async function interpolate(set: ObservationSet, args: InterpolateArgs): Promise<Interpolation> {
  const crs = localMetricCrs(
    set.stations.map(({ x, y }) => [x, y] as const),
    set.crs,
  );
  const project = transformer(set.crs, crs);
  const gauges = set.stations.map(({ id, x, y, mm }): Gauge => {
    const [px, py] = project(x, y);
    return { id, x: px, y: py, mm };
  });
  const columns = toColumns(gauges);
  const method = { power: args.power, neighbours: args.neighbours };
  const model = fitErrorModel(columns, method);
  const spacing = defaultMaxDistance(model.nearestDistances);
  if (!(spacing > 0)) {
    throw new ToolError(
      'TOO_FEW_STATIONS',
      'Nearly all gauges share one place; a surface needs gauges at different places.',
    );
  }
  const maxDistanceM = args.maxDistanceM ?? spacing;
  const extent =
    args.extent === undefined
      ? gaugeBox(gauges, Math.min(maxDistanceM, spacing))
      : carryExtent(args.extent, set.crs, crs);
  if (!extent.every(Number.isFinite))
    throw new ToolError('INVALID_ARGUMENT', `The extent does not lie in ${set.crs} (${crsInfo(set.crs).name}).`);
  const cellSize = args.resolutionM ?? defaultResolution(extent);
  const grid = gridOver(extent, cellSize, crs);
  if (args.neighbours === 0 && grid.width * grid.height * gauges.length > MAX_WORK) {
    throw new ToolError(
      'INVALID_ARGUMENT',
      `${grid.width} × ${grid.height} cells from ${gauges.length} gauges would take too long. Choose a larger resolutionM, or neighbours 12 or so.`,
    );
  }
  const options: MaskOptions = { ...method, maxDistanceM, supportM: cellSize / 2 };
  const surface = await idwSurfaceInParallel(columns, model, grid, options);
  if (surface.rain.every((value) => Number.isNaN(value))) {
    throw new ToolError(
      'EMPTY_RESULT',
      `No cell lies within ${maxDistanceM.toFixed(0)} m of a gauge. Choose another extent or maxDistanceM.`,
    );
  }
  return { gauges, model, grid, options, surface, at: createEstimator(columns, model, { ...options, supportM: 0 }) };
}
