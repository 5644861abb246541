import { readNumber } from '../../upload/numbers.ts';

/** What a rain cell says. */
export type RainCell =
  | { readonly kind: 'value'; readonly value: number; readonly thousands: boolean }
  | { readonly kind: 'trace' }
  | { readonly kind: 'missing'; readonly code: 'MISSING_BLANK' | 'MISSING_SENTINEL' }
  | { readonly kind: 'unreadable'; readonly code: 'VALUE_UNREADABLE' | 'THOUSANDS_SEPARATOR' | 'ABSURD_VALUE' };

/** Numbers that stand for "no value" in published gauge files (GHCN, HPCP, ARPA, SIR). */
const NEGATIVE_SENTINELS = new Set([-9999, -999, -99999, -999.9, -9999.9, -99.9, -99, -32768]);
const POSITIVE_SENTINELS = new Set([99999, 9999, 999.9, 9999.9, 32767]);
const WORDS = new Set([
  'nan',
  'na',
  'n/a',
  'null',
  'none',
  'nil',
  'm',
  'missing',
  'nd',
  'n.d.',
  '-',
  '--',
  '---',
  '//',
  '///',
  'x',
  '?',
]);
const TRACE = /^(?:t|tr|trace|tr\.|traces|tracce|spur)$/i;
/** Nothing that was measured is larger in any unit: such a number is a fill value (O-37). */
const HUGE = 1e6;

/** Reads one rain cell in the file's unit. A missing value is never a number (O-37). */
export function readRainCell(raw: string, decimal: '.' | ',', counter: boolean): RainCell {
  const text = raw.trim();
  if (text === '') return { kind: 'missing', code: 'MISSING_BLANK' };
  if (TRACE.test(text)) return { kind: 'trace' };
  if (WORDS.has(text.toLowerCase())) return { kind: 'missing', code: 'MISSING_SENTINEL' };
  const number = readNumber(text, decimal);
  if (number.kind === 'ambiguous') return { kind: 'unreadable', code: 'THOUSANDS_SEPARATOR' };
  if (number.kind === 'none') return { kind: 'unreadable', code: 'VALUE_UNREADABLE' };
  // A counter may honestly read 9999; the negative ones are impossible in any kind.
  if (
    NEGATIVE_SENTINELS.has(number.value) ||
    (!counter && POSITIVE_SENTINELS.has(number.value)) ||
    number.value === 99999
  ) {
    return { kind: 'missing', code: 'MISSING_SENTINEL' };
  }
  if (Math.abs(number.value) > HUGE) return { kind: 'unreadable', code: 'ABSURD_VALUE' };
  return { kind: 'value', value: number.value, thousands: number.thousands };
}

/** Millimetres without the dust of binary fractions: six decimals. */
export function round6(mm: number): number {
  return Math.round(mm * 1e6) / 1e6;
}

/**
 * Largest believable total over some hours: 500 mm in an hour, 1 900 mm in a day (above the highest values ever measured,
 * about 305 mm in 42 minutes and 1 825 mm in a day; WMO archive of extremes). Null hours: the limit of a day.
 */
export function absurdAbove(hours: number | null): number {
  if (hours === null) return 1900;
  return Math.min(500 * Math.max(hours, 1 / 12), 1900 * Math.max(1, hours / 24));
}

export type QualityVerdict = 'good' | 'failed' | 'unknown';

const GOOD = new Set([
  '',
  '0',
  '1',
  'v',
  'p',
  'va',
  'vv',
  'g',
  'ok',
  'good',
  'valid',
  'c',
  'z',
  'd',
  't',
  'b',
  'qc:v',
  'qc:c',
  'valido',
]);
const FAILED = new Set([
  'f',
  'bad',
  'fail',
  'failed',
  'x',
  'nv',
  'na',
  'ni',
  'invalid',
  'suspect',
  'e',
  'qc:x',
  'qc:b',
  'qc:q',
  'erroneous',
  'non valido',
]);

/** Verdict of a quality mark: by the caller's list when given, else by marks in common use; others are unknown. */
export function judgeQuality(mark: string, accept: readonly string[] | null): QualityVerdict {
  const text = mark.trim();
  if (accept !== null) return accept.includes(text) ? 'good' : 'failed';
  const key = text.toLowerCase();
  return GOOD.has(key) ? 'good' : FAILED.has(key) ? 'failed' : 'unknown';
}
