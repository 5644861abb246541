import type { Geometry } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit } from '../crs/fits.ts';
import { transformer } from '../crs/transformer.ts';
import type { FeatureSet } from '../formats.ts';
import { extentOf, overlaps, type Grid } from '../raster/grid.ts';
import { mapPositions, pathsOf } from '../reproject/positions.ts';
import { createFootprints } from './cells.ts';
import type { AnyFeature } from './featureFile.ts';
import type { Footprint } from './footprint.ts';

export interface PlacedAsset {
  readonly feature: AnyFeature;
  readonly footprint: Footprint;
}

export interface PlacedAssets {
  readonly assets: readonly PlacedAsset[];
  /** Set when positions had to be carried into the system of the grid: only where no type could tell beforehand. */
  readonly carried: { readonly from: string; readonly to: string } | null;
}

function* positionsOf(features: readonly AnyFeature[]): Generator<readonly [number, number]> {
  for (const { geometry } of features) {
    if (geometry === null) continue;
    for (const path of pathsOf(geometry)) for (const [x = NaN, y = NaN] of path) yield [x, y];
  }
}

function boxOf(geometry: Geometry): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of pathsOf(geometry)) {
    for (const [x = NaN, y = NaN] of path) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return box;
}

/** A point has no area: give boxes a hair, so that touching counts. */
const HAIR = 1e-9;

/**
 * Assets with the cells they lie on. Geometries stay as they are in the result; only their footprints are in the system
 * of the grid.
 *
 * @throws ToolError `EMPTY_RESULT` (no asset at all), `CRS_MISMATCH` (positions that cannot be in the stated system,
 *   O-38), `EXTENT_DISJOINT` (not one asset near the grid)
 */
export function placeAssets(set: FeatureSet, grid: Grid): PlacedAssets {
  const features = set.collection.features as readonly AnyFeature[];
  if (features.length === 0) throw new ToolError('EMPTY_RESULT', 'There is not one asset in the input.');
  const misfit = describeMisfit(positionsOf(features), set.crs);
  if (misfit !== null) throw new ToolError('CRS_MISMATCH', `Assets: ${misfit}`);
  const source = crsInfo(set.crs);
  const same = source.id === crsInfo(grid.crs).id;
  const project = transformer(source.id, grid.crs);
  const footprint = createFootprints(grid);
  const extent = extentOf(grid);
  let placed = 0;
  let near = 0;
  const assets = features.map((feature): PlacedAsset => {
    const geometry = feature.geometry === null || same ? feature.geometry : mapPositions(feature.geometry, project);
    if (geometry !== null) {
      const [minX, minY, maxX, maxY] = boxOf(geometry);
      if (minX <= maxX) placed += 1;
      if (overlaps([minX - HAIR, minY - HAIR, maxX + HAIR, maxY + HAIR], extent)) near += 1;
    }
    return { feature, footprint: footprint(geometry) };
  });
  if (placed > 0 && near === 0) {
    throw new ToolError(
      'EXTENT_DISJOINT',
      `None of the ${placed} assets lies within the raster (${extent.map((value) => value.toFixed(0)).join(', ')} in ${grid.crs}). Check the area and the coordinate systems.`,
    );
  }
  return { assets, carried: same ? null : { from: source.id, to: crsInfo(grid.crs).id } };
}

/** The asset's own properties and the new ones; an own property of the same name is kept as `original_<name>`. */
export function withProperties(feature: AnyFeature, added: Readonly<Record<string, unknown>>): AnyFeature {
  const own = new Map(Object.entries(feature.properties ?? {}));
  for (const name of Object.keys(added)) {
    if (own.has(name)) own.set(`original_${name}`, own.get(name));
  }
  return { ...feature, properties: { ...Object.fromEntries(own), ...added } };
}
