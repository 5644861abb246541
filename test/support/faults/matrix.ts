import { applies, FAULT_KINDS, type Fault } from './points.ts';

/**
 * Every point a recorded run came by × every kind, at its first and its last occurrence: complete by construction, since
 * the points are those that were met, not those that somebody thought of.
 */
export function matrixOf(points: ReadonlyMap<string, number>): Fault[] {
  return [...points].flatMap(([point, count]) =>
    FAULT_KINDS.filter((kind) => applies(point, kind)).flatMap((kind) =>
      (count > 1 ? [1, count] : [1]).map((occurrence) => ({ point, occurrence, kind })),
    ),
  );
}
