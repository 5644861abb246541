import { z } from 'zod';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import type { PortType } from '../../../src/catalog/portTypes.ts';
import type { InputPort, OutputPort, PortPattern, ToolDefinition, TypeProblem } from '../../../src/catalog/tool.ts';
import { features, fixed, observations, raster } from './types.ts';

/**
 * Definitions with the names, ports and arguments of the product's tools and nothing behind them, so that plans can be
 * validated without reading data. Sources say their CRS by an argument `crs`.
 */
const SRC = z.union([z.string(), z.strictObject({ upload: z.string() })]);

export const input = (required: boolean, ...accepts: readonly PortPattern[]): InputPort => ({
  accepts,
  required,
  description: 'for tests',
});

export const output = (type: PortType): OutputPort => ({ type, description: 'for tests' });

export const json = (schema: unknown): PortType => ({ kind: 'json', schema });

export const base = (name: string) =>
  ({
    name,
    version: '1.0.0',
    summary: `${name} for tests`,
    sources: [],
    effect: 'none',
    resources: {},
    permission: `tool:${name}`,
    cost: { cents: 1, seconds: 5 },
    limits: { timeoutSeconds: 60, maxOutputBytes: 1_000_000, memoryMb: 256 },
    retry: { maxAttempts: 3 },
    reuse: 'pure',
    runsIn: 'child',
    run: () => Promise.reject(new Error('never run')),
  }) as const;

const crsOf = (args: Readonly<Record<string, unknown>>): string | null =>
  typeof args['crs'] === 'string' ? args['crs'] : null;

const readRainfall = defineTool({
  ...base('gis.readRainfall'),
  input: z.strictObject({
    source: SRC,
    hours: z.number().positive().max(8760).optional(),
    crs: z.string().optional(),
  }),
  sources: ['source'],
  ports: {
    inputs: {},
    outputs: {
      observations: output(observations(false)),
      report: output(
        json({ type: 'object', properties: { rows_total: { type: 'integer' } }, additionalProperties: false }),
      ),
    },
  },
  types: ({ args }) => ({
    outputs: new Map<string, PortType>([
      ['observations', observations(false, crsOf(args))],
      [
        'report',
        json({ type: 'object', properties: { rows_total: { type: 'integer' } }, additionalProperties: false }),
      ],
    ]),
    problems: [],
  }),
});

const validateObservations = defineTool({
  ...base('gis.validateObservations'),
  input: z.strictObject({ minStations: z.int().min(1).max(1000).default(3) }),
  ports: {
    inputs: { observations: input(true, { kind: 'observations' }) },
    outputs: { observations: output(observations(true)), report: output(json({})) },
  },
  types: ({ inputs }) => {
    const given = inputs.get('observations');
    const type = given?.kind === 'observations' ? { ...given, validated: true } : observations(true);
    return {
      outputs: new Map<string, PortType>([
        ['observations', type],
        ['report', json({})],
      ]),
      problems: [],
    };
  },
});

const interpolate = defineTool({
  ...base('gis.interpolate'),
  input: z.strictObject({
    method: z.enum(['idw']).default('idw'),
    power: z.number().min(0.5).max(8).default(2),
    resolutionM: z.number().positive().optional(),
  }),
  resources: { 'local.cpu': 1 },
  ports: {
    inputs: {
      observations: input(true, { kind: 'observations', validated: true }),
      targets: input(false, { kind: 'features', geometry: 'point' }),
    },
    outputs: {
      raster: output(raster('rain', 'mm')),
      quality: output(json({ type: 'object', properties: { method: { type: 'string' } } })),
    },
  },
  types: ({ inputs }) => {
    const given = inputs.get('observations');
    const crs = given?.kind === 'observations' ? given.crs : null;
    return {
      outputs: new Map<string, PortType>([
        ['raster', raster('rain', 'mm', crs)],
        ['quality', json({ type: 'object', properties: { method: { type: 'string' } } })],
      ]),
      problems: [],
    };
  },
});

const loadTerrain = defineTool({
  ...base('gis.loadTerrain'),
  input: z.strictObject({ source: SRC, crs: z.string().optional() }),
  sources: ['source'],
  ports: { inputs: {}, outputs: { raster: output(raster('terrain', 'm')) } },
  types: ({ args }) => ({ outputs: new Map([['raster', raster('terrain', 'm', crsOf(args))]]), problems: [] }),
});

const slope = defineTool({
  ...base('gis.slope'),
  input: z.strictObject({}),
  ports: {
    inputs: { terrain: input(true, { kind: 'raster', role: 'terrain' }) },
    outputs: { raster: output(raster('slope', 'deg')) },
  },
  types: fixed({ raster: raster('slope', 'deg') }),
});

const loadAssets = defineTool({
  ...base('gis.loadAssets'),
  input: z.strictObject({
    source: SRC,
    crs: z.string().optional(),
    role: z.enum(['assets', 'zones']).default('assets'),
  }),
  sources: ['source'],
  ports: { inputs: {}, outputs: { features: output(features('assets')) } },
  types: ({ args }) => ({
    outputs: new Map([['features', features(args['role'] === 'zones' ? 'zones' : 'assets', crsOf(args))]]),
    problems: [],
  }),
});

