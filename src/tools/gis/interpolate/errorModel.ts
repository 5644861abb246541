import { createNearest, type Nearest } from './nearest.ts';
import type { GaugeColumns } from './gauges.ts';
import { SAME_PLACE, weightFunction } from './weights.ts';

/** How the estimate is made; both change the product, so both stand in its metadata. */
export interface IdwOptions {
  readonly power: number;
  /** Gauges used per position; 0 = all. */
  readonly neighbours: number;
}

/** Leave-one-out error: predicted from the others, minus observed. */
export interface LeaveOneOut {
  readonly n: number;
  readonly rmseMm: number;
  readonly maeMm: number;
  readonly biasMm: number;
}

/**
 * What the standard error at a position is made of, per gauge i, in the order of the columns.
 *
 * Take the gauge out, predict it from the others: the residual e_i is an error made at distance d_i, that of the nearest
 * gauge that was left. So near gauge i the error variance grows by b_i = (e_i² + mean e²) / (d_i + mean d) per metre, and
 *
 *   se(x)² = (Σ w_i b_i / Σ w_i) · d(x),  d(x) = distance to the nearest gauge,
 *
 * with the same weights w_i as the estimate. The error is zero at a gauge, grows like a linear variogram, and follows
 * local roughness; single residuals are noisy, hence the pooling with the means. Uncertainty of IDW from leave-one-out
 * residuals: Tomczak 1998, Journal of Geographic Information and Decision Analysis 2(2), 18–30; scaling by distance and
 * pooling are ours, and a test on the SIC97 split holds them to account (about 9 of 10 errors within ±1.645 se).
 */
export interface ErrorModel {
  /** b_i, mm² per metre. */
  readonly slopes: Float64Array;
  readonly leaveOneOut: LeaveOneOut;
  /** Distance of every gauge to the nearest other one, metres, ascending. */
  readonly nearestDistances: Float64Array;
}

/** IDW at a place from given gauges; exact at a gauge, mean of the gauges that share the place. */
function estimateFrom(
  gauges: GaugeColumns,
  indices: Iterable<number>,
  x: number,
  y: number,
  weight: (squared: number) => number,
): number {
  let sum = 0;
  let total = 0;
  let same = 0;
  let sameSum = 0;
  for (const i of indices) {
    const dx = (gauges.x[i] as number) - x;
    const dy = (gauges.y[i] as number) - y;
    const squared = dx * dx + dy * dy;
    const mm = gauges.mm[i] as number;
    if (squared <= SAME_PLACE) {
      same += 1;
      sameSum += mm;
    } else {
      const w = weight(squared);
      sum += w * mm;
      total += w;
    }
  }
  return same > 0 ? sameSum / same : sum / total;
}

function* others(count: number, left: number): Generator<number> {
  for (let i = 0; i < count; i += 1) if (i !== left) yield i;
}

/** Leave-one-out residuals and gauge spacing, and what follows from them. Needs at least two gauges. */
export function fitErrorModel(gauges: GaugeColumns, options: IdwOptions): ErrorModel {
  const { count } = gauges;
  const weight = weightFunction(options.power);
  const nearest: Nearest = createNearest(gauges);
  const useAll = options.neighbours === 0 || options.neighbours >= count - 1;
  const squared = new Float64Array(count);
  const distances = new Float64Array(count);
  let sum = 0;
  let sumAbsolute = 0;
  let sumSquared = 0;
  let sumDistance = 0;
  for (let i = 0; i < count; i += 1) {
    const x = gauges.x[i] as number;
    const y = gauges.y[i] as number;
    const chosen = useAll ? others(count, i) : nearest(x, y, options.neighbours, i);
    const residual = estimateFrom(gauges, chosen, x, y, weight) - (gauges.mm[i] as number);
    const closest = nearest(x, y, 1, i)[0] as number;
    const distance = Math.hypot((gauges.x[closest] as number) - x, (gauges.y[closest] as number) - y);
    squared[i] = residual * residual;
    distances[i] = distance;
    sum += residual;
    sumAbsolute += Math.abs(residual);
    sumSquared += residual * residual;
    sumDistance += distance;
  }
  const meanSquare = sumSquared / count;
  const meanDistance = sumDistance / count;
  return {
    // All gauges at one place: no distance to scale by, and no surface either; the mask leaves nothing.
    slopes: squared.map((value, i) =>
      meanDistance > 0 ? (value + meanSquare) / ((distances[i] as number) + meanDistance) : 0,
    ),
    leaveOneOut: { n: count, rmseMm: Math.sqrt(meanSquare), maeMm: sumAbsolute / count, biasMm: sum / count },
    nearestDistances: distances.slice().sort(),
  };
}
