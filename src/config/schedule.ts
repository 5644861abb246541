/** Every five minutes. */
export const DEFAULT_SCHEDULE = '0 */5 * * * *';

/** One field of NCRONTAB: numbers, names, ranges, lists, steps. */
const FIELD = /^[0-9A-Za-z*,/-]+$/;

/** An NCRONTAB expression of five or six fields, or null when the text is none. The host checks the ranges. */
export function scheduleFrom(text: string | null): string | null {
  const fields = (text ?? '').trim().split(/\s+/);
  const fits = (fields.length === 5 || fields.length === 6) && fields.every((field) => FIELD.test(field));
  return fits ? fields.join(' ') : null;
}
