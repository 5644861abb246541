import type { Grid } from '../raster/grid.ts';
import type { ErrorModel, IdwOptions } from './errorModel.ts';
import type { GaugeColumns } from './gauges.ts';
import { createNearest } from './nearest.ts';
import { BLOCK, candidateLists, nearestSquared } from './nearestOnGrid.ts';
import { SAME_PLACE, weightFunction } from './weights.ts';

/** Rain and its standard error in mm; both NaN where the nearest gauge is farther than the mask allows. */
export interface Estimate {
  readonly mm: number;
  readonly se: number;
}

export interface Surface {
  readonly rain: Float32Array;
  readonly se: Float32Array;
  /** Cells whose estimate was negative and set to zero. */
  readonly clipped: number;
}

export interface MaskOptions extends IdwOptions {
  /** No value beyond this distance from the nearest gauge, metres. */
  readonly maxDistanceM: number;
  /** Distance below which the error does not shrink further: half a cell, as a cell is not a point. Metres. */
  readonly supportM: number;
}

export type Estimator = (x: number, y: number) => Estimate;

const NOTHING: Estimate = { mm: NaN, se: NaN };

const errorOf = (slope: number, nearest: number, supportM: number): number =>
  Math.sqrt(slope * Math.max(Math.sqrt(nearest), supportM));

/** The estimate at gauges: the mean of those that share the place. */
function atGauges(gauges: GaugeColumns, model: ErrorModel, x: number, y: number, options: MaskOptions): Estimate {
  let count = 0;
  let rain = 0;
  let slope = 0;
  for (let i = 0; i < gauges.count; i += 1) {
    if (((gauges.x[i] as number) - x) ** 2 + ((gauges.y[i] as number) - y) ** 2 > SAME_PLACE) continue;
    count += 1;
    rain += gauges.mm[i] as number;
    slope += model.slopes[i] as number;
  }
  return { mm: rain / count, se: errorOf(slope / count, 0, options.supportM) };
}

/** Estimates at single places, by any power and number of neighbours; the grid's fast loop is held to it by a test. */
export function createEstimator(gauges: GaugeColumns, model: ErrorModel, options: MaskOptions): Estimator {
  const weight = weightFunction(options.power);
  const all = Array.from({ length: gauges.count }, (_, i) => i);
  const useAll = options.neighbours === 0 || options.neighbours >= gauges.count;
  const search = useAll ? undefined : createNearest(gauges);
  const farthest = options.maxDistanceM ** 2;
  return (x, y) => {
    let weights = 0;
    let rain = 0;
    let slope = 0;
    let nearest = Infinity;
    for (const i of search ? search(x, y, options.neighbours) : all) {
      const dx = (gauges.x[i] as number) - x;
      const dy = (gauges.y[i] as number) - y;
      const squared = dx * dx + dy * dy;
      if (squared <= SAME_PLACE) return atGauges(gauges, model, x, y, options);
      const w = weight(squared);
      weights += w;
      rain += w * (gauges.mm[i] as number);
      slope += w * (model.slopes[i] as number);
      if (squared < nearest) nearest = squared;
    }
    return nearest > farthest
      ? NOTHING
      : { mm: rain / weights, se: errorOf(slope / weights, nearest, options.supportM) };
  };
}

/** Weights, weighted rain and weighted slopes at a cell of a row, power 2 over all gauges: no call and no branch inside. */
function sumInverseSquares(
  gauges: GaugeColumns,
  slopes: Float64Array,
  dy2: Float64Array,
  x: number,
  into: Float64Array,
): void {
  const { count, x: gx, mm } = gauges;
  let weights = 0;
  let rain = 0;
  let slope = 0;
  for (let i = 0; i < count; i += 1) {
    const dx = (gx[i] as number) - x;
    const w = 1 / (dx * dx + (dy2[i] as number));
    weights += w;
    rain += w * (mm[i] as number);
    slope += w * (slopes[i] as number);
  }
  into[0] = weights;
  into[1] = rain;
  into[2] = slope;
}

/** Power 2 over all gauges, the common case. Fills both bands with unclipped values. */
function fillInverseSquares(
  gauges: GaugeColumns,
  model: ErrorModel,
  grid: Grid,
  options: MaskOptions,
  rain: Float32Array,
  se: Float32Array,
): void {
  const dy2 = new Float64Array(gauges.count);
  const sums = new Float64Array(3);
  const farthest = options.maxDistanceM ** 2;
  let lists: readonly Int32Array[] = [];
  let cell = 0;
  for (let row = 0; row < grid.height; row += 1) {
    if (row % BLOCK === 0) lists = candidateLists(gauges, grid, row, options.maxDistanceM);
    const y = grid.originY - (row + 0.5) * grid.cellSize;
    for (let i = 0; i < gauges.count; i += 1) {
      const dy = (gauges.y[i] as number) - y;
      dy2[i] = dy * dy;
    }
    for (let column = 0; column < grid.width; column += 1, cell += 1) {
      const x = grid.originX + (column + 0.5) * grid.cellSize;
      const nearest = nearestSquared(gauges, lists[Math.floor(column / BLOCK)] as Int32Array, x, y);
      if (nearest > farthest) {
        rain[cell] = NaN;
        se[cell] = NaN;
      } else if (nearest <= SAME_PLACE) {
        const exact = atGauges(gauges, model, x, y, options);
        rain[cell] = exact.mm;
        se[cell] = exact.se;
      } else {
        sumInverseSquares(gauges, model.slopes, dy2, x, sums);
        const weights = sums[0] as number;
        rain[cell] = (sums[1] as number) / weights;
        se[cell] = errorOf((sums[2] as number) / weights, nearest, options.supportM);
      }
    }
  }
}

/**
 * Inverse-distance surface with its standard error over a grid, at cell centres. Sums in float64 over the gauges in
 * column order, stored as float32. Cost: cells × gauges (all gauges), or cells × log gauges (nearest ones only).
 */
export function idwSurface(gauges: GaugeColumns, model: ErrorModel, grid: Grid, options: MaskOptions): Surface {
  const rain = new Float32Array(grid.width * grid.height);
  const se = new Float32Array(grid.width * grid.height);
  if (options.power === 2 && (options.neighbours === 0 || options.neighbours >= gauges.count)) {
    fillInverseSquares(gauges, model, grid, options, rain, se);
  } else {
    const estimate = createEstimator(gauges, model, options);
    for (let cell = 0; cell < rain.length; cell += 1) {
      const row = Math.floor(cell / grid.width);
      const x = grid.originX + ((cell % grid.width) + 0.5) * grid.cellSize;
      const at = estimate(x, grid.originY - (row + 0.5) * grid.cellSize);
      rain[cell] = at.mm;
      se[cell] = at.se;
    }
  }
  let clipped = 0;
  for (let cell = 0; cell < rain.length; cell += 1) {
    if ((rain[cell] as number) < 0) {
      rain[cell] = 0;
      clipped += 1;
    }
  }
  return { rain, se, clipped };
}
