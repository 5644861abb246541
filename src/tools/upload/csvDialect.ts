import { readHeading } from './headers.ts';

export const DELIMITERS = [';', '\t', ',', '|'] as const;

export interface Dialect {
  readonly delimiter: string;
  /** Index of the header among the lines, from 0. */
  readonly headerIndex: number;
  readonly header: readonly string[];
}

/** Fields of one line, quotes understood (RFC 4180); for looking at a file's head, not for reading it. */
export function splitLine(line: string, delimiter: string): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const char = line.charAt(i);
    if (quoted) {
      if (char !== '"') field += char;
      else if (line.charAt(i + 1) === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === delimiter) {
      fields.push(field);
      field = '';
    } else field += char;
  }
  fields.push(field);
  return fields;
}

/**
 * Finds delimiter and header in the first lines of a file: the line whose fields are most clearly headings (roles known
 * from `headers.ts`, or names the caller expects) and are followed by lines of as many fields.
 * Null when no line looks like a header.
 */
export function detectDialect(lines: readonly string[], expected: readonly string[] = []): Dialect | null {
  let best: { score: number; dialect: Dialect } | null = null;
  const wanted = new Set(expected);
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#') || line.trim() === '') continue;
    for (const delimiter of DELIMITERS) {
      const header = splitLine(line, delimiter).map((cell) => cell.trim());
      if (header.length < 2) continue;
      const score = headerScore(header, lines.slice(index + 1, index + 6), delimiter, wanted);
      if (score > (best?.score ?? 0)) best = { score, dialect: { delimiter, headerIndex: index, header } };
    }
  }
  return best?.dialect ?? null;
}

function headerScore(
  header: readonly string[],
  next: readonly string[],
  delimiter: string,
  wanted: ReadonlySet<string>,
): number {
  if (header.some((cell) => /^[-+]?[\d.,]+$/.test(cell))) return 0;
  const named = header.filter((cell) => cell !== '').length;
  const roles = new Set(header.map((cell) => readHeading(cell).role).filter((role) => role !== null));
  const known = header.filter((cell) => wanted.has(cell)).length;
  const body = next.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const agreeing = body.filter((line) => splitLine(line, delimiter).length === header.length).length;
  // A preamble line may contain the delimiter; the lines after it then do not agree.
  const agreement = body.length === 0 ? 0.5 : agreeing / body.length;
  // Ragged rows, or a quoted text over several lines: clear headings outweigh them.
  if (agreement < 0.5 && roles.size + known < 3) return 0;
  return (known * 20 + roles.size * 4 + Math.min(named, 20) * 0.1) * Math.max(agreement, 0.25) + agreement;
}

/** Decimal mark of the numbers in some rows. A comma counts only where it cannot be the delimiter. */
export function detectDecimal(rows: readonly (readonly string[])[], delimiter: string): '.' | ',' {
  let commas = 0;
  let points = 0;
  for (const row of rows) {
    for (const cell of row) {
      if (/^\s*[-+]?\d+,\d+\s*$/.test(cell) || /^\s*[-+]?\d{1,3}(?:\.\d{3})+,\d+\s*$/.test(cell)) commas += 1;
      else if (/^\s*[-+]?\d+\.\d+\s*$/.test(cell)) points += 1;
    }
  }
  return commas > points && (delimiter !== ',' || commas > 0) ? ',' : '.';
}
