import { excerpt } from '../../upload/limits.ts';

export type AssetRejectCode =
  | 'NULL_GEOMETRY'
  | 'GEOMETRY_INVALID'
  | 'GEOMETRY_EMPTY'
  | 'GEOMETRY_UNSUPPORTED'
  | 'RING_INVALID'
  | 'COORD_MISSING'
  | 'COORD_SWAP_SUSPECTED'
  | 'OUT_OF_AREA'
  | 'CROSSES_180'
  | 'COLUMN_COUNT';

export type AssetFlagCode =
  | 'RING_CLOSED'
  | 'RING_ORDER_FIXED'
  | 'ID_GENERATED'
  | 'DUPLICATE_ID'
  | 'Z_DROPPED'
  | 'PROPERTY_DROPPED'
  | 'TEXT_REPAIRED';

export interface AssetReport {
  readonly features_total: number;
  readonly features_accepted: number;
  readonly features_rejected: number;
  /** By code: refused features and marks, complete. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first refused ones; `at` is the number of the feature (or the line of the CSV), from 1. */
  readonly rejected: readonly { readonly at: number; readonly id?: string; readonly reason: AssetRejectCode }[];
}

const LISTED = 200;

/** Counts what happened to the features of one file. */
export class AssetFindings {
  readonly #counts = new Map<string, number>();
  readonly #rejected: { at: number; id?: string; reason: AssetRejectCode }[] = [];
  #refused = 0;

  reject(at: number, reason: AssetRejectCode, id?: string): void {
    this.#count(reason);
    this.#refused += 1;
    if (this.#rejected.length < LISTED)
      this.#rejected.push({ at, ...(id === undefined ? {} : { id: excerpt(id) }), reason });
  }

  flag(code: AssetFlagCode): void {
    this.#count(code);
  }

  #count(code: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  report(accepted: number): AssetReport {
    return {
      features_total: accepted + this.#refused,
      features_accepted: accepted,
      features_rejected: this.#refused,
      counts: Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))),
      rejected: this.#rejected,
    };
  }
}

/** `3 RING_CLOSED, 1 NULL_GEOMETRY`, or `nothing`. */
export function describeCounts(report: AssetReport): string {
  const parts = Object.entries(report.counts).map(([code, count]) => `${count} ${code}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
