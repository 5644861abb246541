import { UPLOAD_LIMITS } from '../../upload/limits.ts';
import { readNumber } from '../../upload/numbers.ts';
import type { Table, TableRow } from '../../upload/table.ts';
import type { RainColumns } from './columns.ts';
import { decisionFor, type Choice, type FlagCode, type RejectCode } from './codes.ts';
import type { Findings } from './report.ts';
import { readTime, type DayOrder } from './time.ts';
import { MM_PER } from './units.ts';
import { judgeQuality, readRainCell, round6 } from './values.ts';

/** A row of the file after its cells were read. `out` means refused: later steps pass over it. */
export interface Row {
  readonly line: number;
  readonly id: string;
  readonly name: string | undefined;
  x: number;
  y: number;
  readonly elevationM: number | undefined;
  /** The rain cell as written. */
  readonly raw: string;
  /** Null where the cell holds no value. */
  readonly mm: number | null;
  ms: number | null;
  readonly altMs: number | null;
  readonly dateOnly: boolean;
  readonly flags: Set<FlagCode>;
  out: boolean;
}

export interface RowContext {
  readonly zone: string;
  readonly order: DayOrder;
  readonly acceptQuality: readonly string[] | null;
  readonly now: number;
  readonly choices: readonly Choice[];
}

/** Gauge clocks run ahead of ours by minutes; more is a wrong date. */
const FUTURE_TOLERANCE_MS = 15 * 60_000;
/** Lowest dry land is at −430 m, the highest summit at 8 849 m. */
const ELEVATION = [-431, 8850] as const;

/** Reads every row by the row rules; refusals and marks go to `findings`. */
export function readRows(table: Table, columns: RainColumns, context: RowContext, findings: Findings): Row[] {
  const mixed = new Set(table.mixedLines);
  return table.rows.map((row) => {
    const read = new RowReader(row, table, columns, context, findings).read();
    if (mixed.has(row.line)) {
      read.flags.add('MIXED_ENCODING');
      findings.flag(row.line, { line: row.line, station_id: read.id, flag: 'MIXED_ENCODING' });
    }
    return read;
  });
}

class RowReader {
  readonly #row: TableRow;
  readonly #table: Table;
  readonly #columns: RainColumns;
  readonly #context: RowContext;
  readonly #findings: Findings;
  readonly #id: string;
  readonly #flags = new Set<FlagCode>();
  #out = false;

  constructor(row: TableRow, table: Table, columns: RainColumns, context: RowContext, findings: Findings) {
    this.#row = row;
    this.#table = table;
    this.#columns = columns;
    this.#context = context;
    this.#findings = findings;
    const id = this.#cell(columns.id).trim();
    this.#id = id === '' ? `row-${row.line}` : id;
  }

