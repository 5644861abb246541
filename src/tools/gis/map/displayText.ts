/**
 * Text from outside made fit for display (issue: names with scripts, bidi overrides, zero-width characters, a megabyte).
 * Escaping for HTML or XML is not done here: the page sets text nodes, the SVG has its own `escapeXml`.
 */

/** Longest name shown anywhere; the file with the data keeps the whole. */
export const MAX_NAME = 120;

// Controls, bidi embeddings, overrides, isolates and marks, zero-width and other invisible format characters, line and
// paragraph separators, tags, variation fillers: everything that changes what a reader sees without being seen.
const INVISIBLE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- exactly such characters are looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;

const codePoint = (char: string): string =>
  `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * One line of visible text: invisible and reordering characters are shown as `[U+202E]`, white space is folded, lone
 * surrogates become U+FFFD, more than three stacked marks are dropped, and what is longer than `max` characters ends in "…".
 */
export function displayText(text: string, max: number = MAX_NAME): string {
  // Cut first: a megabyte must not pass through the expressions below.
  const head = text.length > max * 8 ? text.slice(0, max * 8) : text;
  const clean = head
    .toWellFormed()
    .replace(/[\t\n\r\u00A0\s]+/gu, (space) => (/[\u2028\u2029\uFEFF]/u.test(space) ? space : ' '))
    .replace(STACKED_MARKS, '$1')
    .replace(INVISIBLE, codePoint)
    .trim();
  const characters = Array.from(clean);
  const cut = characters.length > max || head.length < text.length;
  return cut
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : clean;
}

/** Escapes text for element content and quoted attributes of XML and HTML; characters XML 1.0 forbids become U+FFFD. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- XML 1.0 §2.2 forbids exactly these
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>"']/g, (char) => ESCAPES.get(char) ?? char)
  );
}

const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
