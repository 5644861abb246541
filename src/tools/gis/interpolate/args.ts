import { z } from 'zod';

/** Arguments of `gis.interpolate` that are not ports. Other methods come later; until then the schema refuses them. */
export const interpolateArgs = z.strictObject({
  method: z.literal('idw').default('idw').describe('Inverse distance weighting (Shepard).'),
  power: z.number().min(0.5).max(8).default(2).describe('Exponent of the distance.'),
  neighbours: z.int().min(0).max(1000).default(0).describe('Nearest gauges used per cell; 0 uses all.'),
  resolutionM: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe('Cell size in metres; left out: a round number that gives at most 250 000 cells.'),
  extent: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe('minX, minY, maxX, maxY in the system of the observations; left out: the gauges with a margin.'),
  maxDistanceM: z
    .number()
    .positive()
    .optional()
    .describe(
      'No value farther than this from the nearest gauge; left out: three times the spacing that 95 % of the gauges keep.',
    ),
});
export type InterpolateArgs = z.infer<typeof interpolateArgs>;

/** What the `quality` output holds. */
export const qualitySchema = z.strictObject({
  method: z.literal('idw'),
  parameters: z.strictObject({
    power: z.number(),
    neighbours: z.number(),
    resolutionM: z.number(),
    extent: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    extentBasis: z.enum(['given', 'gauges']),
    maxDistanceM: z.number(),
    maxDistanceBasis: z.enum(['given', 'gaugeSpacing']),
    crs: z.string(),
    crsBasis: z.enum(['observations', 'utmZoneOfGauges']),
    stations: z.number(),
    standardError: z.string(),
  }),
  loocv: z.strictObject({ rmseMm: z.number(), maeMm: z.number(), biasMm: z.number(), n: z.number() }),
  cells: z.strictObject({ total: z.number(), withValue: z.number() }),
  clipped: z.number(),
  /** Targets handed in, and those that got a value. */
  targets: z.strictObject({ given: z.number(), estimated: z.number() }),
});
export type Quality = z.infer<typeof qualitySchema>;