  read(): Row {
    this.#checkShape();
    const [x, y] = [this.#number(this.#columns.x), this.#number(this.#columns.y)];
    if (x === null || y === null) {
      this.#reject('COORD_MISSING', { value: `${this.#cell(this.#columns.x)} ${this.#cell(this.#columns.y)}` });
    } else if (x === 0 && y === 0) this.#reject('ZERO_ZERO', {});
    const raw = this.#cell(this.#columns.rain);
    const mm = this.#rain(raw);
    const time = this.#time();
    this.#quality();
    const name = this.#cell(this.#columns.name);
    return {
      line: this.#row.line,
      id: this.#id,
      name: name.trim() === '' ? undefined : name,
      x: x ?? NaN,
      y: y ?? NaN,
      elevationM: this.#elevation(),
      raw,
      mm,
      ms: time?.ms ?? null,
      altMs: time?.altMs ?? null,
      dateOnly: time?.dateOnly ?? false,
      flags: this.#flags,
      out: this.#out,
    };
  }

  #cell(index: number | null): string {
    return index === null ? '' : (this.#row.cells[index] ?? '');
  }

  #reject(reason: RejectCode, detail: Readonly<Record<string, unknown>>): void {
    if (this.#out) return;
    this.#out = true;
    this.#findings.reject(this.#row.line, { line: this.#row.line, station_id: this.#id, reason, ...detail });
  }

  /** Marks the row, or refuses it when a person decided to drop what carries this mark. */
  #flag(flag: FlagCode, detail: Readonly<Record<string, unknown>>): void {
    if (this.#out) return;
    if (decisionFor(this.#context.choices, flag, [this.#id]) === 'drop') {
      this.#findings.decided(flag, 'drop', this.#id);
      this.#reject(flag, detail);
      return;
    }
    this.#flags.add(flag);
    this.#findings.flag(this.#row.line, { line: this.#row.line, station_id: this.#id, flag, ...detail });
  }

  #checkShape(): void {
    const extra = this.#row.cells.slice(this.#table.header.length);
    if (this.#row.cells.length >= this.#table.header.length && extra.every((cell) => cell.trim() === '')) return;
    this.#reject('COLUMN_COUNT', { columns: this.#row.cells.length, expected: this.#table.header.length });
  }

  #number(index: number): number | null {
    const cell = this.#cell(index);
    const number = readNumber(cell, this.#table.format.decimal);
    if (number.kind === 'ambiguous') this.#reject('THOUSANDS_SEPARATOR', { value: cell });
    if (number.kind !== 'number') return null;
    if (number.thousands) this.#flag('THOUSANDS_SEPARATOR', { value: cell });
    return number.value;
  }

  #rain(raw: string): number | null {
    const counter = this.#columns.valueKind === 'counter';
    const cell = readRainCell(raw, this.#table.format.decimal, counter);
    if (cell.kind === 'trace') {
      this.#flag('TRACE_AS_ZERO', { value: raw, mm: 0 });
      return 0;
    }
    if (cell.kind === 'missing') {
      // In a running total a missing reading loses nothing by itself; the counter rules look at the gap.
      if (!counter) this.#reject(cell.code, { value: raw });
      return null;
    }
    if (cell.kind === 'unreadable') {
      this.#reject(cell.code, { value: raw });
      return null;
    }
    const mm = round6(cell.value * MM_PER[this.#columns.unit]);
    if (mm < 0) {
      this.#reject('NEGATIVE', { value: raw });
      return null;
    }
    if (cell.thousands) this.#flag('THOUSANDS_SEPARATOR', { value: raw, mm });
    return mm;
  }

  #time(): { ms: number; altMs: number | null; dateOnly: boolean } | null {
    if (this.#columns.time.length === 0) return null;
    const text = this.#columns.time.map((index) => this.#cell(index).trim()).join(' ');
    const time = readTime(text, this.#columns.timeUtc ? 'UTC' : this.#context.zone, this.#context.order);
    if (time === null) {
      this.#reject('TIME_UNREADABLE', { value: text });
      return null;
    }
    if (time.ms <= this.#context.now + FUTURE_TOLERANCE_MS) return time;
    this.#reject('FUTURE_TIME', { value: text });
    return null;
  }

  #quality(): void {
    if (this.#columns.quality === null) return;
    const mark = this.#cell(this.#columns.quality);
    const verdict = judgeQuality(mark, this.#context.acceptQuality);
    if (verdict === 'failed') this.#reject('QUALITY_FAILED', { value: mark });
    if (verdict === 'unknown') this.#flag('QUALITY_UNKNOWN', { value: mark });
  }

  #elevation(): number | undefined {
    const cell = this.#cell(this.#columns.altitude);
    const number = readNumber(cell.slice(0, UPLOAD_LIMITS.excerpt), this.#table.format.decimal);
    if (number.kind !== 'number' || [-9999, -999, 99999, 9999, -32768].includes(number.value)) return undefined;
    if (number.value >= ELEVATION[0] && number.value <= ELEVATION[1]) return number.value;
    this.#flag('ELEVATION_ABSURD', { value: cell });
    return undefined;
  }
}
