import type { Feature } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit, fitsCrs } from '../crs/fits.ts';
import { networkRegion } from '../rainfall/region.ts';
import type { AssetFindings } from './assetReport.ts';
import { crosses180, type Box } from './cleanGeometry.ts';
import type { Properties } from './properties.ts';

/** A feature on its way in: `at` is its number (or line) in the file. */
export interface Candidate {
  readonly at: number;
  readonly feature: Feature & { readonly id: string; readonly properties: Properties };
  readonly box: Box;
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
  const outside = new Set(candidates.filter(({ box }) => !boxFits(box, crs, false)));
  if (outside.size > candidates.length * WHOLE_FILE) {
    const why = describeMisfit(
      [...outside].flatMap(({ box }) => corners(box)),
      crs,
    );
    throw new ToolError(
      'CRS_MISMATCH',
      `${why ?? 'The features do not fit the coordinate system.'} Nothing was changed.`,
    );
  }
  const firsts = candidates.map(({ box }) => ({ x: box.first[0], y: box.first[1] }));
  const region = networkRegion(firsts, crs, (x, y) => fitsCrs(x, y, crs));
  const geographic = crsInfo(crs).kind === 'geographic';
  return candidates.filter((candidate) => {
    const { feature, at, box } = candidate;
    const [x, y] = box.first;
    const doubtful = outside.has(candidate) || !(region?.contains(x, y) ?? true);
    const swapFits = doubtful && boxFits(box, crs, true) && (region?.contains(y, x) ?? true);
    if (swapFits) findings.reject(at, 'COORD_SWAP_SUSPECTED', feature.id);
    else if (outside.has(candidate)) findings.reject(at, 'OUT_OF_AREA', feature.id);
    else if (geographic && box.maxX - box.minX > 180 && crosses180(feature.geometry)) {
      findings.reject(at, 'CROSSES_180', feature.id);
    } else return true;
    return false;
  });
}

function corners({ minX, minY, maxX, maxY }: Box): (readonly [number, number])[] {
  return minX === maxX && minY === maxY
    ? [[minX, minY]]
    : [
        [minX, minY],
        [maxX, minY],
        [maxX, maxY],
        [minX, maxY],
      ];
}

/** Whether the corners of the box fit: as good as every position, as areas of use have a margin, and quick. */
function boxFits(box: Box, crs: string, swapped: boolean): boolean {
  return corners(box).every(([x, y]) => (swapped ? fitsCrs(y, x, crs) : fitsCrs(x, y, crs)));
}
