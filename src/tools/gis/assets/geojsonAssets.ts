import { ToolError } from '../../../plan/errors.ts';
import { isRecord, parseUntrustedJson } from '../../upload/jsonGuard.ts';
import { legacyCrs } from '../../upload/jsonTable.ts';
import { uploadInvalid } from '../../upload/refuse.ts';
import { crsInfo, findCrs, sameCrs } from '../crs/crsInfo.ts';
import type { AssetFindings } from './assetReport.ts';
import { boxOf, cleanGeometry } from './cleanGeometry.ts';
import type { AssetColumns } from './args.ts';
import type { Candidate } from './placeFeatures.ts';
import { cleanProperties, FeatureIds } from './properties.ts';

export const MAX_FEATURES = 500_000;
export const MAX_POSITIONS = 8_000_000;

/** Candidates of a file and the system they are in. */
export interface LoadedFeatures {
  readonly crs: string;
  readonly candidates: readonly Candidate[];
  /** Features or rows in the file. */
  readonly total: number;
}

/**
 * Features of an untrusted GeoJSON: a collection, one feature, or a bare geometry. WGS 84 unless a `crs` member or the
 * argument says otherwise.
 * @throws UPLOAD_INVALID for anything that is not GeoJSON, CRS_MISMATCH when file and argument name different systems.
 */
export function readGeojsonAssets(
  bytes: Uint8Array,
  crsArg: string | undefined,
  columns: AssetColumns,
  findings: AssetFindings,
): LoadedFeatures {
  const root = parseUntrustedJson(bytes);
  if (!isRecord(root)) throw uploadInvalid('The file is not GeoJSON: it is no object with a type.');
  const crs = statedCrs(root, crsArg);
  const features = featureList(root);
  if (features.length > MAX_FEATURES) throw uploadInvalid(`The file has more than ${MAX_FEATURES} features.`);
  const ids = new FeatureIds(findings);
  let positions = 0;
  const candidates = features.flatMap((feature, index): Candidate[] => {
    const at = index + 1;
    if (!isRecord(feature) || feature['type'] !== 'Feature') {
      findings.reject(at, 'GEOMETRY_INVALID');
      return [];
    }
    const cleaned = cleanGeometry(feature['geometry'], findings);
    if ('reason' in cleaned) {
      findings.reject(at, cleaned.reason);
      return [];
    }
    const box = boxOf(cleaned.geometry);
    positions += box.count;
    if (positions > MAX_POSITIONS) throw uploadInvalid(`The file has more than ${MAX_POSITIONS} positions.`);
    const properties = chosen(cleanProperties(feature['properties'], findings), columns);
    const own = columns.id === undefined ? feature['id'] : properties[columns.id];
    const id = ids.next(own, properties, at);
    return [{ at, feature: { type: 'Feature', id, geometry: cleaned.geometry, properties }, box }];
  });
  return { crs, candidates, total: features.length };
}

function featureList(root: Readonly<Record<string, unknown>>): unknown[] {
  if (root['type'] === 'FeatureCollection') {
    if (!Array.isArray(root['features'])) throw uploadInvalid('The FeatureCollection has no list of features.');
    return root['features'] as unknown[];
  }
  if (root['type'] === 'Feature') return [root];
  if (root['type'] === 'Topology') throw uploadInvalid('This is TopoJSON, which is not taken: convert it to GeoJSON.');
  if (typeof root['type'] === 'string' && ('coordinates' in root || 'geometries' in root))
    return [{ type: 'Feature', geometry: root, properties: {} }];
  if ('spatialReference' in root || 'geometryType' in root)
    throw uploadInvalid('This is Esri JSON, which is not taken: export it as GeoJSON.');
  throw uploadInvalid('The file is JSON but not GeoJSON.');
}

function statedCrs(root: Readonly<Record<string, unknown>>, crsArg: string | undefined): string {
  const member = legacyCrs(root);
  const named = root['crs'] !== undefined && root['crs'] !== null;
  if (crsArg !== undefined) {
    if (member !== null && !sameCrs(member, crsArg)) {
      throw new ToolError(
        'CRS_MISMATCH',
        `The file says ${member}, the argument says ${crsInfo(crsArg).id}. Leave crs out, or correct the file.`,
      );
    }
    return crsInfo(crsArg).id;
  }
  if (!named) return 'EPSG:4326';
  const known = member === null ? undefined : findCrs(member);
  if (known === undefined) {
    throw new ToolError(
      'CRS_MISMATCH',
      `The file's crs member names a system that is not known here${member === null ? '' : ` (${member})`}: give it as crs, or reproject the file.`,
    );
  }
  return known.id;
}

/** Properties that the caller wants to keep (all without `keep`), and `name` from the column they named. */
export function chosen<T>(properties: Record<string, T>, columns: AssetColumns): Record<string, T> {
  const keep = columns.keep === undefined ? null : new Set([...columns.keep, columns.id, columns.name]);
  const pairs = Object.entries(properties).filter(([name]) => keep === null || keep.has(name));
  const name = columns.name === undefined ? undefined : properties[columns.name];
  return Object.fromEntries(name === undefined ? pairs : [...pairs.filter(([key]) => key !== 'name'), ['name', name]]);
}
