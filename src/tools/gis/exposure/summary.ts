import { z } from 'zod';
import { EXPOSURE_CLASSES, type ExposureClass } from '../formats.ts';
import type { Exposure } from './classify.ts';
import { rounded } from './featureFile.ts';
import type { Threshold } from './threshold.ts';

const measure = z.strictObject({ exposed: z.number(), total: z.number() });
const classSummary = z.strictObject({
  count: z.number(),
  /** Sums by kind of geometry: points, metres of line, polygons (as shares of their area). */
  measures: z.strictObject({ count: measure, length_m: measure, area_share: measure }),
});

/** What the `summary` output holds. */
export const summarySchema = z.strictObject({
  byClass: z.strictObject({
    exceeds: classSummary,
    undecided: classSummary,
    below: classSummary,
    notAssessed: classSummary,
  }),
  total: z.number(),
  notAssessedShare: z.number(),
  /** "At least N, up to M": exceeding for sure, and exceeding as far as it cannot be ruled out. */
  atLeast: z.number(),
  upTo: z.number(),
  notes: z.strictObject({
    noGeometry: z.number(),
    outsideSurface: z.number(),
    partlyOutside: z.number(),
    smallerThanCell: z.number(),
  }),
  threshold: z.strictObject({
    mm: z.number(),
    basis: z.enum(['fixed', 'percentile']),
    percentile: z.number().nullable(),
    durationHours: z.number().nullable(),
    source: z.string().nullable(),
  }),
  confidence: z.number(),
  window: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  reprojected: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
});
export type ExposureSummary = z.infer<typeof summarySchema>;

type ClassSummary = z.infer<typeof classSummary>;

function summariseClass(exposures: readonly Exposure[]): ClassSummary {
  const sum = (kind: Exposure['measure']['kind']) => {
    let exposed = 0;
    let total = 0;
    for (const { measure: own } of exposures) {
      if (own.kind !== kind) continue;
      exposed += own.exposed;
      total += own.total;
    }
    return { exposed: rounded(exposed, 6) ?? 0, total: rounded(total, 6) ?? 0 };
  };
  return {
    count: exposures.length,
    measures: { count: sum('count'), length_m: sum('length_m'), area_share: sum('area_share') },
  };
}

/** Counts and measures by class, and the two numbers of the headline. */
export function summarise(
  exposures: readonly Exposure[],
  context: {
    readonly threshold: Threshold;
    readonly confidence: number;
    readonly window: ExposureSummary['window'];
    readonly reprojected: ExposureSummary['reprojected'];
  },
): ExposureSummary {
  const of = (wanted: ExposureClass): ClassSummary =>
    summariseClass(exposures.filter(({ class: own }) => own === wanted));
  const notes = (wanted: NonNullable<Exposure['note']>): number =>
    exposures.filter(({ note }) => note === wanted).length;
  const [exceeds, undecided, below, notAssessed] = EXPOSURE_CLASSES.map(of) as [
    ClassSummary,
    ClassSummary,
    ClassSummary,
    ClassSummary,
  ];
  return {
    byClass: { exceeds, undecided, below, notAssessed },
    total: exposures.length,
    notAssessedShare: rounded(notAssessed.count / exposures.length, 6) ?? 0,
    atLeast: exceeds.count,
    upTo: exceeds.count + undecided.count + notAssessed.count,
    notes: {
      noGeometry: notes('noGeometry'),
      outsideSurface: notes('outsideSurface'),
      partlyOutside: notes('partlyOutside'),
      smallerThanCell: notes('smallerThanCell'),
    },
    threshold: { ...context.threshold, mm: rounded(context.threshold.mm, 6) ?? 0 },
    confidence: context.confidence,
    window: context.window,
    reprojected: context.reprojected,
  };
}
