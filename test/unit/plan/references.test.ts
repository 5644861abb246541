import { describe, expect, it } from 'vitest';
import { stepIntoSchema, typesOf, typesOverlap } from '../../../src/plan/jsonSchema.ts';
import {
  collectReferences,
  isLiteral,
  isReference,
  parseReference,
  stepIntoValue,
  walkPath,
} from '../../../src/plan/references.ts';
import { substitute } from '../../../src/plan/substitute.ts';
import type { JsonValue } from '../../../src/plan/types.ts';

describe('the forms of a reference', () => {
  it.each([
    ['a.out', { kind: 'node', nodeId: 'a', output: 'out', path: [] }],
    ['a.out.rows.0.name', { kind: 'node', nodeId: 'a', output: 'out', path: ['rows', '0', 'name'] }],
    ['$inputs.hours', { kind: 'input', name: 'hours', path: [] }],
    ['$inputs.window.from', { kind: 'input', name: 'window', path: ['from'] }],
    ['$item', { kind: 'item', path: [] }],
    ['$item.id', { kind: 'item', path: ['id'] }],
    ['$index', { kind: 'index' }],
    ['$output.report.n', { kind: 'output', name: 'report', path: ['n'] }],
  ])('reads %s', (text, target) => {
    expect(parseReference(text)).toEqual(target);
  });

  it.each([
    '',
    'a',
    'a.',
    '.a',
    'a..b',
    '$inputs',
    '$output',
    '$index.x',
    '$other.x',
    'a b.c',
    'a.b c',
    '1a.out',
    'a.out[0]',
    '${a.out}',
    'a.out.é',
  ])('refuses %j', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });

  it('is an object with ref, and at most default beside it', () => {
    expect(isReference({ ref: 'a.b' })).toBe(true);
    expect(isReference({ ref: 'a.b', default: null })).toBe(true);
    expect(isReference({ ref: 'a.b', more: 1 })).toBe(false);
    expect(isReference({ ref: 1 })).toBe(false);
    expect(isReference('a.b')).toBe(false);
    expect(isLiteral({ literal: 1 })).toBe(true);
    expect(isLiteral({ literal: 1, more: 2 })).toBe(false);
  });
});

describe('collecting references', () => {
  it('finds them wherever they stand, not in literals, defaults and strings', () => {
    const malformed: string[] = [];
    const template: JsonValue = {
      a: { ref: 'x.out' },
      b: [{ c: { ref: '$inputs.n', default: { ref: 'not.me' } } }],
      d: { literal: { ref: 'nor.me' } },
      e: '{ref: z.out} ${z.out}',
      f: { ref: 'y.out', extra: 1 },
      'g/h': { ref: 'bad' },
    };
    const found = collectReferences(template, ['args'], (at) => malformed.push(at));
    expect(found.map(({ pointer, ref, hasDefault }) => [pointer, ref, hasDefault])).toEqual([
      ['/args/a', 'x.out', false],
      ['/args/b/0/c', '$inputs.n', true],
      ['/args/g~1h', 'bad', false],
    ]);
    expect(found[2]?.target).toBeUndefined();
    expect(malformed).toEqual(['/args/f']);
  });
});

describe('one walk for values and schemas', () => {
  const value: JsonValue = { rows: [{ name: 'a' }], constructor: 1, n: 5 };
  const schema = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { $ref: '#/$defs/row' } },
      n: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      open: {},
      map: { type: 'object', additionalProperties: { type: 'boolean' } },
      any: { type: 'object', properties: { x: {} }, additionalProperties: true },
    },
    $defs: { row: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false } },
  };
  const inValue = (path: string) => walkPath(value, path.split('.'), stepIntoValue);
  const inSchema = (path: string) => walkPath({ schema, root: schema }, path.split('.'), stepIntoSchema);

  it.each(['rows.0.name', 'rows.0', 'n'])('finds %s in both', (path) => {
    expect(inValue(path).ok).toBe(true);
    expect(inSchema(path).ok).toBe(true);
  });

  it.each(['rows.length', 'rows.-1', 'rows.01', 'toString', '__proto__', 'rows.0.name.length', 'n.x', 'rows.0.other'])(
    'finds %s in neither: own members only',
    (path) => {
      expect(inValue(path).ok).toBe(false);
      expect(inSchema(path).ok).toBe(false);
    },
  );

  it('O-34 finds an own member that is called like a built-in one', () => {
    expect(inValue('constructor')).toEqual({ ok: true, at: 1 });
    expect(inSchema('constructor').ok).toBe(false);
  });

  it.each([
    ['pair.1', ['number']],
    ['map.anything', ['boolean']],
    ['n', ['integer', 'null']],
    ['rows.3.name', ['string']],
    ['open', []],
  ])('knows the types at %s', (path, types) => {
    const walk = inSchema(path);
    expect(walk.ok && typesOf(walk.at)).toEqual(types);
  });

  it('lets every path into what promises nothing, none beyond a list of fixed length', () => {
    expect(inSchema('open.a.b.0').ok).toBe(true);
    expect(inSchema('any.whatever').ok).toBe(true);
    expect(inSchema('pair.2').ok).toBe(false);
  });

  it('says where a path ends', () => {
    expect(inSchema('rows.0.colour')).toEqual({ ok: false, segment: 'colour', index: 2 });
  });

  it('ends on a schema that refers to itself and on one that refers elsewhere', () => {
    const self = { $ref: '#' };
    expect(stepIntoSchema({ schema: self, root: self }, 'a')).toBeUndefined();
    expect(stepIntoSchema({ schema: { $ref: 'https://x/y' }, root: {} }, 'a')).toBeDefined();
  });

  it('compares types without coercion', () => {
    expect(typesOverlap(['integer'], ['number'])).toBe(true);
    expect(typesOverlap(['string'], ['number'])).toBe(false);
    expect(typesOverlap(['string', 'null'], ['null'])).toBe(true);
    expect(typesOverlap([], ['number'])).toBe(true);
  });
});

describe('substitution', () => {
  it('replaces references, unwraps literals and never expands what it puts in', () => {
    const template: JsonValue = {
      a: { ref: 'x.out' },
      b: { literal: { ref: 'x.out' } },
      c: [{ ref: 'x.out' }],
      constructor: 1,
    };
    const result = substitute<never>(template, () => ({ ref: 'y.out', literal: 1 }));
    expect(result).toEqual({
      a: { ref: 'y.out', literal: 1 },
      b: { ref: 'x.out' },
      c: [{ ref: 'y.out', literal: 1 }],
      constructor: 1,
    });
  });
});
