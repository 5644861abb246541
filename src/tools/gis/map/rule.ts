/** What the classes rest on, in words: the threshold with its confidence, or the whole screening matrix. */
import { displayText } from './displayText.ts';
import { fill } from './fill.ts';
import { screeningLabel, type Labels, type Locale } from './labels.ts';
import { formatNumber, formatShare } from './numbers.ts';
import type { ExposureInput } from './readInputs.ts';

const plain = (value: number, locale: Locale): string => formatNumber(value, Number.isInteger(value) ? 0 : 1, locale);

/** `30` or `32.5`. */
export const millimetres = plain;

/** Limits as classes: `< 20`, `20–50`, `≥ 50`. */
function classesOf(limits: readonly number[], locale: Locale): string[] {
  return [...limits, Infinity].map((limit, index) => {
    const below = limits[index - 1];
    if (below === undefined) return `< ${plain(limit, locale)}`;
    return limit === Infinity ? `≥ ${plain(below, locale)}` : `${plain(below, locale)}–${plain(limit, locale)}`;
  });
}

/** Lines for the map; empty when the input does not say. */
export function ruleLines(exposure: ExposureInput, labels: Labels, locale: Locale): string[] {
  const { threshold, confidence, matrix } = exposure;
  if (matrix) {
    const slopes = classesOf(matrix.slopeClasses, locale).map((one) => `${one}°`);
    const rows = classesOf(matrix.rainClasses, locale).map((rain, row) => {
      const names = (matrix.cells[row] ?? []).map((rank) => screeningLabel(matrix.classes[rank] ?? '', locale));
      return displayText(`${rain} mm: ${names.join(' · ')}`, 160);
    });
    return [fill(labels.matrixSlopes, { slopes: slopes.join(' · ') }), ...rows];
  }
  if (!threshold) return [];
  const mm = fill(labels.thresholdMm, { mm: plain(threshold.mm, locale) });
  const basis =
    threshold.percentile === null ? '' : fill(labels.percentile, { p: plain(threshold.percentile, locale) });
  return [
    basis === '' ? mm : `${mm} (${basis})`,
    ...(threshold.source === null ? [] : [displayText(threshold.source, 160)]),
    ...(confidence === null ? [] : [fill(labels.confidence, { share: formatShare(confidence, locale) })]),
  ];
}
