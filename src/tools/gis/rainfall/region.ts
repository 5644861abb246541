import { crsInfo } from '../crs/crsInfo.ts';

/** Where the bulk of a network lies, in its own coordinates. */
export interface Region {
  readonly contains: (x: number, y: number) => boolean;
}

/** Fewer gauges have no bulk to compare a single one with. */
const MIN_PLACES = 5;
/** The box of the middle half grows by this multiple of its size on each side. */
const GROWTH = 3;
/** Least growth: a compact network must not make its edge suspicious. */
const MIN_MARGIN = { degrees: 1, metres: 100_000 } as const;

/**
 * Box around the quartiles of x and of y, enlarged generously. Quartiles, so that the misplaced few do not enlarge it. Null when too few places pass `fits`.
 */
export function networkRegion(
  places: readonly { readonly x: number; readonly y: number }[],
  crs: string,
  fits: (x: number, y: number) => boolean,
): Region | null {
  const unique = new Map(places.map((place) => [`${place.x} ${place.y}`, place]));
  const usable = [...unique.values()].filter((place) => fits(place.x, place.y));
  if (usable.length < MIN_PLACES) return null;
  const margin = crsInfo(crs).kind === 'geographic' ? MIN_MARGIN.degrees : MIN_MARGIN.metres;
  const [x0, x1] = grown(
    usable.map((place) => place.x),
    margin,
  );
  const [y0, y1] = grown(
    usable.map((place) => place.y),
    margin,
  );
  return { contains: (x, y) => x >= x0 && x <= x1 && y >= y0 && y <= y1 };
}

function grown(values: readonly number[], margin: number): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
  const [low, high] = [at(0.25), at(0.75)];
  const by = Math.max((high - low) * GROWTH, margin);
  return [low - by, high + by];
}
