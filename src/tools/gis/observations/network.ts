import type { Station } from '../formats.ts';
import { median, nearestOthers, planePositions } from './neighbours.ts';

export interface NetworkMark {
  /** Index of the station; null = the network as a whole. */
  readonly station: number | null;
  readonly flag: 'OUTLIER' | 'STUCK_ZERO' | 'POOR_SPREAD' | 'COLLINEAR';
  readonly detail: Readonly<Record<string, number>>;
}

const NEIGHBOURS = 8;
const MIN_NEIGHBOURS = 5;
/** Robust distance from the neighbours, in their own scale, above which a value is marked. */
const OUTLIER_SCORE = 6;
/** Rain varies by this much between neighbours without anybody being wrong. */
const OUTLIER_MIN_MM = 15;
const SCALE_FLOOR = { mm: 2, share: 0.2 } as const;
/** A gauge at zero among neighbours that all have at least this is suspected to be stuck. */
const STUCK = { leastMm: 2, medianMm: 10 } as const;
/** Ratio of the smaller to the larger principal axis of the positions. */
const AXIS_RATIO = { collinear: 0.001, poor: 0.1 } as const;

/**
 * Marks of the network level: isolated values against the median and MAD of the eight nearest gauges (Hampel 1974, scaled
 * by 1.4826), gauges stuck at zero, positions on one line or nearly so. Marks only: nothing is deleted.
 */
export function networkMarks(stations: readonly Station[], crs: string): NetworkMark[] {
  const positions = planePositions(stations, crs);
  const nearest = nearestOthers(positions, NEIGHBOURS);
  const marks: NetworkMark[] = [];
  stations.forEach((station, index) => {
    const near = (nearest[index] ?? []).flatMap((other) => stations[other]?.mm ?? []);
    const mark = near.length < MIN_NEIGHBOURS ? null : markValue(station.mm, near);
    if (mark !== null) marks.push({ station: index, ...mark });
  });
  const spread = spreadMark(positions);
  return spread === null ? marks : [...marks, spread];
}

function markValue(mm: number, near: readonly number[]): Omit<NetworkMark, 'station'> | null {
  const middle = median(near);
  if (mm === 0 && middle >= STUCK.medianMm && near.every((value) => value >= STUCK.leastMm)) {
    return { flag: 'STUCK_ZERO', detail: { mm, neighbours_median_mm: middle } };
  }
  const deviation = 1.4826 * median(near.map((value) => Math.abs(value - middle)));
  const scale = Math.max(deviation, SCALE_FLOOR.mm, SCALE_FLOOR.share * middle);
  const off = Math.abs(mm - middle);
  if (off < OUTLIER_MIN_MM || off / scale < OUTLIER_SCORE) return null;
  return {
    flag: 'OUTLIER',
    detail: { mm, neighbours_median_mm: middle, score: Math.round((off / scale) * 100) / 100 },
  };
}

/** Principal axes of the positions: eigenvalues of their 2 × 2 covariance. */
function spreadMark(positions: readonly (readonly [number, number])[]): NetworkMark | null {
  const n = positions.length;
  if (n < 3) return null;
  const mx = positions.reduce((sum, [x]) => sum + x, 0) / n;
  const my = positions.reduce((sum, [, y]) => sum + y, 0) / n;
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of positions) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  const half = (xx + yy) / 2;
  const root = Math.hypot((xx - yy) / 2, xy);
  const ratio = half + root === 0 ? 0 : Math.sqrt(Math.max(0, half - root) / (half + root));
  if (ratio >= AXIS_RATIO.poor) return null;
  const flag = ratio < AXIS_RATIO.collinear ? 'COLLINEAR' : 'POOR_SPREAD';
  return { station: null, flag, detail: { axis_ratio: Math.round(ratio * 1e4) / 1e4, stations: n } };
}
