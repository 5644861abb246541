/** Which classes the features carry, how many of each, and the headline with its bounds. */
import { EXPOSURE_CLASSES, type ExposureClass } from '../formats.ts';
import { ToolError } from '../../../plan/errors.ts';
import { exposureStyles, screeningStyles, type ClassStyle } from './classes.ts';
import { displayText } from './displayText.ts';
import { fill } from './fill.ts';
import { screeningLabel, type Labels, type Locale } from './labels.ts';
import { millimetres } from './rule.ts';

type Properties = Readonly<Record<string, unknown>>;

export interface Classified {
  readonly mode: 'exposure' | 'screening';
  /** Strongest class first, "not assessed" last. */
  readonly classes: readonly ClassStyle[];
  /** Index into `classes`, by feature. */
  readonly indexes: readonly number[];
}

const isExposureClass = (value: unknown): value is ExposureClass => EXPOSURE_CLASSES.some((name) => name === value);

/** An asset's own column may be called `class` too: only the pair that `gis.overlayExposure` writes counts. */
const hasExposure = (one: Properties): boolean => isExposureClass(one['class']) && Object.hasOwn(one, 'probability');
const hasScreening = (one: Properties): boolean => {
  const name = one['screeningClass'];
  return Object.hasOwn(one, 'screeningClass') && (name === null || typeof name === 'string');
};

/**
 * Classes of the features and how they look. `expected.screening` decides for an empty collection; `expected.names` are the
 * classes of the matrix by rank, so that those without any asset stand in the legend too.
 * @throws ToolError `STATE_INVALID` naming the first feature without a class
 */
export function classify(
  all: readonly Properties[],
  labels: Labels,
  locale: Locale,
  expected: { readonly screening: boolean; readonly names?: readonly string[] },
): Classified {
  const exposure = all.length > 0 ? all.every(hasExposure) : !expected.screening;
  if (exposure) return classifyExposure(all, labels);
  const missing = all.findIndex((one) => !hasScreening(one));
  if (missing >= 0) {
    throw new ToolError(
      'STATE_INVALID',
      `Feature ${missing} carries neither an exposure class (gis.overlayExposure) nor a screening class (gis.computeRisk, gis.intersectRisk): nothing to colour the map by.`,
    );
  }
  return classifyScreening(all, labels, locale, expected.names ?? []);
}

function classifyExposure(all: readonly Properties[], labels: Labels): Classified {
  const counts = new Map<ExposureClass, number>();
  const indexes = all.map((one) => {
    const index = EXPOSURE_CLASSES.findIndex((name) => name === one['class']);
    const name = EXPOSURE_CLASSES[index];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    return index;
  });
  return { mode: 'exposure', classes: exposureStyles(labels, counts), indexes };
}

function classifyScreening(
  all: readonly Properties[],
  labels: Labels,
  locale: Locale,
  names: readonly string[],
): Classified {
  const label = (name: string): string => displayText(screeningLabel(name, locale), 40);
  const ranked = new Map(names.map((name, rank) => [rank, { name, label: label(name), count: 0 }]));
  let notAssessed = 0;
  const ranks = all.map((one) => {
    const [name, rank] = [one['screeningClass'], one['screeningRank']];
    if (typeof name !== 'string') {
      notAssessed += 1;
      return null;
    }
    if (typeof rank !== 'number' || !Number.isInteger(rank)) {
      throw new ToolError('STATE_INVALID', `The screening class ${JSON.stringify(name.slice(0, 60))} has no rank.`);
    }
    const entry = ranked.get(rank) ?? { name, label: label(name), count: 0 };
    if (entry.name !== name) {
      throw new ToolError('STATE_INVALID', `Rank ${rank} names two screening classes.`);
    }
    ranked.set(rank, { ...entry, count: entry.count + 1 });
    return rank;
  });
  const order = [...ranked.keys()].sort((a, b) => b - a);
  const place = new Map(order.map((rank, index) => [rank, index]));
  const indexes = ranks.map((rank) => (rank === null ? order.length : (place.get(rank) ?? order.length)));
  return { mode: 'screening', classes: screeningStyles(labels, ranked, notAssessed), indexes };
}

/**
 * "At least N, up to M": N for sure, up to M as far as it cannot be ruled out: the undecided and the not assessed too
 * (as the summary of `gis.overlayExposure` counts). Screening: the highest class that occurs, or one above it.
 */
export function headline(
  { mode, classes, indexes }: Classified,
  labels: Labels,
  locale: Locale,
  thresholdMm: number | null,
): string {
  const total = indexes.length;
  if (total === 0) return labels.headlineNone;
  const notAssessed = classes.at(-1)?.count ?? 0;
  const undecided = mode === 'exposure' ? (classes[1]?.count ?? 0) : 0;
  const open = [
    ...(undecided > 0 ? [fill(labels.undecidedCount, { n: undecided })] : []),
    ...(notAssessed > 0 ? [fill(labels.notAssessedCount, { n: notAssessed })] : []),
  ];
  const rest = open.length > 0 ? ` (${open.join(', ')})` : '';
  const highest = mode === 'exposure' ? 0 : classes.findIndex(({ key, count }) => key !== null && count > 0);
  const top = classes[highest];
  if (!top) return `${fill(labels.notAssessedCount, { n: notAssessed })}.`;
  const counts = { n: top.count, m: top.count + undecided + notAssessed, total };
  const main =
    mode === 'exposure'
      ? fill(labels.headlineExposure, { ...counts, threshold: thresholdText(labels, locale, thresholdMm) })
      : fill(highest > 0 ? labels.headlineHigher : labels.headlineScreening, { ...counts, class: top.label });
  return main.replace(/\.$/, `${rest.replaceAll('$', '$$$$')}.`);
}

const thresholdText = (labels: Labels, locale: Locale, mm: number | null): string =>
  mm === null ? labels.threshold : fill(labels.thresholdMm, { mm: millimetres(mm, locale) });
