import { z } from 'zod';
import { thresholdArg, type ThresholdArg } from './threshold.ts';

/** Arguments of `gis.overlayExposure` that are not ports. */
export const exposureArgs = z
  .strictObject({
    threshold: thresholdArg.optional().describe('The threshold and what it rests on.'),
    thresholdMm: z.number().positive().max(5000).optional().describe('Short for {mm, basis: "fixed"}.'),
    confidence: z
      .number()
      .gt(0.5)
      .lt(1)
      .default(0.9)
      .describe(
        'Probability from which an asset counts as exceeding; it counts as below when the probability of not exceeding is at least this.',
      ),
  })
  .refine((args) => (args.threshold === undefined) !== (args.thresholdMm === undefined), {
    error: 'Give one of threshold and thresholdMm.',
    path: ['threshold'],
  });
export type ExposureArgs = z.infer<typeof exposureArgs>;

/** The threshold that the arguments state, in its long form. */
export function thresholdOf(args: ExposureArgs): ThresholdArg {
  return args.threshold ?? { basis: 'fixed', mm: args.thresholdMm ?? NaN };
}
