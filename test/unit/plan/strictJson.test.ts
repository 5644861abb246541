import { describe, expect, it } from 'vitest';
import { PLAN_JSON_LIMITS, parseStrict } from '../../../src/plan/strictJson.ts';

const problems = (input: string | Uint8Array): string[] => {
  const result = parseStrict(input);
  return result.ok ? [] : result.findings.map(({ code, path }) => `${code} ${path}`);
};

const value = (input: string | Uint8Array): unknown => {
  const result = parseStrict(input);
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result.value;
};

describe('grammar', () => {
  it.each([
    ['{}', {}],
    [' [ ] ', []],
    ['[[],{},{"a":[]}]', [[], {}, { a: [] }]],
    ['{"a":{"b":[1,true,false,null,"x"]},"c":-1.5e-3}', { a: { b: [1, true, false, null, 'x'] }, c: -0.0015 }],
    ['"\\u0041\\n\\"\\\\\\/\\b\\f\\r\\t"', 'A\n"\\/\b\f\r\t'],
    ['"\\ud83d\\ude00"', '😀'],
    ['0', 0],
  ])('reads %s', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '1 2',
    '01',
    '+1',
    '1.',
    '.5',
    '1e',
    '-',
    'nul',
    'NaN',
    'Infinity',
    'undefined',
    '"a',
    '"\\x41"',
    '"\\u12g4"',
    '"a\nb"',
    '[1 2]',
    '{"a" 1}',
    ']',
    '}',
    '{]',
    '[}',
    '// x\n1',
    '1 /* x */',
    '\ufeff{}',
    '\u00a01',
    'true false',
    '{"a":1}}',
  ])('refuses %j', (text) => {
    expect(problems(text)[0]).toMatch(/^BAD_JSON /);
  });

  it('names line and column, and the place in the value', () => {
    const result = parseStrict('{\n "nodes": [\n  {"id": x}\n ]\n}');
    expect(result.ok ? [] : result.findings).toEqual([
      {
        code: 'BAD_JSON',
        severity: 'error',
        path: '/nodes/0/id',
        message: 'no valid JSON at line 3, column 10: a JSON value expected',
      },
    ]);
  });

  it('refuses bytes that are no UTF-8 and a byte order mark', () => {
    expect(problems(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(['BAD_JSON ']);
    expect(problems(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toEqual(['BAD_JSON ']);
    expect(value(new TextEncoder().encode('{"città":"Zürich"}'))).toEqual({ città: 'Zürich' });
  });
});

describe('O-28 duplicate keys: what was reviewed is what runs', () => {
  it.each([
    ['{"nodes":[{"id":"a","tool":"report.read","tool":"layer.delete"}]}', 'DUPLICATE_KEY /nodes/0/tool'],
    ['{"nodes":[{"tool":"report.read","to\\u006fl":"layer.delete"}]}', 'DUPLICATE_KEY /nodes/0/tool'],
    ['{"a":1,"b":{"a":1},"a":2}', 'DUPLICATE_KEY /a'],
    ['{"":1,"":2}', 'DUPLICATE_KEY /'],
    ['{"a/b":{"~":1,"~":2}}', 'DUPLICATE_KEY /a~1b/~0'],
    ['{"constructor":1,"constructor":2}', 'DUPLICATE_KEY /constructor'],
  ])('refuses %s with its path', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('accepts the same key in different objects', () => {
    expect(problems('[{"a":1},{"a":2},{"a":{"a":3}}]')).toEqual([]);
  });
});

describe('keys of the language', () => {
  it.each([
    ['{"__proto__":{"admin":true}}', 'FORBIDDEN_KEY /__proto__'],
    ['{"x":[{"__pro\\u0074o__":1}]}', 'FORBIDDEN_KEY /x/0/__proto__'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'FORBIDDEN_KEY /constructor/prototype'],
  ])('refuses %s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('O-34 keeps every other built-in name as an own property', () => {
    const read = value('{"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":4}') as object;
    expect(Object.entries(read)).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
      ['valueOf', 4],
    ]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe('texts and numbers that would change', () => {
  it.each([
    ['["\\ud800"]', 'LONE_SURROGATE /0'],
    ['{"a":"\\udc00x"}', 'LONE_SURROGATE /a'],
    ['"\ud800"', 'LONE_SURROGATE '],
    ['{"\\ud800":1}', 'LONE_SURROGATE /'],
    ['"\\ude00\\ud83d"', 'LONE_SURROGATE '],
  ])('refuses the lone surrogate in %j', (text, problem) => {
    expect(problems(text)).toContain(problem);
  });

  it.each([
    '1e999',
    '-1e999',
    '1e-400',
    '-0',
    '-0.0',
    '-0e5',
    '9007199254740993',
    '12345678901234567890',
    '0.1234567890123456789012',
    '100000000000000000000000000000001',
    '1.7976931348623159e308',
    '3.141592653589793238',
    `0.${'3'.repeat(120)}`,
  ])('O-30 refuses %s, which a double does not hold', (text) => {
    expect(problems(`{"limits":{"n":[${text}]}}`)).toEqual(['NUMBER_NOT_FINITE /limits/n/0']);
  });

  it.each([
    ['0.1', 0.1],
    ['1.0', 1],
    ['1.50', 1.5],
    ['1e2', 100],
    ['1E+2', 100],
    ['100e-2', 1],
    ['9007199254740992', 9007199254740992],
    ['-9007199254740991', -9007199254740991],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.10000000000000001', 0.1],
    ['1e308', 1e308],
    ['5e-324', 5e-324],
    ['123456789012345680000', 123456789012345680000],
    ['0.000', 0],
    ['0e7', 0],
    ['2.2250738585072014e-308', 2.2250738585072014e-308],
  ])('O-30 reads %s as the number it is', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it('reports several problems at once and goes on reading', () => {
    expect(problems('{"a":1e999,"b":"\\ud800","a":2,"c":{"__proto__":1}}')).toEqual([
      'NUMBER_NOT_FINITE /a',
      'LONE_SURROGATE /b',
      'DUPLICATE_KEY /a',
      'FORBIDDEN_KEY /c/__proto__',
    ]);
  });
});

describe('limits, exactly', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('accepts depth 32 and refuses 33', () => {
    expect(problems(nested(32))).toEqual([]);
    expect(problems(nested(33))[0]).toMatch(/^TOO_DEEP (\/0){32}$/);
    expect(problems(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)[0]).toMatch(/^TOO_DEEP (\/a){32}$/);
  });

  it('refuses depth 5 000 and 100 000 at once, without recursion', () => {
    const begin = performance.now();
    expect(problems(nested(5000))[0]).toMatch(/^TOO_DEEP/);
    expect(problems('{"a":'.repeat(50_000))[0]).toMatch(/^TOO_DEEP/);
    expect(performance.now() - begin).toBeLessThan(200);
  });

  const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`;

  it('accepts 10 000 keys and refuses 10 001', () => {
    expect(problems(keys(10_000))).toEqual([]);
    expect(problems(keys(10_001))).toEqual(['TOO_MANY_KEYS /k10000']);
  });

  it('accepts 256 KiB of UTF-8 and refuses one byte more, as text and as bytes', () => {
    const most = PLAN_JSON_LIMITS.maxBytes;
    const fits = `"${'a'.repeat(most - 2)}"`;
    expect(problems(fits)).toEqual([]);
    expect(problems(`${fits} `)).toEqual(['PLAN_TOO_LARGE ']);
    expect(problems(new TextEncoder().encode(fits))).toEqual([]);
    expect(problems(new TextEncoder().encode(`${fits} `))).toEqual(['PLAN_TOO_LARGE ']);
    expect(problems(`"${'é'.repeat(most / 2)}"`)).toEqual(['PLAN_TOO_LARGE ']);
  });

  it('bounds what it says about a hostile text', () => {
    const key = 'k'.repeat(100_000);
    const result = parseStrict(`{"${key}":{${Array.from({ length: 200 }, () => '"a":1').join(',')}}}`);
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result).length).toBeLessThan(250_000);
    const many = parseStrict(`[${Array.from({ length: 1000 }, () => '1e999').join(',')}]`);
    expect(many.ok ? 0 : many.findings.length).toBe(100);
  });

  it('other limits can be given', () => {
    expect(parseStrict('[[1]]', { ...PLAN_JSON_LIMITS, maxDepth: 1 }).ok).toBe(false);
    expect(parseStrict('{"a":1,"b":2}', { ...PLAN_JSON_LIMITS, maxKeys: 1 }).ok).toBe(false);
  });
});
