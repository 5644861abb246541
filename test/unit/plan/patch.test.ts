import { describe, expect, it } from 'vitest';
import type { PatchOperation } from '../../../src/plan/finding.ts';
import { applyPatch } from '../../../src/plan/patch.ts';
import { parsePointer, pointer } from '../../../src/plan/pointer.ts';
import type { JsonValue } from '../../../src/plan/types.ts';

const apply = (document: JsonValue, ...patch: readonly PatchOperation[]): JsonValue | string => {
  const result = applyPatch(document, patch);
  return result.ok ? result.value : `${result.index}: ${result.message}`;
};

describe('RFC 6902', () => {
  it.each<[string, JsonValue, PatchOperation[], JsonValue]>([
    ['adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    [
      'adds into a list',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['appends', { foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
    ['replaces an existing member by add', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['removes from a list', { foo: ['a', 'b', 'c'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['a', 'c'] }],
    ['replaces', { a: [1, 2] }, [{ op: 'replace', path: '/a/1', value: 9 }], { a: [1, 9] }],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
    ['moves', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['moves within a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
    ['copies', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    [
      'tests by value',
      { a: { x: 1, y: [2] } },
      [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
      { a: { x: 1, y: [2] } },
    ],
    [
      'reads escapes',
      { 'a/b': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'replace', path: '/m~0n', value: 3 },
      ],
      { 'm~n': 3 },
    ],
    ['adds a member called constructor', {}, [{ op: 'add', path: '/constructor', value: 1 }], { constructor: 1 }],
  ])('%s', (_name, document, patch, expected) => {
    const before = JSON.stringify(document);
    expect(apply(document, ...patch)).toEqual(expected);
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each<[string, JsonValue, PatchOperation]>([
    ['a missing parent', {}, { op: 'add', path: '/a/b', value: 1 }],
    ['a missing member to remove', {}, { op: 'remove', path: '/a' }],
    ['a missing member to replace', {}, { op: 'replace', path: '/a', value: 1 }],
    ['an index beyond the end', [1], { op: 'add', path: '/2', value: 1 }],
    ['removing at "-"', [1], { op: 'remove', path: '/-' }],
    ['an index with a leading zero', [1, 2], { op: 'remove', path: '/01' }],
    ['a test that fails', { a: 1 }, { op: 'test', path: '/a', value: '1' }],
    ['moving into itself', { a: { b: {} } }, { op: 'move', from: '/a', path: '/a/b/c' }],
    ['an inherited member', {}, { op: 'copy', from: '/toString', path: '/a' }],
    ['__proto__', {}, { op: 'add', path: '/__proto__/admin', value: true }],
    ['no pointer', {}, { op: 'add', path: 'a', value: 1 }],
    ['a bad escape', {}, { op: 'add', path: '/a~2', value: 1 }],
  ])('refuses %s', (_name, document, operation) => {
    expect(apply(document, operation)).toMatch(/^0: /);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('applies all or nothing and names the operation', () => {
    const document = { a: 1 };
    const result = apply(document, { op: 'add', path: '/b', value: 2 }, { op: 'remove', path: '/c' });
    expect(result).toMatch(/^1: /);
    expect(document).toEqual({ a: 1 });
  });

  it('shares nothing between patch and result', () => {
    const value = { list: [1] };
    const result = apply(
      {},
      { op: 'add', path: '/a', value },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/list/-', value: 2 },
    );
    expect(result).toEqual({ a: { list: [1, 2] }, b: { list: [1] } });
    expect(value).toEqual({ list: [1] });
  });
});

describe('pointers', () => {
  it('escapes and reads back', () => {
    expect(pointer('a/b', 0, '~', '')).toBe('/a~1b/0/~0/');
    expect(parsePointer('/a~1b/0/~0/')).toEqual(['a/b', '0', '~', '']);
    expect(pointer()).toBe('');
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('x')).toBeUndefined();
  });
});
