/** JSON number texts: grammar, and whether a double holds exactly what was written. */

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]+)?/y;

/** End of the number that starts at `start`, or `start` when there is none. */
export function scanNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  return match === null ? start : start + match[0].length;
}

/** Digits without sign, point, exponent, leading and trailing zeros. */
function significantDigits(text: string): string {
  const mantissa = text.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  return mantissa.replace(/^0+/, '').replace(/0+$/, '');
}

/** As it is usually printed (shortest), or with as many digits as were written (other languages print 17). */
function holds(value: number, digits: string): boolean {
  if (significantDigits(String(value)) === digits) return true;
  return digits.length <= 100 && significantDigits(Math.abs(value).toPrecision(digits.length)) === digits;
}

/**
 * Reads a number text, or says why a double cannot hold it. Refused: what overflows to infinity, what underflows to
 * zero, minus zero (no canonical form keeps it), and more digits than the double has (9007199254740993). The test: the
 * double, printed with as many significant digits as were written, gives those digits again.
 */
export function readNumber(text: string): { readonly value: number } | { readonly problem: string } {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'is larger than any number that can be computed with' };
  const digits = significantDigits(text);
  if (digits === '') return text.startsWith('-') ? { problem: 'is minus zero; write 0' } : { value: 0 };
  if (value === 0) return { problem: 'is so small that it would be read as 0' };
  if (!holds(value, digits)) {
    return { problem: `would be read as ${value}, which loses digits; write an identifier as a string, in quotes` };
  }
  return { value };
}
