/** The cells of a grid that a geometry touches, each with the part of the geometry that lies in it. */
export interface Footprint {
  readonly kind: 'count' | 'length_m' | 'area_share';
  /** Cell index → measure in the unit of `kind` (for polygons: cells, made shares by the caller). */
  readonly cells: ReadonlyMap<number, number>;
  /** Measure of the whole geometry, the part outside the grid included. */
  readonly total: number;
  /** A polygon without any cell centre in it, judged at one point inside. */
  readonly smallerThanCell: boolean;
}

export const NO_FOOTPRINT: Footprint = { kind: 'count', cells: new Map(), total: 0, smallerThanCell: false };

/** Adds to the measure of a cell. */
export function addTo(cells: Map<number, number>, cell: number, measure: number): void {
  cells.set(cell, (cells.get(cell) ?? 0) + measure);
}
