import { describe, expect, it } from 'vitest';
import { freshId, foreignCodePoints, isInstanceId, isNodeId, isReservedId, isRunId } from '../../../src/plan/ids.ts';
import { argsDigest, artifactId, bytesDigest, childInstanceId, operationKey } from '../../../src/plan/operationKey.ts';

describe('O-08 ids that the storage provider or the URL cannot carry', () => {
  it.each([
    'a/b',
    'a#b',
    'a?b=1',
    'a b',
    '%2e%2e',
    '\u0007x',
    'a'.repeat(101),
    '',
    '.',
    '-a',
    '_a',
    'a\n',
    'é',
    'a\u200b',
  ])('refuses the run id %j', (id) => {
    expect(isRunId(id)).toBe(false);
  });

  it.each(['a', '0', '20260105-101500-3f9a2c41', 'A_b-c', 'a'.repeat(64)])('accepts the run id %s', (id) => {
    expect(isRunId(id)).toBe(true);
  });

  it('child ids keep the grammar after suffixing, also for the longest run id', () => {
    const id = childInstanceId('r'.repeat(64), { nodeId: 'n'.repeat(64), item: 9999, revision: 3, attempt: 12 });
    expect(id).toMatch(/^r{64}-[0-9a-f]{12}$/);
    expect(isInstanceId(id)).toBe(true);
    expect(isInstanceId('a'.repeat(100))).toBe(true);
    expect(isInstanceId('a'.repeat(101))).toBe(false);
  });
});

describe('node ids', () => {
  it.each(['a', 'A9', 'rain_fall-2', 'a'.repeat(64)])('accepts %s', (id) => {
    expect(isNodeId(id)).toBe(true);
  });
  it.each([
    '',
    '9a',
    '_a',
    '-a',
    'a.b',
    'a b',
    'a'.repeat(65),
    'caf\u00e9',
    'cafe\u0301',
    '\u0430',
    'clip\u200b',
    'a\n',
  ])('refuses %j', (id) => {
    expect(isNodeId(id)).toBe(false);
  });

  it('O-34 reserves every property name of Object.prototype', () => {
    expect(Object.getOwnPropertyNames(Object.prototype).filter((name) => !isReservedId(name))).toEqual([]);
    expect(isReservedId('Constructor')).toBe(false);
  });

  it('O-35 shows characters that nobody can see', () => {
    expect(foreignCodePoints('clip\u200b')).toEqual(['U+200B']);
    expect(foreignCodePoints('\u0430\u202ea😀')).toEqual(['U+0430', 'U+202E', 'U+1F600']);
    expect(foreignCodePoints('clip')).toEqual([]);
  });

  it('makes ids that collide with nothing, ignoring case, and are never too long', () => {
    const taken = new Set(['rain', 'rain-2']);
    expect(freshId('Rain', taken)).toBe('Rain-3');
    expect(freshId('Rain', taken)).toBe('Rain-4');
    expect(freshId('constructor', new Set())).toBe('constructor-2');
    const long = 'a'.repeat(64);
    const other = freshId(long, new Set([long]));
    expect(other).toBe(`${'a'.repeat(62)}-2`);
    expect(isNodeId(other)).toBe(true);
  });
});

describe('keys of the ledger', () => {
  const base = { tenant: 't', runId: 'r', revision: 1, nodeId: 'n', item: -1, action: 'do' } as const;

  it('is 64 hex digits and differs when any part differs', () => {
    const keys = [
      base,
      { ...base, tenant: 'u' },
      { ...base, runId: 's' },
      { ...base, revision: 2 },
      { ...base, nodeId: 'm' },
      { ...base, item: 0 },
      { ...base, action: 'undo' as const },
      // Parts that would run together if they were only joined.
      { ...base, tenant: 'tr', runId: '' },
    ].map(operationKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
    expect(operationKey({ ...base })).toBe(keys[0]);
  });

  it('names one artifact per output', () => {
    const id = artifactId('r', 'n', -1, 'raster');
    expect(id).toMatch(/^art_[0-9a-f]{32}$/);
    expect(artifactId('r', 'n', 0, 'raster')).not.toBe(id);
    expect(artifactId('r', 'n', -1, 'quality')).not.toBe(id);
  });

  it('digests arguments whatever their order, and bytes as they are', () => {
    expect(argsDigest({ a: 1, b: [2] })).toBe(argsDigest({ b: [2], a: 1.0 }));
    expect(bytesDigest(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
