import type { ToolInput } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit } from '../crs/fits.ts';
import type { ObservationSet } from '../formats.ts';
import { decodeObservations } from '../observations/codec.ts';

/** Fewest gauges that a surface and its leave-one-out error can rest on. */
const MIN_STATIONS = 3;

/**
 * Validated gauge totals from an earlier node, their CRS by its canonical name.
 * @throws ToolError `STATE_INVALID` (not such a file, or not validated), `TOO_FEW_STATIONS`, `CRS_MISMATCH` (positions
 *   that cannot be in the stated system, O-38)
 */
export function readObservations(input: ToolInput): ObservationSet {
  const set = decodeObservations(input.bytes);
  if (!set.validated)
    throw new ToolError('STATE_INVALID', 'The observations have not passed gis.validateObservations.');
  if (set.stations.length < MIN_STATIONS) {
    throw new ToolError('TOO_FEW_STATIONS', `${set.stations.length} gauges; a surface needs at least ${MIN_STATIONS}.`);
  }
  const places = set.stations.map(({ x, y }) => [x, y] as const);
  const misfit = describeMisfit(places, set.crs);
  if (misfit !== null) throw new ToolError('CRS_MISMATCH', misfit);
  return { ...set, crs: crsInfo(set.crs).id };
}
