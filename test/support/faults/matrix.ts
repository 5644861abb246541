import { applies, FAULT_KINDS, type Fault } from './points.ts';

/**
 * Times at which a point is struck: the first and the last. How many answers an orchestrator gives depends on how many
 * results it finds at once; its last one is a point of its own, and the others are struck at the first and in the middle.
 */
function occurrencesOf(point: string, count: number): number[] {
  const last = point.startsWith('orchestrator.answer.') ? Math.ceil(count / 2) : count;
  return last > 1 ? [1, last] : [1];
}

/**
 * Every point a recorded run came by × every kind: complete by construction, since the points are those that were met,
 * not those that somebody thought of.
 */
export function matrixOf(points: ReadonlyMap<string, number>): Fault[] {
  return [...points].flatMap(([point, count]) =>
    FAULT_KINDS.filter((kind) => applies(point, kind)).flatMap((kind) =>
      occurrencesOf(point, count).map((occurrence) => ({ point, occurrence, kind })),
    ),
  );
}
