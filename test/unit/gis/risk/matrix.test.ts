import { describe, expect, it } from 'vitest';
import { classIn, DEFAULT_MATRIX, isMonotone, matrixArg, rankOf } from '../../../../src/tools/gis/risk/matrix.ts';

describe('matrix', () => {
  it('by default is legal and never lowers a class for more rain or slope', () => {
    expect(matrixArg.safeParse(DEFAULT_MATRIX).success).toBe(true);
    expect(isMonotone(DEFAULT_MATRIX)).toBe(true);
  });

  it('puts a value on a limit into the class above', () => {
    expect([classIn([20, 50], 19.999), classIn([20, 50], 20), classIn([20, 50], 50), classIn([20, 50], 0)]).toEqual([
      0, 1, 2, 0,
    ]);
  });

  it.each([
    [0, 0, 'low'],
    [10, 40, 'moderate'],
    [20, 5, 'moderate'],
    [60, 2, 'moderate'],
    [60, 40, 'very high'],
    [500, 0, 'high'],
    [500, 89, 'very high'],
  ])('%d mm on %d degrees: %s', (mm, slope, name) => {
    expect(DEFAULT_MATRIX.classes[rankOf(DEFAULT_MATRIX, mm, slope)]).toBe(name);
  });

  it('O-37 has no rank for missing rain or slope', () => {
    expect(rankOf(DEFAULT_MATRIX, NaN, 10)).toBeNaN();
    expect(rankOf(DEFAULT_MATRIX, 10, NaN)).toBeNaN();
  });

  it('knows a matrix that is not monotone', () => {
    expect(
      isMonotone({
        ...DEFAULT_MATRIX,
        cells: [
          [3, 0, 1, 1],
          [0, 1, 1, 2],
          [1, 2, 2, 3],
          [2, 2, 3, 3],
        ],
      }),
    ).toBe(false);
    expect(
      isMonotone({
        ...DEFAULT_MATRIX,
        cells: [
          [0, 1, 1, 1],
          [0, 0, 1, 2],
          [1, 2, 2, 3],
          [2, 2, 3, 3],
        ],
      }),
    ).toBe(false);
  });

  it.each([
    ['limits that fall', { rainClasses: [50, 20, 100] }],
    ['equal limits', { slopeClasses: [5, 5, 30] }],
    ['a row too few', { cells: DEFAULT_MATRIX.cells.slice(1) }],
    ['a column too few', { cells: DEFAULT_MATRIX.cells.map((row) => row.slice(1)) }],
    ['a rank without a class', { cells: DEFAULT_MATRIX.cells.map((row) => row.map(() => 4)) }],
    ['two classes of one name', { classes: ['low', 'low', 'high', 'very high'] }],
    ['one class only', { classes: ['low'], cells: DEFAULT_MATRIX.cells.map((row) => row.map(() => 0)) }],
    ['a product', { formula: 'rain * slope' }],
    ['a limit of NaN', { rainClasses: [NaN, 50, 100] }],
  ])('refuses %s', (_name, change) => {
    expect(matrixArg.safeParse({ ...DEFAULT_MATRIX, ...change }).success).toBe(false);
  });
});
