/** Parses what the ports deliver: exposure features, optional rain surface, optional validated observations. */
import type { Feature, Geometry } from 'geojson';
import { z } from 'zod';
import { ToolError } from '../../../plan/errors.ts';
import type { ToolInput } from '../../../catalog/tool.ts';
import type { ObservationSet, SourceInfo } from '../formats.ts';

const MAX_DEPTH_HINT = 'The artifact is not what its type says; run the producing node again.';

function parseJson(input: ToolInput, port: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input.bytes)) as unknown;
  } catch {
    throw new ToolError('STATE_INVALID', `The input "${port}" is not JSON. ${MAX_DEPTH_HINT}`);
  }
}

function parseWith<T>(schema: z.ZodType<T>, value: unknown, port: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const where = first?.path.map(String).join('.') ?? '';
  throw new ToolError(
    'STATE_INVALID',
    `The input "${port}" is invalid at "${where}": ${first?.message ?? ''}. ${MAX_DEPTH_HINT}`,
  );
}

const position = z.array(z.number()).min(2);
const line = z.array(position);
const geometry: z.ZodType<Geometry> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('Point'), coordinates: z.array(z.number()) }),
    z.object({ type: z.literal('MultiPoint'), coordinates: line }),
    z.object({ type: z.literal('LineString'), coordinates: line }),
    z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line) }),
    z.object({ type: z.literal('Polygon'), coordinates: z.array(line) }),
    z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(line)) }),
    z.object({ type: z.literal('GeometryCollection'), geometries: z.array(geometry) }),
  ]),
);
const feature = z.looseObject({
  type: z.literal('Feature'),
  id: z.union([z.string(), z.number()]).optional(),
  geometry: geometry.nullable(),
  properties: z.record(z.string(), z.unknown()).nullable(),
});
const collection = z.looseObject({
  type: z.literal('FeatureCollection'),
  features: z.array(feature),
  crs: z.unknown().optional(),
});
const source = z.object({ kind: z.string(), name: z.string(), sha256: z.string(), licence: z.string() });
const observations = z.looseObject({
  version: z.literal(1),
  quantity: z.literal('rain'),
  unit: z.literal('mm'),
  crs: z.string(),
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  stations: z.array(
    z.looseObject({
      id: z.string(),
      x: z.number(),
      y: z.number(),
      mm: z.number(),
      name: z.string().optional(),
      flags: z.array(z.string()).optional(),
    }),
  ),
  source,
});

export interface ExposureInput {
  readonly crs: string;
  readonly features: readonly Feature<Geometry | null, Record<string, unknown> | null>[];
  readonly source: SourceInfo | null;
  /** Threshold in mm when the collection states it (member `threshold {mm}`), null otherwise. */
  readonly thresholdMm: number | null;
}

const named = z.object({ properties: z.object({ name: z.string() }) });

/** CRS of a collection: its `crs` member (text, or the named object of old GeoJSON), else the port's, else EPSG:4326. */
function crsOf(member: unknown, input: ToolInput): string {
  if (typeof member === 'string') return member;
  const old = named.safeParse(member);
  if (old.success) return old.data.properties.name;
  return (input.type.kind === 'features' ? input.type.crs : null) ?? 'EPSG:4326';
}

/** @throws ToolError `STATE_INVALID` when the bytes are not a feature collection */
export function readExposure(input: ToolInput): ExposureInput {
  const parsed = parseWith(collection, parseJson(input, 'exposure'), 'exposure');
  const origin = source.safeParse(parsed['source']);
  const threshold = z.object({ mm: z.number() }).safeParse(parsed['threshold']);
  return {
    crs: crsOf(parsed.crs, input),
    features: parsed.features,
    source: origin.success ? origin.data : null,
    thresholdMm: threshold.success ? threshold.data.mm : null,
  };
}

export type GaugeInput = Pick<ObservationSet, 'crs' | 'window' | 'stations' | 'source'>;

/** @throws ToolError `STATE_INVALID` when the bytes are not an observation set */
export function readGauges(input: ToolInput): GaugeInput {
  return parseWith(observations, parseJson(input, 'observations'), 'observations') as GaugeInput;
}
