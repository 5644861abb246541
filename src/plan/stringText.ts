/** JSON string texts. */

const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export type ScannedString =
  { readonly value: string; readonly end: number } | { readonly problem: string; readonly end: number };

/**
 * Reads the string whose opening quote stands at `start`. `end` is the offset behind the closing quote, or of the
 * problem. Escapes are resolved, so two spellings of one key are one key.
 */
export function scanString(text: string, start: number): ScannedString {
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { value: value + text.slice(from, at), end: at + 1 };
    if (code < 0x20) return { problem: 'a control character stands unescaped in a string', end: at };
    if (code !== 0x5c) continue;
    value += text.slice(from, at);
    at += 1;
    const letter = text[at] ?? '';
    if (letter === 'u') {
      const digits = text.slice(at + 1, at + 5);
      if (!/^[0-9A-Fa-f]{4}$/.test(digits)) return { problem: 'four hexadecimal digits expected after \\u', end: at };
      value += String.fromCharCode(Number.parseInt(digits, 16));
      at += 4;
    } else {
      const character = ESCAPES.get(letter);
      if (character === undefined) return { problem: 'unknown escape in a string', end: at };
      value += character;
    }
    from = at + 1;
  }
  return { problem: 'a string has no closing quote', end: text.length };
}
