import { describe, expect, it } from 'vitest';
import { checkEncodable, encode, MAX_RESULT_BYTES } from '../../../src/plan/codec.ts';
import { ToolError } from '../../../src/plan/errors.ts';

class Box {
  value = 1;
}
const cycle: Record<string, unknown> = {};
cycle['self'] = { again: [cycle] };
const sparse: unknown[] = [1];
sparse[2] = 3;
const computed = Object.defineProperty({}, 'a', { enumerable: true, get: () => 1 });
const hidden = Object.defineProperty({}, 'a', { enumerable: false, value: 1 });
const proto: unknown = JSON.parse('{"__proto__":1}');

describe('O-12 values that change when they cross the JSON boundary', () => {
  it.each([
    ['undefined', { a: undefined }, '/a'],
    ['undefined in a list', [1, undefined], '/1'],
    ['NaN', { a: [Number.NaN] }, '/a/0'],
    ['Infinity', { a: Number.POSITIVE_INFINITY }, '/a'],
    ['-Infinity', -Infinity, ''],
    ['minus zero', { a: -0 }, '/a'],
    ['BigInt', { id: 12345678901234567890n }, '/id'],
    ['Map', { a: new Map([['x', 1]]) }, '/a'],
    ['Set', new Set([1]), ''],
    ['Date', { at: new Date(0) }, '/at'],
    ['function', { run: () => 1 }, '/run'],
    ['symbol', [Symbol('x')], '/0'],
    ['symbol as a key', { [Symbol('x')]: 1 }, ''],
    ['class', { 'a/b': new Box() }, '/a~1b'],
    ['Uint8Array', { bytes: new Uint8Array(2) }, '/bytes'],
    ['error', new Error('x'), ''],
    ['cycle', cycle, '/self/again/0'],
    ['lone surrogate', { a: 'x\ud800' }, '/a'],
    ['lone surrogate in a key', { '\udc00': 1 }, ''],
    ['list with a hole', sparse, ''],
    ['computed property', { a: computed }, '/a'],
    ['hidden property', hidden, ''],
    ['__proto__', proto, ''],
  ])('refuses %s with its path', (_name, value, path) => {
    expect(checkEncodable(value)).toMatchObject({ code: 'NOT_ENCODABLE', path });
    expect(() => encode(value)).toThrow(ToolError);
  });

  it.each([
    [{ id: '12345678901234567890', parcel: '007' }],
    [[null, true, false, 0, -1.5, 1e300, '', 'città', '😀']],
    [{ constructor: 1, toString: [{ a: {} }] }],
    [Object.assign(Object.create(null) as object, { a: 1 })],
  ])('carries %j unchanged', (value) => {
    expect(JSON.parse(encode(value))).toEqual(JSON.parse(JSON.stringify(value)));
    expect(checkEncodable(value)).toBeUndefined();
  });

  it('O-12.2 long ids stay texts end to end', () => {
    const decoded = JSON.parse(encode({ ids: ['12345678901234567890', '007'] })) as { ids: unknown[] };
    expect(decoded.ids).toEqual(['12345678901234567890', '007']);
  });

  it('allows the same part twice, which is no cycle', () => {
    const shared = { a: 1 };
    expect(encode([shared, shared, { again: shared }])).toBe('[{"a":1},{"a":1},{"again":{"a":1}}]');
  });

  it('refuses depth 100 000 with a code instead of a stack overflow', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(checkEncodable(deep)?.code).toBe('NOT_ENCODABLE');
  });

  it('refuses one byte more than allowed, counted in UTF-8', () => {
    const text = 'é'.repeat((MAX_RESULT_BYTES - 2) / 2);
    expect(encode(text, MAX_RESULT_BYTES)).toHaveLength(text.length + 2);
    expect(checkEncodable(`${text}x`, MAX_RESULT_BYTES)).toMatchObject({ code: 'RESULT_TOO_LARGE', path: '' });
  });

  it('fails as a permanent tool error, so that nothing retries it', () => {
    const thrown = (() => {
      try {
        return encode({ a: Number.NaN });
      } catch (error) {
        return error;
      }
    })();
    expect((thrown as ToolError).toNodeError()).toMatchObject({ code: 'NOT_ENCODABLE', class: 'permanent' });
  });
});
