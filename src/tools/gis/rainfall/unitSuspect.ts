import type { RainUnit } from '../../upload/headers.ts';

/** Fewer values say nothing about their unit. */
const MIN_VALUES = 8;

/**
 * Whether the size of all values casts doubt on the stated unit. Only ever a mark: a dry day has small values too.
 * @param mm accepted totals in millimetres by the stated unit.
 */
export function suspectUnit(mm: readonly number[], unit: RainUnit): { max_mm: number; hint: string } | null {
  if (mm.length < MIN_VALUES) return null;
  const sorted = mm.toSorted((a, b) => a - b);
  const max = sorted.at(-1) ?? 0;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (unit === 'mm' && max > 0 && max < 2)
    return { max_mm: max, hint: 'All values are below 2: metres, inches or centimetres?' };
  if (median > 200)
    return { max_mm: max, hint: 'Half of the values are above 200 mm: tenths of a millimetre, or a longer period?' };
  return null;
}
