/**
 * How a class looks, told apart by colour, by symbol, by dash and by fill pattern, so that none of them is needed alone.
 * Colours are from the Okabe–Ito set (distinct for the common kinds of colour blindness), with a white halo on the map.
 */
import { EXPOSURE_CLASSES, type ExposureClass } from '../formats.ts';
import type { Labels } from './labels.ts';
import { exposureLabel } from './labels.ts';
import type { SymbolName } from './symbols.ts';

export type PatternName = 'solid' | 'hatch' | 'dots' | 'none' | 'grid';

export interface ClassStyle {
  /** Class name as it stands in the data; null = not assessed in a screening. */
  readonly key: string | null;
  readonly label: string;
  readonly colour: string;
  readonly symbol: SymbolName;
  /** Dash array of lines and outlines in pixels, empty = solid. */
  readonly dash: readonly number[];
  readonly pattern: PatternName;
  /** Assets in this class. */
  readonly count: number;
}

type Look = Omit<ClassStyle, 'key' | 'label' | 'count'>;

const EXPOSURE_LOOKS: Readonly<Record<ExposureClass, Look>> = {
  exceeds: { colour: '#c8102e', symbol: 'triangle', dash: [], pattern: 'solid' },
  undecided: { colour: '#e69f00', symbol: 'diamond', dash: [9, 4], pattern: 'hatch' },
  below: { colour: '#00795c', symbol: 'circle', dash: [2, 4], pattern: 'none' },
  notAssessed: { colour: '#555555', symbol: 'cross', dash: [1, 6], pattern: 'grid' },
};

/** Highest class first; more classes than looks repeat the lowest one, and the label tells them apart. */
const RANKED_LOOKS: readonly Look[] = [
  { colour: '#c8102e', symbol: 'triangle', dash: [], pattern: 'solid' },
  { colour: '#e69f00', symbol: 'diamond', dash: [9, 4], pattern: 'hatch' },
  { colour: '#7a4fb5', symbol: 'square', dash: [5, 3], pattern: 'dots' },
  { colour: '#00795c', symbol: 'circle', dash: [2, 4], pattern: 'none' },
  { colour: '#2f6db3', symbol: 'pentagon', dash: [2, 6], pattern: 'none' },
];

/** The four exposure classes, strongest first, with their counts. */
export function exposureStyles(labels: Labels, counts: ReadonlyMap<ExposureClass, number>): ClassStyle[] {
  return EXPOSURE_CLASSES.map((key) => ({
    key,
    label: exposureLabel(labels, key),
    ...EXPOSURE_LOOKS[key],
    count: counts.get(key) ?? 0,
  }));
}

/** Screening classes from the highest rank down, then "not assessed". `ranked` holds label and count by rank. */
export function screeningStyles(
  labels: Labels,
  ranked: ReadonlyMap<number, { readonly name: string; readonly label: string; readonly count: number }>,
  notAssessed: number,
): ClassStyle[] {
  const ranks = [...ranked.keys()].sort((a, b) => b - a);
  const styles = ranks.flatMap((rank, place): ClassStyle[] => {
    const entry = ranked.get(rank);
    // The lowest of three or more classes always has the calm look, whatever their number.
    const last = place === ranks.length - 1 && ranks.length > 2 && ranks.length < 5;
    const look = RANKED_LOOKS[last ? 3 : Math.min(place, RANKED_LOOKS.length - 1)];
    return entry && look ? [{ key: entry.name, label: entry.label, ...look, count: entry.count }] : [];
  });
  return [...styles, { key: null, label: labels.notAssessed, ...EXPOSURE_LOOKS.notAssessed, count: notAssessed }];
}
