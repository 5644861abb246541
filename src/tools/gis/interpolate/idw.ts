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

export interface Bands {
  readonly rain: Float32Array;
  readonly se: Float32Array;
}

/** Rows `from` (inclusive) to `to` (exclusive); `from` is a multiple of `BLOCK`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface Surface extends Bands {
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

/**
 * Weights, weighted rain and weighted slopes at two cells of a row, power 2 over all gauges: no call and no branch inside.
 * The division dominates, so both weights come from one: 1/a = b·(1/ab), 1/b = a·(1/ab); rounding differs from two
 * divisions by parts in 10^16.
 */
function sumInverseSquares(
  gauges: GaugeColumns,
  slopes: Float64Array,
  dy2: Float64Array,
  x1: number,
  x2: number,
  into: Float64Array,
): void {
  const { count, x: gx, mm } = gauges;
  let weights1 = 0;
  let rain1 = 0;
  let slope1 = 0;
  let weights2 = 0;
  let rain2 = 0;
  let slope2 = 0;
  for (let i = 0; i < count; i += 1) {
    const at = gx[i] as number;
    const north = dy2[i] as number;
    const d1 = at - x1;
    const d2 = at - x2;
    const a = d1 * d1 + north;
    const b = d2 * d2 + north;
    const both = 1 / (a * b);
    const w1 = b * both;
    const w2 = a * both;
    const value = mm[i] as number;
    const slope = slopes[i] as number;
    weights1 += w1;
    rain1 += w1 * value;
    slope1 += w1 * slope;
    weights2 += w2;
    rain2 += w2 * value;
    slope2 += w2 * slope;
  }
  into[0] = weights1;
  into[1] = rain1;
  into[2] = slope1;
  into[3] = weights2;
  into[4] = rain2;
  into[5] = slope2;
}

/** Power 2 over all gauges, the common case. Fills both bands with unclipped values. */
function fillInverseSquares(
  gauges: GaugeColumns,
  model: ErrorModel,
  grid: Grid,
  options: MaskOptions,
  rows: RowRange,
  { rain, se }: Bands,
): void {
  const dy2 = new Float64Array(gauges.count);
  const sums = new Float64Array(6);
  const farthest = options.maxDistanceM ** 2;
  let lists: readonly Int32Array[] = [];
  for (let row = rows.from; row < rows.to; row += 1) {
    if (row % BLOCK === 0) lists = candidateLists(gauges, grid, row, options.maxDistanceM);
    const y = grid.originY - (row + 0.5) * grid.cellSize;
    for (let i = 0; i < gauges.count; i += 1) {
      const dy = (gauges.y[i] as number) - y;
      dy2[i] = dy * dy;
    }
    const nearestAt = (column: number, x: number): number =>
      nearestSquared(gauges, lists[Math.floor(column / BLOCK)] as Int32Array, x, y);
    const store = (column: number, x: number, nearest: number, sum: number): void => {
      const cell = row * grid.width + column;
      if (nearest > farthest) {
        rain[cell] = NaN;
        se[cell] = NaN;
      } else if (nearest <= SAME_PLACE) {
        const exact = atGauges(gauges, model, x, y, options);
        rain[cell] = exact.mm;
        se[cell] = exact.se;
      } else {
        const weights = sums[sum] as number;
        rain[cell] = (sums[sum + 1] as number) / weights;
        se[cell] = errorOf((sums[sum + 2] as number) / weights, nearest, options.supportM);
      }
    };
    // Cells in pairs; the last of an odd row is paired with itself.
    for (let column = 0; column < grid.width; column += 2) {
      const second = Math.min(column + 1, grid.width - 1);
      const x1 = grid.originX + (column + 0.5) * grid.cellSize;
      const x2 = grid.originX + (second + 0.5) * grid.cellSize;
      const nearest1 = nearestAt(column, x1);
      const nearest2 = nearestAt(second, x2);
      if (Math.min(nearest1, nearest2) <= farthest) {
        // At a gauge the shared division is one by zero: the other cell of the pair is then summed with itself.
        const a = nearest1 <= SAME_PLACE ? x2 : x1;
        const b = nearest2 <= SAME_PLACE ? x1 : x2;
        sumInverseSquares(gauges, model.slopes, dy2, a, b, sums);
      }
      store(column, x1, nearest1, 0);
      store(second, x2, nearest2, 3);
    }
  }
}

/**
 * Fills the rows of a range in both bands, at cell centres, unclipped. Sums in float64 over the gauges in column order,
 * stored as float32; a row does not depend on the range it is filled in. Cost: cells × gauges (all gauges), or
 * cells × log gauges (nearest ones only).
 */
export function fillRows(
  gauges: GaugeColumns,
  model: ErrorModel,
  grid: Grid,
  options: MaskOptions,
  rows: RowRange,
  bands: Bands,
): void {
  if (options.power === 2 && (options.neighbours === 0 || options.neighbours >= gauges.count)) {
    fillInverseSquares(gauges, model, grid, options, rows, bands);
    return;
  }
  const estimate = createEstimator(gauges, model, options);
  for (let cell = rows.from * grid.width; cell < rows.to * grid.width; cell += 1) {
    const row = Math.floor(cell / grid.width);
    const x = grid.originX + ((cell % grid.width) + 0.5) * grid.cellSize;
    const at = estimate(x, grid.originY - (row + 0.5) * grid.cellSize);
    bands.rain[cell] = at.mm;
    bands.se[cell] = at.se;
  }
}

/** Sets negative rain to zero and counts the cells. */
export function clipped({ rain, se }: Bands): Surface {
  let count = 0;
  for (let cell = 0; cell < rain.length; cell += 1) {
    if ((rain[cell] as number) < 0) {
      rain[cell] = 0;
      count += 1;
    }
  }
  return { rain, se, clipped: count };
}

/** Inverse-distance surface with its standard error over a whole grid, on this thread. */
export function idwSurface(gauges: GaugeColumns, model: ErrorModel, grid: Grid, options: MaskOptions): Surface {
  const cells = grid.width * grid.height;
  const bands: Bands = { rain: new Float32Array(cells), se: new Float32Array(cells) };
  fillRows(gauges, model, grid, options, { from: 0, to: grid.height }, bands);
  return clipped(bands);
}
