/** Predicates of `when` and `expect` (design §2): typed, without coercion, and total: every predicate has an answer. */
import { deepEqual } from './deepEqual.ts';
import { isReference, parseReference, type ReferenceTarget } from './references.ts';
import { lookUp, resolveReference, type OutputRef, type ReferenceValue, type Scope } from './resolveReference.ts';
import { substitute } from './substitute.ts';
import type { JsonValue, Predicate, Reference } from './types.ts';

/**
 * `holds`/`fails`: the answer. `absent`: it needs an output that is not there (`from`), because that node or item was
 * skipped or failed softly. `error`: it has no answer, because the output is there without the member, or the types do
 * not go together. `reason` names the comparison that decided, with its values; at most 500 characters.
 */
export type PredicateResult =
  | { readonly outcome: 'holds' | 'fails' | 'error'; readonly reason: string }
  | { readonly outcome: 'absent'; readonly reason: string; readonly from: OutputRef };

/** What an operand's reference gives; both are pure and never throw. */
export interface OperandLookup {
  /** With the reference's default. */
  readonly value: (reference: Reference, target: ReferenceTarget | undefined) => ReferenceValue;
  /** Without it: for `exists`. */
  readonly present: (target: ReferenceTarget | undefined) => boolean;
}

/** Looks operands up in the scope of a node. */
export const operandsIn = (scope: Scope): OperandLookup => ({
  value: (reference, target) => resolveReference(scope, reference, target),
  present: (target) => lookUp(scope, target).state === 'value',
});

type Comparison = Extract<Predicate, { readonly op: string }>;

const MAX_REASON = 500;
const MAX_SHOWN = 160;
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** A value in a reason: as JSON, cut. Large values are named, not written. */
export function shown(value: JsonValue): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, MAX_SHOWN)), MAX_SHOWN);
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** An operand in a reason: a reference by its text and value. */
function named(template: JsonValue, value: JsonValue): string {
  return isReference(template) ? `${cut(template.ref, 100)} (${shown(value)})` : shown(value);
}

const WORDS = {
  eq: 'equals',
  ne: 'differs from',
  lt: 'is below',
  le: 'is at most',
  gt: 'is above',
  ge: 'is at least',
  in: 'is one of',
} as const;

/** Order of two numbers, or of two texts by UTF-16 units; `undefined` for anything else. */
function order(left: JsonValue, right: JsonValue): number | undefined {
  const comparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The answer for two values; text: why there is none. */
function compare(op: Exclude<Comparison['op'], 'exists'>, left: JsonValue, right: JsonValue): boolean | string {
  switch (op) {
    case 'eq':
      return deepEqual(left, right);
    case 'ne':
      return !deepEqual(left, right);
    case 'in':
      return Array.isArray(right) ? right.some((entry) => deepEqual(left, entry)) : '"in" needs an array on the right';
    default: {
      const sign = order(left, right);
      if (sign === undefined) return `"${op}" needs two numbers or two texts`;
      return op === 'lt' ? sign < 0 : op === 'le' ? sign <= 0 : op === 'gt' ? sign > 0 : sign >= 0;
    }
  }
}

type Operand = { readonly value: JsonValue } | { readonly end: PredicateResult };

function operand(template: JsonValue, lookup: OperandLookup): Operand {
  const ends: PredicateResult[] = [];
  const value = substitute<never>(template, (reference, target) => {
    const found = lookup.value(reference, target);
    if (found.state === 'value') return found.value;
    const ref = cut(reference.ref, 200);
    if (found.state === 'absent' && found.from !== undefined && !found.found) {
      ends.push({ outcome: 'absent', reason: `${ref} has no value`, from: found.from });
    } else {
      const why = found.state === 'invalid' ? 'has no meaning here' : 'names a member that is not there';
      ends.push({ outcome: 'error', reason: `${ref} ${why}` });
    }
    return null;
  }) as JsonValue;
  const [end] = ends;
  return end === undefined ? { value } : { end };
}

function evaluateComparison(comparison: Comparison, lookup: OperandLookup): PredicateResult {
  const { op, left, right } = comparison;
  if (op === 'exists') {
    const present = !isReference(left) || lookup.present(parseReference(left.ref));
    const text = isReference(left) ? cut(left.ref, 200) : shown(left);
    return { outcome: present ? 'holds' : 'fails', reason: `${text} ${present ? 'has a value' : 'has no value'}` };
  }
  const a = operand(left, lookup);
  if ('end' in a) return a.end;
  const b = operand(right ?? null, lookup);
  if ('end' in b) return b.end;
  const answer = compare(op, a.value, b.value);
  const [from, to] = [named(left, a.value), named(right ?? null, b.value)];
  if (typeof answer === 'string') return { outcome: 'error', reason: cut(`${answer}: ${from}, ${to}`, MAX_REASON) };
  const sentence = `${from} ${WORDS[op]} ${to}`;
  return answer
    ? { outcome: 'holds', reason: cut(sentence, MAX_REASON) }
    : { outcome: 'fails', reason: cut(`not so: ${sentence}`, MAX_REASON) };
}

/**
 * Evaluates from left to right: `all` ends at the first part that does not hold, `any` at the first that holds; an operand
 * without a value or of a wrong type ends the whole. A reference's default stands in for a missing value, except for
 * `exists`. Never throws.
 */
export function evaluatePredicate(predicate: Predicate, lookup: OperandLookup): PredicateResult {
  if ('op' in predicate) return evaluateComparison(predicate, lookup);
  if ('not' in predicate) {
    const inner = evaluatePredicate(predicate.not, lookup);
    if (inner.outcome !== 'holds' && inner.outcome !== 'fails') return inner;
    return { outcome: inner.outcome === 'holds' ? 'fails' : 'holds', reason: inner.reason };
  }
  const [parts, last] = 'all' in predicate ? ([predicate.all, 'holds'] as const) : ([predicate.any, 'fails'] as const);
  let result: PredicateResult = { outcome: last, reason: '' };
  for (const part of parts) {
    result = evaluatePredicate(part, lookup);
    if (result.outcome !== last) return result;
  }
  return result;
}
