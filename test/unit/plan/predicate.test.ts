import { describe, expect, it } from 'vitest';
import { evaluatePredicate, operandsIn, shown } from '../../../src/plan/predicate.ts';
import { scopeOf } from '../../../src/plan/resolveReference.ts';
import type { JsonValue, PlanNode, Predicate } from '../../../src/plan/types.ts';

const node: PlanNode = { id: 'n', tool: 'test.value', dependsOn: [], args: {} };
const values: Record<string, JsonValue> = {
  'a.value': 7,
  'a.text': '7',
  'a.none': null,
  'a.list': [1, { x: 1, y: [true] }],
  'a.deep': { rows: [{ mm: 30 }] },
};
const scope = scopeOf({ inputs: { limit: 5 }, nodes: [node] }, node, (id, output) => values[`${id}.${output}`]);
const result = (predicate: unknown) => evaluatePredicate(predicate as Predicate, operandsIn(scope));
const outcome = (predicate: unknown): string => result(predicate).outcome;
const ref = (text: string, more: object = {}) => ({ ref: text, ...more });
const cmp = (op: string, left: unknown, right?: unknown) => (right === undefined ? { op, left } : { op, left, right });

describe('comparisons', () => {
  it.each<[string, unknown, unknown, string]>([
    ['eq', 1, 1, 'holds'],
    ['eq', 1, '1', 'fails'],
    ['eq', 0, -0, 'holds'],
    ['eq', 0, false, 'fails'],
    ['eq', null, null, 'holds'],
    ['eq', null, 0, 'fails'],
    ['eq', { a: 1, b: [2] }, { b: [2], a: 1 }, 'holds'],
    ['eq', { a: 1 }, { a: 1, b: 2 }, 'fails'],
    ['eq', [1, 2], [2, 1], 'fails'],
    ['eq', [], {}, 'fails'],
    ['eq', ref('a.list.1'), { y: [true], x: 1 }, 'holds'],
    ['ne', ref('a.value'), ref('a.text'), 'holds'],
    ['lt', ref('a.value'), 8, 'holds'],
    ['lt', ref('a.value'), 7, 'fails'],
    ['le', ref('a.value'), 7, 'holds'],
    ['gt', ref('a.value'), ref('$inputs.limit'), 'holds'],
    ['ge', 'b', 'a', 'holds'],
    ['lt', 'Z', 'a', 'holds'],
    ['lt', 7, '8', 'error'],
    ['lt', null, 1, 'error'],
    ['gt', true, false, 'error'],
    ['ge', [1], [0], 'error'],
    ['in', 7, [1, 7], 'holds'],
    ['in', 7, ['7'], 'fails'],
    ['in', { x: 1, y: [true] }, ref('a.list'), 'holds'],
    ['in', 7, [], 'fails'],
    ['in', 'a', 'abc', 'error'],
    ['in', 7, [ref('a.value')], 'holds'],
    ['eq', { literal: { ref: 'a.value' } }, { literal: { ref: 'a.value' } }, 'holds'],
  ])('%s %j %j %s', (op, left, right, expected) => {
    expect(outcome(cmp(op, left, right))).toBe(expected);
  });

  it('says which values decided', () => {
    expect(result(cmp('lt', ref('a.deep.rows.0.mm'), 5)).reason).toBe('not so: a.deep.rows.0.mm (30) is below 5');
    expect(result(cmp('lt', ref('a.text'), 5)).reason).toContain('two numbers or two texts: a.text ("7"), 5');
  });

  it('never writes a large value into a reason', () => {
    const { reason } = result(cmp('eq', 'x'.repeat(5000), [Array(5000).fill(0)]));
    expect(reason.length).toBeLessThanOrEqual(500);
    expect(reason).toContain('an array of 1');
    expect(shown({ secret: 'x' })).toBe('an object');
  });

  it('compares values that are deeper than a stack', () => {
    const deep = (): JsonValue => {
      let value: JsonValue = 1;
      for (let i = 0; i < 200_000; i += 1) value = [value];
      return value;
    };
    values['a.deepest'] = deep();
    values['a.other'] = deep();
    expect(outcome(cmp('eq', ref('a.deepest'), ref('a.other')))).toBe('holds');
  });
});

describe('values that are not there', () => {
  it('exists is false for them and true for null', () => {
    expect(outcome(cmp('exists', ref('a.value')))).toBe('holds');
    expect(outcome(cmp('exists', ref('a.none')))).toBe('holds');
    expect(outcome(cmp('exists', ref('a.gone')))).toBe('fails');
    expect(outcome(cmp('exists', ref('a.deep.rows.9')))).toBe('fails');
    expect(outcome(cmp('exists', ref('a.gone', { default: 1 })))).toBe('fails');
  });

  it('a missing output is absent, named, and not false', () => {
    const answer = result(cmp('gt', ref('b.value'), 1));
    expect(answer).toEqual({
      outcome: 'absent',
      reason: 'b.value has no value',
      from: { nodeId: 'b', output: 'value' },
    });
    expect(outcome({ not: cmp('gt', ref('b.value'), 1) })).toBe('absent');
  });

  it('a missing member of an output that is there is an error', () => {
    expect(outcome(cmp('gt', ref('a.deep.row'), 1))).toBe('error');
    expect(outcome(cmp('gt', ref('a.deep.constructor'), 1))).toBe('error');
    expect(outcome(cmp('gt', ref('a.deep.__proto__'), 1))).toBe('error');
    expect(outcome(cmp('gt', ref('$inputs.other'), 1))).toBe('error');
    expect(outcome(cmp('gt', ref('$item'), 1))).toBe('error');
    expect(outcome(cmp('gt', ref('not a reference'), 1))).toBe('error');
  });

  it('a default stands in', () => {
    expect(outcome(cmp('gt', ref('b.value', { default: 2 }), 1))).toBe('holds');
    expect(outcome(cmp('eq', ref('a.deep.row', { default: null }), null))).toBe('holds');
  });
});

describe('combinations', () => {
  const yes = cmp('eq', 1, 1);
  const no = cmp('eq', 1, 2);
  const absent = cmp('eq', ref('b.x'), 2);
  it.each<[unknown, string]>([
    [{ all: [yes, yes] }, 'holds'],
    [{ all: [yes, no] }, 'fails'],
    [{ any: [no, yes] }, 'holds'],
    [{ any: [no, no] }, 'fails'],
    [{ not: no }, 'holds'],
    [{ not: { all: [yes, { any: [no, { not: no }] }] } }, 'fails'],
    // From left to right: what comes after the decision is not looked at.
    [{ all: [no, absent] }, 'fails'],
    [{ any: [yes, absent] }, 'holds'],
    [{ all: [absent, no] }, 'absent'],
    [{ any: [absent, yes] }, 'absent'],
    [{ all: [cmp('exists', ref('b.x')), absent] }, 'fails'],
  ])('%j %s', (predicate, expected) => {
    expect(outcome(predicate)).toBe(expected);
  });
});
