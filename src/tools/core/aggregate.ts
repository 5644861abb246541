/** Aggregation that never takes what is missing for a zero (O-37). */
import { ToolError } from '../../plan/errors.ts';
import { arrayIndex, stepIntoValue, walkPath } from '../../plan/references.ts';
import type { JsonValue } from '../../plan/types.ts';
import { compensatedSum } from './sum.ts';

export const OPS = ['sum', 'mean', 'min', 'max', 'count'] as const;
export type Op = (typeof OPS)[number];

/** No-data marks of common formats: runs of nines and the float fill. They are missing, whatever the operation. */
const SENTINELS: ReadonlySet<number> = new Set([-9999, -99_999, -999_999, -3.402_823_466_385_288_6e38]);
/** Larger magnitudes are fill values or faults, never a measurement (O-37.2): refused, not averaged. */
const ABSURD = 1e15;

export interface Aggregated {
  /** `null` when nothing is valid, or the coverage is below what was asked for. */
  readonly value: number | null;
  /** Valid items of all items; 0 when there are none. */
  readonly coverage: number;
  readonly valid: number;
  readonly expected: number;
  /** Why there is no value. */
  readonly reason: string | null;
}

/**
 * The number of one item, or `null` when it is missing. Texts `NaN` and no-data marks are missing; what else is no number
 * is refused, except where values are only counted: there it is 1.
 */
function numberOf(item: JsonValue, field: readonly string[], index: number, counting: boolean): number | null {
  const walk = walkPath<JsonValue>(item, field, stepIntoValue);
  const value = walk.ok ? walk.at : null;
  if (value === null) return null;
  if (typeof value === 'string' && /^\s*(?:|nan|null|n\/?a)\s*$/i.test(value)) return null;
  if (typeof value !== 'number') {
    if (counting) return 1;
    const what = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
    const at = field.length === 0 ? '' : ` at ${field.join('.')}`;
    throw new ToolError('INVALID_ARGUMENT', `Item ${String(index)}${at} is ${what}, not a number or null.`);
  }
  if (SENTINELS.has(value)) return null;
  if (Math.abs(value) > ABSURD)
    throw new ToolError('INVALID_ARGUMENT', `Item ${String(index)} is ${String(value)}, which no measurement can be.`);
  return value;
}

/** `field` as written: member names and indexes joined by points. */
export const fieldPath = (field: string | undefined): readonly string[] =>
  field === undefined || field === '' ? [] : field.split('.');

function valueOf(op: Op, valid: readonly number[]): number {
  const sum = (): number => compensatedSum(valid);
  switch (op) {
    case 'count':
      return valid.length;
    case 'sum':
      return sum();
    case 'mean':
      return sum() / valid.length;
    case 'min':
      return valid.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
    case 'max':
      return valid.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  }
}

/**
 * Aggregates items, or a field of each. Missing items (null, absent, NaN, no-data marks) lower the coverage = valid / all;
 * below `minCoverage`, or with nothing valid, the value is null with the reason, never 0. `count` counts the items that
 * have a value of any type, and follows the same rule. Throws `ToolError` INVALID_ARGUMENT for an item that the other
 * operations find to be neither number nor missing.
 */
export function aggregate(
  items: readonly JsonValue[],
  op: Op,
  field: readonly string[],
  minCoverage: number,
): Aggregated {
  const valid = items
    .map((item, index) => numberOf(item, field, index, op === 'count'))
    .filter((value): value is number => value !== null);
  const facts = {
    coverage: items.length === 0 ? 0 : valid.length / items.length,
    valid: valid.length,
    expected: items.length,
  };
  const ratio = `${String(valid.length)} of ${String(items.length)} items have a value`;
  if (items.length === 0) return { ...facts, value: null, reason: 'there are no items' };
  if (valid.length === 0) return { ...facts, value: null, reason: `all ${String(items.length)} items are missing` };
  if (facts.coverage < minCoverage) {
    return { ...facts, value: null, reason: `${ratio}; at least ${String(minCoverage)} of them is asked for` };
  }
  // Minus zero is no value that JSON keeps.
  return { ...facts, value: valueOf(op, valid) + 0, reason: null };
}

/** Whether a text is a field that `aggregate` can follow. */
export const isField = (text: string): boolean =>
  text.length <= 256 &&
  text.split('.').every((part) => /^[A-Za-z0-9_-]{1,128}$/.test(part) || arrayIndex(part) !== undefined);
