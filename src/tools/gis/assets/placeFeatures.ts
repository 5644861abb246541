import type { Feature } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit, fitsCrs } from '../crs/fits.ts';
import { networkRegion } from '../rainfall/region.ts';
import type { AssetFindings } from './assetReport.ts';
import { crosses180, positionsOf } from './cleanGeometry.ts';
import type { Properties } from './properties.ts';

/** A feature on its way in: `at` is its number (or line) in the file. */
export interface Candidate {
  readonly at: number;
  readonly feature: Feature & { readonly id: string; readonly properties: Properties };
}

/** Share of features outside the stated CRS from which the mistake is one of the file. */
const WHOLE_FILE = 0.5;

/**
 * Keeps the features that can be where the file says they are (O-38). Most of them outside: the file is refused with what
 * would make it fit. Single ones outside, or lying far off and among the others with x and y exchanged: left out and
 * counted. Nothing is ever exchanged here.
 * @throws CRS_MISMATCH
 */
export function placeFeatures(candidates: readonly Candidate[], crs: string, findings: AssetFindings): Candidate[] {
  const firsts = candidates.map(({ feature }) => firstPosition(feature));
  const misfits = candidates.filter(({ feature }) => !allFit(feature, crs, false));
  if (candidates.length > 0 && misfits.length > candidates.length * WHOLE_FILE) {
    const points = misfits.map(({ feature }) => firstPosition(feature));
    const why =
      describeMisfit(points, crs) ??
      describeMisfit(
        misfits.slice(0, 1).flatMap(({ feature }) => pairs(feature)),
        crs,
      );
    throw new ToolError(
      'CRS_MISMATCH',
      `${why ?? 'The features do not fit the coordinate system.'} Nothing was changed.`,
    );
  }
  const outside = new Set(misfits);
  const region = networkRegion(
    firsts.map(([x, y]) => ({ x, y })),
    crs,
    (x, y) => fitsCrs(x, y, crs),
  );
  const geographic = crsInfo(crs).kind === 'geographic';
  return candidates.filter((candidate) => {
    const { feature, at } = candidate;
    const [x, y] = firstPosition(feature);
    const inRegion = region?.contains(x, y) ?? true;
    const swapFits = allFit(feature, crs, true) && (region?.contains(y, x) ?? true);
    if ((outside.has(candidate) || !inRegion) && swapFits) findings.reject(at, 'COORD_SWAP_SUSPECTED', feature.id);
    else if (outside.has(candidate)) findings.reject(at, 'OUT_OF_AREA', feature.id);
    else if (geographic && crosses180(feature.geometry)) findings.reject(at, 'CROSSES_180', feature.id);
    else return true;
    return false;
  });
}

function pairs(feature: Feature): (readonly [number, number])[] {
  return [...positionsOf(feature.geometry)].map((position) => [position[0] ?? NaN, position[1] ?? NaN]);
}

function firstPosition(feature: Feature): readonly [number, number] {
  for (const position of positionsOf(feature.geometry)) return [position[0] ?? NaN, position[1] ?? NaN];
  return [NaN, NaN];
}

function allFit(feature: Feature, crs: string, swapped: boolean): boolean {
  for (const [x = NaN, y = NaN] of positionsOf(feature.geometry)) {
    if (!(swapped ? fitsCrs(y, x, crs) : fitsCrs(x, y, crs))) return false;
  }
  return true;
}
