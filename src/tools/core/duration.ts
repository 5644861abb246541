/** ISO 8601 durations of fixed length: weeks, days, hours, minutes, seconds. Months and years have no length. */
const DURATION =
  /^P(?:(\d{1,4})W|(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})(?:\.(\d{1,3}))?S)?)?)$/;

/** Milliseconds of a duration such as `P30D` or `PT1H30M`; `undefined` when the text is none of these. */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const seconds = part(1) * 604_800 + part(2) * 86_400 + part(3) * 3_600 + part(4) * 60 + part(5);
  return seconds * 1000 + Number((match[6] ?? '').padEnd(3, '0'));
}
