import { z } from 'zod';
import { ToolError } from '../../../plan/errors.ts';

const millimetres = z.number().positive().max(5000);
const common = {
  durationHours: z
    .number()
    .positive()
    .max(8784)
    .optional()
    .describe('Hours the threshold is meant for; must equal the window of the rain.'),
  source: z.string().max(500).optional().describe('Where the threshold comes from; printed on the map.'),
};

/** Bases `alertZones` and `returnPeriod` come later; until then the schema refuses them. */
export const thresholdArg = z.discriminatedUnion('basis', [
  z.strictObject({ basis: z.literal('fixed'), mm: millimetres, ...common }),
  z.strictObject({
    basis: z.literal('percentile'),
    percentile: z.number().min(0).max(100).describe('Percentile of the cells of the surface.'),
    ...common,
  }),
]);
export type ThresholdArg = z.infer<typeof thresholdArg>;

/** A threshold in millimetres, and what it rests on. */
export interface Threshold {
  readonly mm: number;
  readonly basis: 'fixed' | 'percentile';
  readonly percentile: number | null;
  readonly durationHours: number | null;
  readonly source: string | null;
}

/**
 * Percentile by linear interpolation between the ordered values (type 7 of Hyndman and Fan 1996, "Sample quantiles in
 * statistical packages", The American Statistician 50(4)). Cells without data take no part; NaN without any.
 */
export function percentileOf(values: Float32Array, percentile: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const at = ((sorted.length - 1) * percentile) / 100;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000;

/**
 * The threshold in mm for a surface.
 * @param window of the rain, when the surface states one
 * @throws ToolError `WINDOW_MISMATCH` when the threshold is for another duration, `EMPTY_RESULT` for an empty surface
 */
export function resolveThreshold(
  arg: ThresholdArg,
  rain: Float32Array,
  window: { readonly from: string; readonly to: string } | null,
): Threshold {
  if (arg.durationHours !== undefined && window !== null) {
    const hours = hoursBetween(window.from, window.to);
    if (Number.isFinite(hours) && Math.abs(hours - arg.durationHours) > 0.01) {
      throw new ToolError('WINDOW_MISMATCH', `The threshold is for ${arg.durationHours} hours, the rain for ${hours}.`);
    }
  }
  const mm = arg.basis === 'fixed' ? arg.mm : percentileOf(rain, arg.percentile);
  if (Number.isNaN(mm))
    throw new ToolError('EMPTY_RESULT', 'The surface has no cell with rain; no percentile can be taken.');
  return {
    mm,
    basis: arg.basis,
    percentile: arg.basis === 'percentile' ? arg.percentile : null,
    durationHours: arg.durationHours ?? null,
    source: arg.source ?? null,
  };
}
