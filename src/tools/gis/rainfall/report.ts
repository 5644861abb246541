import type { TableFormat } from '../../upload/table.ts';
import { excerpt } from '../../upload/limits.ts';
import type { FileErrorCode, FlagCode, RejectCode } from './codes.ts';

/** One refused row (`line`), station (`lines`) or pair of rows; further members depend on the code. */
export interface Rejected {
  readonly line?: number;
  readonly station_id?: string;
  readonly lines?: string;
  readonly reason: RejectCode;
  readonly [detail: string]: unknown;
}

/** One mark on a row, a station or the file that is used nevertheless. */
export interface Flagged {
  readonly line?: number;
  readonly station_id?: string;
  readonly flag: FlagCode;
  readonly [detail: string]: unknown;
}

export interface FileError {
  readonly reason: FileErrorCode;
  readonly suggested_crs?: string;
  readonly shift_m?: readonly [number, number];
}

/** The observation report (contracts.md): what was read, what was refused, what is marked, what was assumed. */
export interface ObservationReport {
  readonly version: 1;
  readonly stage: 'read' | 'validate';
  readonly format?: TableFormat;
  readonly columns?: Readonly<Record<string, string>>;
  readonly crs: string;
  readonly crs_actual?: string;
  readonly unit?: string;
  readonly unit_factor_to_mm?: number;
  readonly value_kind?: string;
  readonly period_utc: readonly [string, string] | null;
  readonly same_place_tolerance_m?: number;
  readonly dip_tolerance_mm?: number;
  readonly assumptions: readonly string[];
  readonly rows_total: number;
  readonly rows_accepted: number;
  readonly rows_rejected: number;
  readonly rows_outside_window?: number;
  readonly stations_total: number;
  readonly stations_accepted: number;
  readonly stations_rejected: number;
  readonly rejected: readonly Rejected[];
  readonly flagged: readonly Flagged[];
  /** Complete counts by code, also where the lists above were cut. */
  readonly counts: Readonly<Record<string, number>>;
  readonly lists_cut?: boolean;
  readonly choices_applied: readonly { readonly code: string; readonly station_id?: string; readonly action: string }[];
  readonly file_error?: FileError;
  /** For people: what is wrong with the file and what to state or choose. */
  readonly file_error_message?: string;
  readonly accepted_count: number;
  readonly accepted_sum_mm: number;
  readonly accepted_max_mm: number | null;
  readonly accepted_mm: Readonly<Record<string, number>>;
}

const LIST_CAP = 10_000;

/** Collects refusals and marks in file order, with complete counts. */
export class Findings {
  readonly #rejected: { order: number; entry: Rejected }[] = [];
  readonly #flagged: { order: number; entry: Flagged }[] = [];
  readonly #counts = new Map<string, number>();
  readonly #choices = new Map<string, { code: string; station_id?: string; action: string }>();
  #cut = false;

  /** @param order line by which the entry is sorted. */
  reject(order: number, entry: Rejected): void {
    this.#count(entry.reason);
    if (this.#rejected.length < LIST_CAP) this.#rejected.push({ order, entry: shorten(entry) });
    else this.#cut = true;
  }

  flag(order: number, entry: Flagged): void {
    this.#count(entry.flag);
    if (this.#flagged.length < LIST_CAP) this.#flagged.push({ order, entry: shorten(entry) });
    else this.#cut = true;
  }

  /** Notes that a person's decision was used. */
  decided(code: string, action: string, stationId?: string): void {
    const entry = stationId === undefined ? { code, action } : { code, station_id: excerpt(stationId), action };
    this.#choices.set(JSON.stringify(entry), entry);
  }

  #count(code: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** The members of the report that come from here. */
  lists(): Pick<ObservationReport, 'rejected' | 'flagged' | 'counts' | 'choices_applied' | 'lists_cut'> {
    const sorted = <T>(list: readonly { order: number; entry: T }[]): T[] =>
      list.toSorted((a, b) => a.order - b.order).map(({ entry }) => entry);
    const counts = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      rejected: sorted(this.#rejected),
      flagged: sorted(this.#flagged),
      counts: Object.fromEntries(counts),
      choices_applied: [...this.#choices.values()],
      ...(this.#cut ? { lists_cut: true } : {}),
    };
  }
}

function shorten<T extends object>(entry: T): T {
  const pairs = Object.entries(entry).map(([key, value]) => [
    key,
    typeof value === 'string' ? excerpt(value, 200) : (value as unknown),
  ]);
  return Object.fromEntries(pairs) as T;
}

/** Count, sum, maximum and the totals by station. Ids are data: `__proto__` becomes an ordinary member. */
export function acceptedPart(
  stations: readonly { readonly id: string; readonly mm: number }[],
): Pick<ObservationReport, 'accepted_count' | 'accepted_sum_mm' | 'accepted_max_mm' | 'accepted_mm'> {
  const sum = stations.reduce((total, station) => total + station.mm, 0);
  const max = stations.reduce<number | null>((top, { mm }) => (top === null || mm > top ? mm : top), null);
  return {
    accepted_count: stations.length,
    accepted_sum_mm: Math.round(sum * 1000) / 1000,
    accepted_max_mm: max,
    accepted_mm: Object.fromEntries(stations.map(({ id, mm }) => [id, mm])),
  };
}
