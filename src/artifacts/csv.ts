/** One cell of a CSV export (RFC 4180), harmless in a spreadsheet: text that would be a formula is quoted with `'`. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Numbers stay numbers (a negative one is no formula); `null` is an empty cell. */
export function quoteCsvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /["\r\n,;\t]/.test(harmless) || harmless !== value ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
