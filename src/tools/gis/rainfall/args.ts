import { z } from 'zod';

const column = z.string().min(1).max(200);
const instant = z.iso.datetime({ offset: true });

/** Half-open interval, RFC 3339; `from` before `to`. */
export const windowArg = z
  .strictObject({ from: instant, to: instant })
  .refine((window) => Date.parse(window.from) < Date.parse(window.to), 'from must lie before to');

/** SRC of the contracts: `sample`, an upload by digest, or the name of a configured connection. Never an address. */
export const sourceArg = z.union([
  z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/),
  z.strictObject({ upload: z.string().regex(/^[0-9a-f]{64}$/) }),
]);

export const choicesArg = z
  .array(
    z.strictObject({
      code: z.string().regex(/^[A-Z][A-Z0-9_]{2,40}$/),
      stationId: z.string().min(1).max(200).optional(),
      action: z.enum(['acceptSuggestion', 'keepFirst', 'keepSecond', 'drop']),
    }),
  )
  .max(1000);

const qualityArg = z.union([column, z.strictObject({ column, accept: z.array(z.string().max(40)).min(1).max(50) })]);

/** What the caller states about the file; it overrides what the file says of itself. */
export const schemaArg = z.strictObject({
  id: column.optional(),
  name: column.optional(),
  x: column.optional(),
  y: column.optional(),
  elevation: column.optional(),
  crs: z.string().min(1).max(80).optional(),
  time: column.optional(),
  /** For a file without times: the interval that its values cover. */
  window: windowArg.optional(),
  /** IANA zone, `UTC` or `+01:00` of times without offset. */
  timeZone: z.string().min(1).max(60).optional(),
  /** Which end of its interval a time names; `end` when not stated. */
  timeLabel: z.enum(['start', 'end']).optional(),
  value: column.optional(),
  unit: z.enum(['mm', 'tenth_mm', 'cm', 'm', 'in']).optional(),
  valueKind: z.enum(['interval', 'rate', 'counter']).optional(),
  quality: qualityArg.optional(),
});

/** West, south, east, north in degrees; west > east crosses the 180° meridian (O-38). */
export const areaArg = z
  .tuple([
    z.number().min(-180).max(180),
    z.number().min(-90).max(90),
    z.number().min(-180).max(180),
    z.number().min(-90).max(90),
  ])
  .refine((area) => area[1] < area[3], 'south must lie below north');

export const readRainfallArgs = z
  .strictObject({
    source: sourceArg,
    schema: schemaArg.optional(),
    hours: z
      .number()
      .positive()
      .max(24 * 366)
      .optional(),
    window: windowArg.optional(),
    area: areaArg.optional(),
    choices: choicesArg.optional(),
  })
  .refine((args) => args.hours === undefined || args.window === undefined, 'give hours or window, not both');

export type ReadRainfallArgs = z.infer<typeof readRainfallArgs>;
export type RainSchema = z.infer<typeof schemaArg>;
