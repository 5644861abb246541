import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { z } from 'zod';
import type { FeatureRole, FeaturesType } from '../../../catalog/portTypes.ts';
import type { ToolInput, ToolOutput } from '../../../catalog/tool.ts';
import { canonicalJson } from '../../../plan/canonical.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { MEDIA, type FeatureSet } from '../formats.ts';

const position = z.array(z.number()).min(2);
const path = z.array(position);
const GEOMETRIES = {
  Point: z.array(z.number()),
  MultiPoint: path,
  LineString: path,
  MultiLineString: z.array(path),
  Polygon: z.array(path),
  MultiPolygon: z.array(z.array(path)),
} as const;

/** Collections of collections are of no use and an easy way to exhaust a stack: one level is taken. */
const simple = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: GEOMETRIES.Point }),
  z.object({ type: z.literal('MultiPoint'), coordinates: GEOMETRIES.MultiPoint }),
  z.object({ type: z.literal('LineString'), coordinates: GEOMETRIES.LineString }),
  z.object({ type: z.literal('MultiLineString'), coordinates: GEOMETRIES.MultiLineString }),
  z.object({ type: z.literal('Polygon'), coordinates: GEOMETRIES.Polygon }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: GEOMETRIES.MultiPolygon }),
]);
const geometry = z.union([simple, z.object({ type: z.literal('GeometryCollection'), geometries: z.array(simple) })]);
const collection = z.looseObject({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.looseObject({
      type: z.literal('Feature'),
      id: z.union([z.string(), z.number()]).optional(),
      geometry: geometry.nullable(),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});
const sourceInfo = z.object({ kind: z.string(), name: z.string(), sha256: z.string(), licence: z.string() });
const namedCrs = z.object({ type: z.literal('name'), properties: z.object({ name: z.string() }) });

/** A feature whose geometry may be missing, as RFC 7946 allows. */
export type AnyFeature = Feature<Geometry | null, Record<string, unknown> | null>;

/**
 * Features of an earlier node.
 * @param port name for messages
 * @throws ToolError `STATE_INVALID` when the bytes are not a feature collection or name an unknown system
 */
export function readFeatures(input: ToolInput, port: string): FeatureSet {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input.bytes));
  } catch {
    throw new ToolError('STATE_INVALID', `The input "${port}" is not JSON.`);
  }
  const parsed = collection.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ToolError(
      'STATE_INVALID',
      `The input "${port}" is not a feature collection: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`,
    );
  }
  const member = parsed.data['crs'];
  const named = namedCrs.safeParse(member);
  const stated = typeof member === 'string' ? member : named.success ? named.data.properties.name : undefined;
  const ofPort = input.type.kind === 'features' ? input.type.crs : null;
  const crs = crsInfo(stated ?? ofPort ?? 'EPSG:4326').id;
  const source = sourceInfo.safeParse(parsed.data['source']);
  return {
    crs,
    // The schema above is what the cast says; `looseObject` only loses the optional `bbox`.
    collection: { type: 'FeatureCollection', features: parsed.data.features } as FeatureCollection,
    source: source.success
      ? source.data
      : { kind: 'upload', name: input.name ?? port, sha256: input.sha256, licence: '' },
  };
}

/** Kind of geometry that all features share, `mixed` otherwise; null when no feature has any. */
export function geometryOf(collection: FeatureCollection): FeaturesType['geometry'] {
  const kinds = new Set<'point' | 'line' | 'polygon' | 'mixed'>();
  for (const { geometry } of collection.features as readonly AnyFeature[]) {
    if (geometry === null) continue;
    if (geometry.type.endsWith('Point')) kinds.add('point');
    else if (geometry.type.endsWith('LineString')) kinds.add('line');
    else kinds.add(geometry.type.endsWith('Polygon') ? 'polygon' : 'mixed');
  }
  const [only] = kinds;
  return kinds.size > 1 ? 'mixed' : (only ?? null);
}

export interface FeatureOutput {
  readonly set: FeatureSet;
  readonly role: FeatureRole;
  readonly fields: FeaturesType['fields'];
  readonly fileName: string;
  /** Further members of the collection: what the reader of the file must know (threshold, matrix, method). */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Features as the output of a tool: RFC 7946 in EPSG:4326, else our own type with a `crs` member. Keys sorted. */
export function featureOutput({ set, role, fields, fileName, members }: FeatureOutput): ToolOutput {
  const geojson = set.crs === 'EPSG:4326';
  const file = { ...members, ...set.collection, source: set.source, ...(geojson ? {} : { crs: set.crs }) };
  return {
    bytes: new TextEncoder().encode(canonicalJson(file)),
    mediaType: geojson ? MEDIA.geojson : MEDIA.features,
    type: { kind: 'features', geometry: geometryOf(set.collection), crs: set.crs, role, fields },
    fileName: `${fileName}${geojson ? '.geojson' : '.features.json'}`,
  };
}

/** Rounded to so many decimals, so that bytes do not depend on the last bit; null for what is not finite. */
export function rounded(value: number, decimals: number): number | null {
  if (!Number.isFinite(value)) return null;
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
