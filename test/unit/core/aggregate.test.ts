import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/plan/errors.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { aggregate, fieldPath, type Op } from '../../../src/tools/core/aggregate.ts';
import { aggregateTool } from '../../../src/tools/core/aggregateTool.ts';
import { compensatedSum } from '../../../src/tools/core/sum.ts';
import { json, runTool } from '../toolRun.ts';

const of = (items: JsonValue[], op: Op = 'sum', minCoverage = 1) => aggregate(items, op, [], minCoverage);
const month = (valid: number): JsonValue[] => Array.from({ length: 30 }, (_, i) => (i < valid ? 2 : null));

describe('O-37 what is missing never counts as zero', () => {
  it('O-37 a month of nulls has no sum, with the reason', () => {
    for (const op of ['sum', 'mean', 'min', 'max', 'count'] as const) {
      expect(of(month(0), op, 0)).toEqual({
        value: null,
        coverage: 0,
        valid: 0,
        expected: 30,
        reason: 'all 30 items are missing',
      });
    }
  });

  it('O-37 29 of 30 days: null unless the coverage asked for allows it', () => {
    expect(of(month(29))).toMatchObject({ value: null, coverage: 29 / 30 });
    expect(of(month(29)).reason).toContain('29 of 30 items have a value; at least 1 ');
    expect(of(month(29), 'sum', 0.9)).toMatchObject({ value: 58, coverage: 29 / 30, reason: null });
    expect(of(month(29), 'mean', 0.9).value).toBe(2);
    expect(of(month(29), 'count', 0.9).value).toBe(29);
  });

  it.each<[string, JsonValue]>([
    ['null', null],
    ['NaN as text', 'NaN'],
    ['an empty text', ''],
    ['-9999', -9999],
    ['-99999', -99_999],
    ['a float fill', -3.4028234663852886e38],
  ])('O-37 %s is missing, whatever the operation', (_name, missing) => {
    for (const op of ['sum', 'mean', 'min', 'max', 'count'] as const) {
      expect(of([1, missing, 3], op).value).toBeNull();
      expect(of([1, missing, 3], op, 0.5)).toMatchObject({ coverage: 2 / 3, valid: 2 });
    }
    expect(of([1, missing, 3], 'min', 0.5).value).toBe(1);
    expect(of([1, missing, 3], 'mean', 0.5).value).toBe(2);
  });

  it('O-37 a huge magnitude is refused, not averaged', () => {
    expect(() => of([1, 1e20])).toThrow(/no measurement/);
    expect(() => of([1, -1e20], 'min', 0)).toThrow(ToolError);
  });

  it('O-37 a field that an item lacks is missing, one of another type is refused', () => {
    const items = [{ mm: 1 }, { mm: null }, {}, null, { mm: 3 }];
    expect(aggregate(items, 'sum', ['mm'], 0.4)).toMatchObject({ value: 4, coverage: 0.4 });
    expect(() => aggregate([{ mm: '3' }], 'sum', ['mm'], 0)).toThrow(/a string, not a number/);
    expect(() => aggregate([{ mm: true }], 'sum', ['mm'], 0)).toThrow(/a boolean/);
    expect(() => of([{ mm: 1 }])).toThrow(/an object/);
    expect(aggregate([{}], 'sum', ['constructor'], 0).value).toBeNull();
    expect(fieldPath('a.0.b')).toEqual(['a', '0', 'b']);
  });

  it('counts values of any type, and only what is there', () => {
    expect(of(['Bern', { mm: 1 }, true, 0, null, 'n/a'], 'count', 0.5)).toMatchObject({ value: 4, coverage: 4 / 6 });
    expect(of(['Bern', null], 'count').value).toBeNull();
    expect(() => of(['Bern'], 'max')).toThrow(/a string, not a number/);
  });

  it('O-37 the node tells it to the verification, and the run cannot end as verified', async () => {
    const low = await runTool(aggregateTool, { items: month(29), op: 'sum' }, {});
    expect(json(low, 'value')).toBeNull();
    expect(json(low, 'coverage')).toBeCloseTo(29 / 30, 15);
    expect(low.checks).toEqual([
      {
        name: 'coverage',
        passed: false,
        severity: 'report',
        detail: 'no value: 29 of 30 items have a value; at least 1 of them is asked for',
      },
    ]);
    const enough = await runTool(aggregateTool, { items: month(29), op: 'sum', minCoverage: 0.9 }, {});
    expect(json(enough, 'value')).toBe(58);
    expect(enough.checks[0]).toMatchObject({ passed: true, detail: '29 of 30 items have a value' });
  });

  it('nothing at all has no value', () => {
    expect(of([], 'count', 0)).toMatchObject({ value: null, coverage: 0, reason: 'there are no items' });
  });
});

describe('sums', () => {
  it('keep what plain addition loses', () => {
    expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(compensatedSum(Array(10).fill(0.1))).toBe(1);
    expect(of(Array<number>(1000).fill(0.1)).value).toBe(100);
    expect(of([-1, 1]).value).toBe(0);
    expect(Object.is(of([-0]).value, 0)).toBe(true);
  });

  it('are right to the last bits for decimals, whatever their order (against exact integers)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 300 }), (cents) => {
        const exact = cents.reduce((sum, cent) => sum + BigInt(cent), 0n);
        const sum = of(cents.map((cent) => cent / 100)).value ?? Number.NaN;
        const bound = 1e-9 + cents.reduce((most, cent) => most + Math.abs(cent), 0) * 1e-17;
        expect(Math.abs(sum - Number(exact) / 100)).toBeLessThan(bound);
        expect(Math.round(sum * 100)).toBe(Number(exact));
      }),
      { numRuns: 100 },
    );
  });

  it('arguments are strict', () => {
    const accepts = (args: unknown): boolean => aggregateTool.input.safeParse(args).success;
    expect(accepts({ items: [1], op: 'sum' })).toBe(true);
    expect(accepts({ items: [1], op: 'median' })).toBe(false);
    expect(accepts({ items: [1], op: 'sum', minCoverage: 1.1 })).toBe(false);
    expect(accepts({ items: [1], op: 'sum', field: 'a..b' })).toBe(false);
    expect(accepts({ items: { length: 1 }, op: 'sum' })).toBe(false);
    expect(accepts({ op: 'sum' })).toBe(false);
  });
});
