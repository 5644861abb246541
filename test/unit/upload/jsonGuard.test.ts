import { describe, expect, it } from 'vitest';
import { parseUntrustedJson, scanJson } from '../../../src/tools/upload/jsonGuard.ts';
import { excerpt, UPLOAD_LIMITS } from '../../../src/tools/upload/limits.ts';
import { codeOf } from '../rainfall/support.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON before it is parsed', () => {
  it('depth is counted outside texts only', () => {
    expect(scanJson(encode('{"a":[{"b":"[[[[{{{{"}]}'))).toBe(3);
    expect(scanJson(encode('"\\"[[["'))).toBe(0);
    expect(scanJson(encode('["\\\\",["\\\\\\""]]'))).toBe(2);
  });

  it('the deepest allowed, and one more', () => {
    expect(scanJson(encode(nested(UPLOAD_LIMITS.jsonDepth)))).toBe(UPLOAD_LIMITS.jsonDepth);
    expect(codeOf(() => scanJson(encode(nested(UPLOAD_LIMITS.jsonDepth + 1))))).toBe('UPLOAD_INVALID');
  });

  it('a million levels cost no stack', () => {
    expect(codeOf(() => scanJson(encode('['.repeat(1_000_000))))).toBe('UPLOAD_INVALID');
  });

  it.each(['[', '{"a"', '"abc', '"abc\\"', '[}', ']', '{"a":[1,2}', ''])('refuses %j', (text) => {
    expect(codeOf(() => parseUntrustedJson(encode(text)))).toBe('UPLOAD_INVALID');
  });

  it('a byte order mark is no part of the JSON', () => {
    expect(parseUntrustedJson(encode('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  it('bytes that are not UTF-8 are refused', () => {
    expect(codeOf(() => parseUntrustedJson(Buffer.from('{"a":"é"}', 'latin1')))).toBe('UPLOAD_INVALID');
  });

  it('fifty megabytes in one text are scanned in a moment', () => {
    const bytes = encode(`{"a":"${'x\\"'.repeat(10_000_000)}"}`);
    const start = performance.now();
    expect(scanJson(bytes)).toBe(1);
    expect(performance.now() - start).toBeLessThan(10_000);
  }, 30_000);

  it('an excerpt never ends inside a character', () => {
    const cut = excerpt('a'.repeat(119) + '🌧'.repeat(10));
    expect(cut.isWellFormed()).toBe(true);
    expect(excerpt('short')).toBe('short');
  });
});
