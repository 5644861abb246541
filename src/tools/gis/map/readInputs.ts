/** Parses what the ports deliver: exposure features, optional rain surface, optional validated observations. */
import { z } from 'zod';
import { ToolError } from '../../../plan/errors.ts';
import type { TimeWindow } from '../../../catalog/portTypes.ts';
import type { ToolInput } from '../../../catalog/tool.ts';
import { readFeatures, type AnyFeature } from '../exposure/featureFile.ts';
import type { ObservationSet, SourceInfo } from '../formats.ts';
import { matrixArg, type Matrix } from '../risk/matrix.ts';

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

const window = z.object({ from: z.string(), to: z.string() });
const source = z.object({ kind: z.string(), name: z.string(), sha256: z.string(), licence: z.string() });
const observations = z.looseObject({
  version: z.literal(1),
  quantity: z.literal('rain'),
  unit: z.literal('mm'),
  crs: z.string(),
  window: window.nullable(),
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

/** Members that the tools before write into the collection; a file without them is drawn without them. */
const members = z.looseObject({
  window: window.nullable().optional().catch(undefined),
  confidence: z.number().optional().catch(undefined),
  threshold: z
    .looseObject({
      mm: z.number(),
      percentile: z.number().nullable().optional(),
      source: z.string().nullable().optional(),
    })
    .optional()
    .catch(undefined),
  screening: z.looseObject({ matrix: matrixArg }).optional().catch(undefined),
});

export interface ExposureInput {
  readonly crs: string;
  readonly features: readonly AnyFeature[];
  readonly source: SourceInfo;
  /** Of `gis.overlayExposure`: what the classes rest on. Null when the collection does not say. */
  readonly threshold: {
    readonly mm: number;
    readonly percentile: number | null;
    readonly source: string | null;
  } | null;
  /** Probability from which a class is certain. */
  readonly confidence: number | null;
  /** Of `gis.computeRisk`. */
  readonly matrix: Matrix | null;
  readonly window: TimeWindow | null;
}

/** @throws ToolError `STATE_INVALID` when the bytes are not a feature collection or name an unknown system */
export function readExposure(input: ToolInput): ExposureInput {
  const { crs, collection, source } = readFeatures(input, 'exposure');
  const said = parseWith(members, parseJson(input, 'exposure'), 'exposure');
  const { threshold } = said;
  return {
    crs,
    features: collection.features,
    source,
    threshold: threshold
      ? { mm: threshold.mm, percentile: threshold.percentile ?? null, source: threshold.source ?? null }
      : null,
    confidence: said.confidence ?? null,
    matrix: said.screening?.matrix ?? null,
    window: said.window ?? null,
  };
}

export type GaugeInput = Pick<ObservationSet, 'crs' | 'window' | 'stations' | 'source'>;

/** @throws ToolError `STATE_INVALID` when the bytes are not an observation set */
export function readGauges(input: ToolInput): GaugeInput {
  return parseWith(observations, parseJson(input, 'observations'), 'observations') as GaugeInput;
}
