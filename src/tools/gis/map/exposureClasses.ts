/** Which classes the features carry, how many of each, and the headline with its bounds. */
import { EXPOSURE_CLASSES, type ExposureClass } from '../formats.ts';
import { ToolError } from '../../../plan/errors.ts';
import { exposureStyles, screeningStyles, type ClassStyle } from './classes.ts';
import { displayText } from './displayText.ts';
import { fill } from './fill.ts';
import { screeningLabel, type Labels, type Locale } from './labels.ts';
import { formatNumber } from './numbers.ts';

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
 * Classes of the features and how they look. `expectScreening` decides for an empty collection.
 * @throws ToolError `STATE_INVALID` naming the first feature without a class
 */
export function classify(
  all: readonly Properties[],
  labels: Labels,
  expectScreening: boolean,
  locale: Locale,
): Classified {
  const exposure = all.length > 0 ? all.every(hasExposure) : !expectScreening;
  if (exposure) return classifyExposure(all, labels);
  const missing = all.findIndex((one) => !hasScreening(one));
  if (missing >= 0) {
    throw new ToolError(
      'STATE_INVALID',
      `Feature ${missing} carries neither an exposure class (gis.overlayExposure) nor a screening class (gis.computeRisk, gis.intersectRisk): nothing to colour the map by.`,
    );
  }
  return classifyScreening(all, labels, locale);
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

function classifyScreening(all: readonly Properties[], labels: Labels, locale: Locale): Classified {
  const ranked = new Map<number, { name: string; label: string; count: number }>();
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
    const entry = ranked.get(rank) ?? { name, label: displayText(screeningLabel(name, locale), 40), count: 0 };
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
 * "At least N, up to M". Exposure: N exceed for sure, up to M counts the undecided too. Screening has no error model:
 * N are in the highest class that occurs, up to M counts those not assessed, which could belong there.
 */
export function headline(
  { mode, classes, indexes }: Classified,
  labels: Labels,
  locale: Locale,
  thresholdMm: number | null,
): string {
  const total = indexes.length;
  if (total === 0) return labels.headlineNone;
  const counts = classes.map((one) => one.count);
  const notAssessed = counts.at(-1) ?? 0;
  const [first = 0, second = 0] = counts;
  const threshold =
    thresholdMm === null
      ? labels.threshold
      : fill(labels.thresholdMm, { mm: formatNumber(thresholdMm, Number.isInteger(thresholdMm) ? 0 : 1, locale) });
  const main =
    mode === 'exposure'
      ? fill(labels.headlineExposure, { n: first, m: first + second, total, threshold })
      : classes.length === 1
        ? ''
        : fill(labels.headlineScreening, { n: first, m: first + notAssessed, total, class: classes[0]?.label ?? '' });
  const rest = notAssessed > 0 ? fill(labels.notAssessedCount, { n: notAssessed }) : '';
  return [main, rest].filter((part) => part !== '').join(' ');
}
