/** Numbers and times for people. Written by hand instead of `toLocale…`: equal on every machine and in every browser. */
import type { Locale } from './labels.ts';

/** `value` with exactly `digits` decimals; decimal comma and grouping dot in Italian and German. */
export function formatNumber(value: number, digits: number, locale: Locale): string {
  if (!Number.isFinite(value)) return '–';
  const fixed = Math.abs(value).toFixed(digits);
  const [whole = '0', decimals] = fixed.split('.');
  const [point, group] = locale === 'en' ? ['.', ','] : [',', '.'];
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  const sign = value < 0 && Number(fixed) !== 0 ? '−' : '';
  return sign + grouped + (decimals === undefined ? '' : point + decimals);
}

/** A share between 0 and 1 as per cent. Values that would round to certainty are kept short of it: `> 99 %`. */
export function formatShare(share: number, locale: Locale): string {
  if (share > 0.995 && share < 1) return '> 99 %';
  if (share > 0 && share < 0.005) return '< 1 %';
  return `${formatNumber(share * 100, 0, locale)} %`;
}

/** Metres under 1 km, kilometres with two digits above. */
export function formatLength(metres: number, locale: Locale): string {
  return metres < 1000 ? `${formatNumber(metres, 0, locale)} m` : `${formatNumber(metres / 1000, 2, locale)} km`;
}

/** `2026-05-12 08:00` in the zone. Throws RangeError for an unknown zone or a time that is none. */
export function formatTime(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}

/** Offset of the zone from UTC at that instant, for example `UTC+2` or `UTC+5:30`. */
export function zoneOffset(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(
    new Date(instant),
  );
  const name = parts.find((one) => one.type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 'UTC+0' : name.replace('GMT', 'UTC');
}
