import type { FeatureCollection, Geometry, Position } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit, fitsCrs } from '../crs/fits.ts';
import { transformer, type Transform } from '../crs/transformer.ts';
import type { AnyFeature } from '../exposure/featureFile.ts';
import type { FeatureSet } from '../formats.ts';
import { mapPositions, pathsOf } from './positions.ts';

export interface ReprojectedFeatures {
  readonly set: FeatureSet;
  /** Positions carried over. */
  readonly positions: number;
  /**
   * Edges are straight in either system, but not the same line: largest distance between the middle of an edge, carried
   * over, and the middle of the carried edge, in units of the target. Only positions that are in the file are moved.
   */
  readonly largestEdgeShift: number;
}

function* positionsOf(collection: FeatureCollection): Generator<readonly [number, number]> {
  for (const { geometry } of collection.features as readonly AnyFeature[]) {
    if (geometry === null) continue;
    for (const path of pathsOf(geometry)) for (const [x = NaN, y = NaN] of path) yield [x, y];
  }
}

/** An edge of more than 180° is one across the date line, written so that it goes round the world (O-38). */
function refuseDateLine(geometry: Geometry, id: string): void {
  for (const path of pathsOf(geometry)) {
    path.forEach((position, index) => {
      const before = path[index - 1];
      if (before && Math.abs((position[0] ?? NaN) - (before[0] ?? NaN)) > 180) {
        throw new ToolError(
          'INVALID_ARGUMENT',
          `Feature ${id} crosses the 180° meridian. Cut it there into two parts first.`,
        );
      }
    });
  }
}

function edgeShift(path: readonly Position[], transform: Transform): number {
  let most = 0;
  for (let i = 1; i < path.length; i += 1) {
    const [ax = NaN, ay = NaN] = path[i - 1] ?? [];
    const [bx = NaN, by = NaN] = path[i] ?? [];
    const [mx, my] = transform((ax + bx) / 2, (ay + by) / 2);
    const [px, py] = transform(ax, ay);
    const [qx, qy] = transform(bx, by);
    most = Math.max(most, Math.hypot(mx - (px + qx) / 2, my - (py + qy) / 2));
  }
  return most;
}

/**
 * Features with every position in another system; order, ids and properties stay as they are.
 * @throws ToolError `CRS_MISMATCH` (positions that cannot be in the stated system, or outside the area of use of the new
 *   one), `INVALID_ARGUMENT` (across the date line, unknown system)
 */
export function reprojectFeatures(set: FeatureSet, to: string): ReprojectedFeatures {
  const source = crsInfo(set.crs);
  const target = crsInfo(to);
  const misfit = describeMisfit(positionsOf(set.collection), source.id);
  if (misfit !== null) throw new ToolError('CRS_MISMATCH', misfit);
  const transform = transformer(source.id, target.id);
  let positions = 0;
  let largestEdgeShift = 0;
  const move: Transform = (x, y) => {
    const moved = transform(x, y);
    if (!fitsCrs(...moved, target.id)) {
      throw new ToolError(
        'CRS_MISMATCH',
        `The position ${x}, ${y} lies outside the area of ${target.id} (${target.name}). Choose a system that covers the features.`,
      );
    }
    positions += 1;
    return moved;
  };
  const features = (set.collection.features as readonly AnyFeature[]).map((feature, index) => {
    const { geometry } = feature;
    if (geometry === null) return feature;
    const id = String(feature.id ?? `#${index}`);
    if (source.kind === 'geographic') refuseDateLine(geometry, id);
    const moved = mapPositions(geometry, move);
    if (target.kind === 'geographic') refuseDateLine(moved, id);
    for (const path of pathsOf(geometry)) largestEdgeShift = Math.max(largestEdgeShift, edgeShift(path, transform));
    return { ...feature, geometry: moved };
  });
  return {
    set: { ...set, crs: target.id, collection: { type: 'FeatureCollection', features } as FeatureCollection },
    positions,
    largestEdgeShift,
  };
}
