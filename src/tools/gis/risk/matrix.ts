import { z } from 'zod';

const breaks = (unit: string) =>
  z
    .array(z.number().positive())
    .min(1)
    .max(9)
    .refine(
      (values) => values.every((value, i) => i === 0 || value > (values[i - 1] ?? Infinity)),
      `Limits in ${unit} must rise.`,
    );

/**
 * Rain class × slope class → screening class. `rainClasses` and `slopeClasses` are the limits between classes (n limits,
 * n + 1 classes; a value on a limit belongs to the class above), `classes` the names from lowest to highest, `cells` the
 * rank for every pair, one row a rain class from low to high.
 */
export const matrixArg = z
  .strictObject({
    rainClasses: breaks('mm'),
    slopeClasses: breaks('degrees'),
    classes: z.array(z.string().min(1).max(40)).min(2).max(10),
    cells: z.array(z.array(z.int().min(0).max(9))),
  })
  .refine(
    ({ cells, rainClasses, slopeClasses }) =>
      cells.length === rainClasses.length + 1 && cells.every((row) => row.length === slopeClasses.length + 1),
    { error: 'cells needs one row for every rain class and one rank for every slope class.', path: ['cells'] },
  )
  .refine(({ cells, classes }) => cells.every((row) => row.every((rank) => rank < classes.length)), {
    error: 'A rank in cells has no class.',
    path: ['cells'],
  })
  .refine(({ classes }) => new Set(classes).size === classes.length, {
    error: 'Class names must differ.',
    path: ['classes'],
  });
export type Matrix = z.infer<typeof matrixArg>;

/**
 * Used when the plan brings no matrix. A convention of this tool to sort places for a closer look: round limits, more rain
 * and steeper ground never lower the class. No authority stands behind it, and it says nothing about probability or damage.
 */
export const DEFAULT_MATRIX: Matrix = {
  rainClasses: [20, 50, 100],
  slopeClasses: [5, 15, 30],
  classes: ['low', 'moderate', 'high', 'very high'],
  cells: [
    [0, 0, 1, 1],
    [0, 1, 1, 2],
    [1, 2, 2, 3],
    [2, 2, 3, 3],
  ],
};

/** Number of limits that the value reaches: its class, 0 = lowest. */
export function classIn(limits: readonly number[], value: number): number {
  let index = 0;
  for (const limit of limits) if (value >= limit) index += 1;
  return index;
}

/** Rank of a pair of values; NaN when either is missing. */
export function rankOf(matrix: Matrix, rainMm: number, slopeDeg: number): number {
  if (Number.isNaN(rainMm) || Number.isNaN(slopeDeg)) return NaN;
  return matrix.cells[classIn(matrix.rainClasses, rainMm)]?.[classIn(matrix.slopeClasses, slopeDeg)] ?? NaN;
}

/** Whether more rain or more slope never lowers the rank; a matrix that does is legal but worth saying. */
export function isMonotone({ cells }: Matrix): boolean {
  return cells.every((row, r) => row.every((rank, s) => rank >= (row[s - 1] ?? 0) && rank >= (cells[r - 1]?.[s] ?? 0)));
}
