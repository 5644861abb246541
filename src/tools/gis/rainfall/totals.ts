import type { FlagCode } from './codes.ts';
import type { Row } from './rows.ts';

/** The rain of one station over the window, made of one row or of many. */
export interface Total {
  readonly id: string;
  readonly name: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly elevationM: number | undefined;
  readonly mm: number;
  /** The rain cell as written, or the total as text. */
  readonly raw: string;
  /** First line, and how many rows stand behind it. */
  readonly line: number;
  readonly lines: string;
  readonly rows: number;
  readonly flags: Set<FlagCode>;
  out: boolean;
}

/** Each row is a total by itself. */
export function rowTotals(rows: readonly Row[]): Total[] {
  return rows.flatMap((row) => {
    if (row.out || row.mm === null) return [];
    const { id, name, x, y, elevationM, mm, raw, line, flags } = row;
    return [{ id, name, x, y, elevationM, mm, raw, line, lines: String(line), rows: 1, flags, out: false }];
  });
}

/** A total over several rows of one station; place, name and elevation are those of its first row. */
export function seriesTotal(rows: readonly Row[], mm: number): Total | null {
  const [first] = rows;
  if (first === undefined) return null;
  const flags = new Set(rows.flatMap((row) => [...row.flags]));
  const { id, name, x, y, elevationM, line } = first;
  return {
    id,
    name,
    x,
    y,
    elevationM,
    mm,
    raw: String(mm),
    line,
    lines: lineRange(rows),
    rows: rows.length,
    flags,
    out: false,
  };
}

/** `first-last` of the lines of some rows. */
export function lineRange(rows: readonly Row[]): string {
  let [low, high] = [Infinity, -Infinity];
  for (const { line } of rows) [low, high] = [Math.min(low, line), Math.max(high, line)];
  return `${low}-${high}`;
}
