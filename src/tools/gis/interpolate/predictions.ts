import type { Geometry } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { describeMisfit } from '../crs/fits.ts';
import { transformer } from '../crs/transformer.ts';
import { rounded, type AnyFeature } from '../exposure/featureFile.ts';
import type { FeatureSet } from '../formats.ts';
import type { Estimator } from './idw.ts';

/** A row of the `predictions` table; nulls where the mask leaves nothing or the target is no point. */
export interface Prediction {
  readonly id: string;
  readonly rain_mm: number | null;
  readonly se_mm: number | null;
}

function idOf(feature: AnyFeature, index: number): string {
  const own = feature.id ?? feature.properties?.['id'];
  return typeof own === 'string' || typeof own === 'number' ? String(own) : `#${index}`;
}

function pointOf(geometry: Geometry | null): readonly [number, number] | null {
  if (geometry?.type !== 'Point') return null;
  const [x, y] = geometry.coordinates;
  return x === undefined || y === undefined ? null : [x, y];
}

/**
 * Estimates at the targets, in their order. Targets in another system are carried into that of the grid.
 * @throws ToolError `INVALID_ARGUMENT` (targets, but no point among them), `CRS_MISMATCH` (positions that cannot be in
 *   the stated system)
 */
export function predictAt(targets: FeatureSet, crs: string, estimate: Estimator): readonly Prediction[] {
  const features = targets.collection.features as readonly AnyFeature[];
  const places = features.map((feature, index) => ({ id: idOf(feature, index), place: pointOf(feature.geometry) }));
  if (places.length > 0 && places.every(({ place }) => place === null)) {
    throw new ToolError('INVALID_ARGUMENT', 'Targets must be points; there is none among them.');
  }
  const misfit = describeMisfit(
    places.flatMap(({ place }) => (place === null ? [] : [place])),
    targets.crs,
  );
  if (misfit !== null) throw new ToolError('CRS_MISMATCH', `Targets: ${misfit}`);
  const project = transformer(targets.crs, crs);
  return places.map(({ id, place }) => {
    if (place === null) return { id, rain_mm: null, se_mm: null };
    const { mm, se } = estimate(...project(...place));
    return { id, rain_mm: rounded(mm, 9), se_mm: rounded(se, 9) };
  });
}
