import { createHash } from 'node:crypto';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BodyTooLarge } from '../../../src/artifacts/errors.ts';
import { spool } from '../../../src/artifacts/spool.ts';

const ours = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('geoagent-upload-'));

describe('spooling an upload', () => {
  it('hashes what it writes, keeps 64 KiB of head, and the file is private until it is gone', async () => {
    // One buffer used again for every chunk, as streams do.
    async function* source(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(50_000);
      for (const value of [1, 2, 3]) yield buffer.fill(value);
    }
    const file = await spool(source(), 150_000);
    const whole = new Uint8Array(150_000).fill(1, 0, 50_000).fill(2, 50_000, 100_000).fill(3, 100_000);
    expect(Uint8Array.from(await readFile(file.path))).toEqual(whole);
    expect(file.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    expect(file.bytes).toBe(150_000);
    expect(file.head).toEqual(whole.slice(0, 65_536));
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    await file.dispose();
    await expect(access(dirname(file.path))).rejects.toThrow();
  });

  it('leaves no file when the body is too large or breaks off', async () => {
    const before = await ours();
    async function* large(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(11);
    }
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw new Error('reset');
    }
    await expect(spool(large(), 10)).rejects.toBeInstanceOf(BodyTooLarge);
    await expect(spool(broken(), 10)).rejects.toThrow('reset');
    expect((await ours()).filter((name) => !before.includes(name))).toEqual([]);
  });
});