const reproject = defineTool({
  ...base('gis.reproject'),
  input: z.strictObject({ crs: z.string().regex(/^EPSG:\d+$/) }),
  ports: {
    inputs: { features: input(false, { kind: 'features' }), raster: input(false, { kind: 'raster' }) },
    outputs: { features: output(features('assets')), raster: output(raster('rain', 'mm')) },
  },
  types: ({ inputs, args }) => {
    const outputs = new Map<string, PortType>();
    for (const [name, type] of inputs) if ('crs' in type) outputs.set(name, { ...type, crs: crsOf(args) });
    const problem: TypeProblem = {
      code: 'MISSING_ARGUMENT',
      port: 'features',
      message: 'features or a raster is needed',
    };
    return { outputs, problems: outputs.size === 0 ? [problem] : [] };
  },
});

/** The rule that both overlays share: equal CRS, or a reprojection of the assets is offered. */
function sameCrs(hazard: PortType | undefined, assets: PortType | undefined, crsPort = 'assets'): TypeProblem[] {
  if (hazard?.kind !== 'raster' || assets?.kind !== 'features') return [];
  if (hazard.crs === null || assets.crs === null || hazard.crs === assets.crs) return [];
  return [
    {
      code: 'CRS_MISMATCH',
      port: crsPort,
      message: `assets are in ${assets.crs}, the raster in ${hazard.crs}`,
      insert: { tool: 'gis.reproject', inputPort: 'features', outputPort: 'features', args: { crs: hazard.crs } },
    },
  ];
}

const computeRisk = defineTool({
  ...base('gis.computeRisk'),
  input: z.strictObject({}),
  ports: {
    inputs: {
      rain: input(true, { kind: 'raster', role: 'rain' }),
      terrain: input(true, { kind: 'raster', role: 'terrain' }),
      assets: input(true, { kind: 'features', role: 'assets' }, { kind: 'features', role: 'zones' }),
    },
    outputs: { features: output(features('result')), raster: output(raster('screening', 'class')) },
  },
  types: ({ inputs }) => ({
    outputs: new Map<string, PortType>([
      ['features', features('result')],
      ['raster', raster('screening', 'class')],
    ]),
    problems: sameCrs(inputs.get('rain'), inputs.get('assets')),
  }),
});

const intersectRisk = defineTool({
  ...base('gis.intersectRisk'),
  input: z.strictObject({}),
  ports: {
    inputs: {
      screening: input(true, { kind: 'raster', role: 'screening' }),
      assets: input(true, { kind: 'features', role: 'assets' }),
    },
    outputs: { features: output(features('result')) },
  },
  types: fixed({ features: features('result') }),
});

const summary = {
  type: 'object',
  properties: { total: { type: 'integer' }, byClass: { type: 'object', additionalProperties: { type: 'integer' } } },
  additionalProperties: false,
};

const overlayExposure = defineTool({
  ...base('gis.overlayExposure'),
  input: z
    .strictObject({
      threshold: z
        .discriminatedUnion('basis', [
          z.strictObject({ basis: z.literal('fixed'), mm: z.number().positive() }),
          z.strictObject({ basis: z.literal('percentile'), percentile: z.number().min(0).max(100) }),
        ])
        .optional(),
      thresholdMm: z.number().positive().max(2000).optional(),
    })
    .refine(({ threshold, thresholdMm }) => (threshold === undefined) !== (thresholdMm === undefined), {
      error: 'give either threshold or thresholdMm',
    }),
  ports: {
    inputs: {
      hazard: input(true, { kind: 'raster', role: 'rain' }),
      assets: input(true, { kind: 'features', role: 'assets' }, { kind: 'features', role: 'zones' }),
    },
    outputs: { features: output(features('result')), summary: output(json(summary)) },
  },
  types: ({ inputs }) => ({
    outputs: new Map<string, PortType>([
      ['features', features('result')],
      ['summary', json(summary)],
    ]),
    problems: sameCrs(inputs.get('hazard'), inputs.get('assets')),
  }),
});

const generateMap = defineTool({
  ...base('gis.generateMap'),
  input: z.strictObject({ title: z.string().max(200).optional(), locale: z.string().max(35).optional() }),
  ports: {
    inputs: {
      exposure: input(true, { kind: 'features', role: 'result' }),
      surface: input(false, { kind: 'raster', role: 'rain' }),
      observations: input(false, { kind: 'observations', validated: true }),
    },
    outputs: {
      html: output({ kind: 'artifact', mediaType: 'text/html' }),
      png: output({ kind: 'artifact', mediaType: 'image/png' }),
    },
  },
  types: fixed({
    html: { kind: 'artifact', mediaType: 'text/html' },
    png: { kind: 'artifact', mediaType: 'image/png' },
  }),
});

const format = defineTool({
  ...base('core.format'),
  input: z.strictObject({ template: z.string().max(4000), values: z.record(z.string(), z.unknown()) }),
  ports: { inputs: {}, outputs: { text: output(json({ type: 'string' })) } },
  types: fixed({ text: json({ type: 'string' }) }),
});

/** All of them. */
export const gisTools: readonly ToolDefinition[] = [
  readRainfall,
  validateObservations,
  interpolate,
  loadTerrain,
  slope,
  loadAssets,
  reproject,
  computeRisk,
  intersectRisk,
  overlayExposure,
  generateMap,
  format,
];
