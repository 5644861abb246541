/** Round steps for scale bars, graticules and rain ramps. */
import { formatNumber } from './numbers.ts';
import type { Locale } from './labels.ts';

/** The largest of 1, 2, 5 × 10^n that is not above `value` (> 0). */
export function niceFloor(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = value / power;
  // A hair of tolerance: 0.5 arrives as 0.49999 after a division.
  return (digit >= 4.9999 ? 5 : digit >= 1.9999 ? 2 : 1) * power;
}

/** The smallest of 1, 2, 2.5, 5 × 10^n that is not below `value` (> 0). */
export function niceCeil(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * 1.0001 >= value / power) ?? 10) * power;
}

const STEPS = [1, 2, 2.5, 5];

const DEGREE_STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0001];

/** Step in degrees that puts about `lines` lines (3 to 8) into `span` degrees. */
export function graticuleStep(span: number, lines = 4): number {
  return DEGREE_STEPS.find((step) => span / step >= lines) ?? 0.0001;
}

/** Multiples of `step` inside the closed interval, free of accumulated rounding. */
export function multiplesWithin(from: number, to: number, step: number): number[] {
  const result: number[] = [];
  for (let n = Math.ceil(from / step - 1e-9); n <= Math.floor(to / step + 1e-9) && result.length < 1000; n += 1) {
    result.push(Number((n * step).toFixed(6)));
  }
  return result;
}

/** `7.25° E`; decimals follow the step. */
export function degreeLabel(value: number, axis: 'lon' | 'lat', step: number, locale: Locale): string {
  const digits = step >= 1 ? 0 : step >= 0.1 && step !== 0.25 ? 1 : step >= 0.01 ? 2 : 4;
  const side = axis === 'lat' ? (value < 0 ? 'S' : 'N') : value < 0 ? WEST[locale] : EAST[locale];
  const number = formatNumber(Math.abs(value), digits, locale);
  return value === 0 ? `${number}°` : `${number}° ${side}`;
}

const EAST: Readonly<Record<Locale, string>> = { en: 'E', it: 'E', de: 'O' };
const WEST: Readonly<Record<Locale, string>> = { en: 'W', it: 'O', de: 'W' };
