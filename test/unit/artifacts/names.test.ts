import { describe, expect, it } from 'vitest';
import { artifactBlobName, NameInvalid, uploadBlobName } from '../../../src/artifacts/names.ts';

const sha256 = 'ab'.repeat(32);
const address = { tenant: 'local', runId: 'run-1', nodeId: 'rain', item: -1, output: 'raster' };

describe('O-17 storage names', () => {
  it('say tenant, run, node, item, output and digest', () => {
    expect(artifactBlobName({ ...address, sha256 })).toBe(`local/runs/run-1/rain/all/raster-${sha256}`);
    expect(artifactBlobName({ ...address, item: 12, sha256 })).toBe(`local/runs/run-1/rain/12/raster-${sha256}`);
    expect(uploadBlobName({ tenant: 'local', owner: 'alice', sha256 })).toBe(`local/uploads/alice/${sha256}`);
  });

  it.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a%2fb',
    'a b',
    'é',
    'a.',
    '.a',
    'a..b',
    'a?',
    'a#',
    'a\n',
    'a'.repeat(129),
    '\u202ea',
  ])('refuse %j as any part', (part) => {
    for (const member of ['tenant', 'runId', 'nodeId', 'output'] as const) {
      expect(() => artifactBlobName({ ...address, [member]: part, sha256 })).toThrow(NameInvalid);
    }
    expect(() => uploadBlobName({ tenant: 'local', owner: part, sha256 })).toThrow(NameInvalid);
    expect(() => uploadBlobName({ tenant: part, owner: 'alice', sha256 })).toThrow(NameInvalid);
  });

  it.each([-2, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuse %d as item', (item) => {
    expect(() => artifactBlobName({ ...address, item, sha256 })).toThrow(NameInvalid);
  });

  it.each(['', 'AB'.repeat(32), 'ab', `${'ab'.repeat(31)}zz`, `${sha256}\n`])('refuse %j as digest', (digest) => {
    expect(() => artifactBlobName({ ...address, sha256: digest })).toThrow(NameInvalid);
  });
});
