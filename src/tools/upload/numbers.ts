/** A number as written in a table cell. */
export type NumberReading =
  | { readonly kind: 'number'; readonly value: number; readonly thousands: boolean }
  /** One group mark that could as well be the decimal mark: `1,234` in a file with decimal points. */
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'none' };

const NONE: NumberReading = { kind: 'none' };
const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i;

/**
 * Reads a number with the file's decimal mark. Group marks that cannot be decimal marks (apostrophe, space, both marks
 * present, several groups) are understood and told; a single `1,234` in a file with decimal points is ambiguous.
 */
export function readNumber(cell: string, decimal: '.' | ','): NumberReading {
  const text = cell.trim();
  if (text === '' || text.length > 64) return NONE;
  const group = decimal === '.' ? ',' : '.';
  const spaced = text.replace(/(?<=\d)['’\u00a0\u202f ](?=\d{3}(?:\D|$))/g, '');
  const spacedOut = spaced !== text;
  if (!spaced.includes(group)) return finite(decimal === ',' ? spaced.replace(',', '.') : spaced, spacedOut);
  const groups = spaced.split(group).length - 1;
  const wellFormed = new RegExp(`^[-+]?\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d+)?$`).test(spaced);
  if (!wellFormed) {
    // The other mark as decimal mark: a file that mixes both, one number at a time, unambiguous when not three digits.
    const mixed = new RegExp(`^[-+]?\\d+\\${group}(?:\\d{1,2}|\\d{4,})$`).test(spaced);
    return mixed ? finite(spaced.replace(group, '.'), spacedOut) : NONE;
  }
  if (groups === 1 && !spaced.includes(decimal)) return { kind: 'ambiguous' };
  return finite(spaced.replaceAll(group, '').replace(',', '.'), true);
}

function finite(text: string, thousands: boolean): NumberReading {
  if (!PLAIN.test(text)) return NONE;
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'number', value, thousands } : NONE;
}
