/** A gauge in metric coordinates. */
export interface Gauge {
  readonly id: string;
  /** Metres east and north. */
  readonly x: number;
  readonly y: number;
  /** Rain in mm. */
  readonly mm: number;
}

/** Gauges as columns, in one fixed order, for the inner loops. */
export interface GaugeColumns {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly mm: Float64Array;
}

/**
 * Columns in an order that depends on the gauges alone (x, y, mm, id): sums of floating point numbers depend on their
 * order, and the same gauges listed otherwise must give the same surface to the last bit.
 */
export function toColumns(gauges: readonly Gauge[]): GaugeColumns {
  const sorted = [...gauges].sort(
    (a, b) => a.x - b.x || a.y - b.y || a.mm - b.mm || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  return {
    count: sorted.length,
    x: Float64Array.from(sorted, ({ x }) => x),
    y: Float64Array.from(sorted, ({ y }) => y),
    mm: Float64Array.from(sorted, ({ mm }) => mm),
  };
}
