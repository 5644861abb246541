/** Text in the static map: escaped, measured roughly (DejaVu Sans), wrapped. */
import { escapeXml } from '../displayText.ts';

/** Advance widths of DejaVu Sans in thousandths of the size, rounded up within each group. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;|!'’ ]/u, 340],
  [/[frt()[\]/\\-]/u, 410],
  [/[mwMW@%…—]/u, 1000],
  [/[A-Z\u00C0-\u00DE]/u, 720],
  [/[\u1100-\u11FF\u2E80-\uA4CF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60]|\p{Extended_Pictographic}/u, 1050],
];
const OTHER = 636;

/** Width of a text in pixels, a little more than the truth; bold is about a tenth wider. */
export function textWidth(text: string, size: number, bold = false): number {
  let sum = 0;
  for (const char of text) sum += WIDTHS.find(([group]) => group.test(char))?.[1] ?? OTHER;
  return (sum / 1000) * size * (bold ? 1.1 : 1);
}

function cut(text: string, width: number, size: number, bold: boolean): string {
  const characters = Array.from(text);
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size, bold) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Lines of at most `width` pixels, broken at spaces (long words inside); the last of `maxLines` ends in "…" when text is left. */
export function wrapText(text: string, width: number, size: number, maxLines: number, bold = false): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(' ');
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size, bold) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === maxLines - 1) {
      lines.push(cut([line, ...words.slice(index)].filter((part) => part !== '').join(' '), width, size, bold));
      return lines;
    }
    if (line !== '') lines.push(line);
    line = textWidth(word, size, bold) <= width ? word : cut(word, width, size, bold);
  }
  if (line !== '') lines.push(line);
  return lines;
}

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** White outline, so that text stays readable on the map. */
  readonly halo?: boolean;
}

/** One `<text>` element with its baseline at (x, y). */
export function textAt(text: string, x: number, y: number, style: TextStyle): string {
  const { size, bold = false, colour = '#17202b', anchor = 'start', halo = false } = style;
  const base = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" text-anchor="${anchor}"${bold ? ' font-weight="700"' : ''}`;
  const content = escapeXml(text);
  // resvg has no paint-order: the outline is drawn as a copy below.
  const under = halo
    ? `<text ${base} fill="#fff" stroke="#fff" stroke-width="3.2" stroke-linejoin="round">${content}</text>`
    : '';
  return `${under}<text ${base} fill="${colour}">${content}</text>`;
}
