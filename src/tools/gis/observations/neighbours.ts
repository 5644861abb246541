import Flatbush from 'flatbush';
import { crsInfo } from '../crs/crsInfo.ts';
import type { Station } from '../formats.ts';

const METRES_PER_DEGREE = 111_320;

/** Station positions in metres on a plane, good enough to compare distances within one network. */
export function planePositions(stations: readonly Station[], crs: string): [number, number][] {
  if (crsInfo(crs).kind === 'projected') return stations.map(({ x, y }) => [x, y]);
  const middle = stations.reduce((sum, { y }) => sum + y, 0) / Math.max(1, stations.length);
  const east = METRES_PER_DEGREE * Math.cos((middle * Math.PI) / 180);
  return stations.map(({ x, y }) => [x * east, y * METRES_PER_DEGREE]);
}

/** For each station the indexes of its nearest others, nearest first. */
export function nearestOthers(positions: readonly (readonly [number, number])[], count: number): number[][] {
  if (positions.length === 0) return [];
  const index = new Flatbush(positions.length);
  for (const [x, y] of positions) index.add(x, y);
  index.finish();
  return positions.map(([x, y], own) =>
    index
      .neighbors(x, y, count + 1)
      .filter((other) => other !== own)
      .slice(0, count),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}
