/**
 * A stream of unknown digest and length, put aside on local disk while it is hashed and counted. Blob storage cannot
 * rename, and the final name is the digest: so the bytes wait here, not under a second name in the store.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BodyTooLarge } from './errors.ts';

export interface Spooled {
  readonly path: string;
  readonly sha256: string;
  readonly md5: Uint8Array;
  readonly bytes: number;
  /** The first bytes, for format detection. */
  readonly head: Uint8Array;
  /** Removes the file. */
  dispose(): Promise<void>;
}

const HEAD_BYTES = 64 * 1024;

/** Throws `BodyTooLarge` as soon as the cap is passed, whatever the source throws; leaves no file behind then. */
export async function spool(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), 'geoagent-upload-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'body');
    const file = await open(path, 'wx', 0o600);
    const sha = createHash('sha256');
    const md5 = createHash('md5');
    const head: Uint8Array[] = [];
    let headBytes = 0;
    let bytes = 0;
    try {
      for await (const chunk of source) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw new BodyTooLarge(maxBytes);
        sha.update(chunk);
        md5.update(chunk);
        if (headBytes < HEAD_BYTES) {
          // A copy: the source may reuse its buffer.
          const part = Uint8Array.from(chunk.subarray(0, HEAD_BYTES - headBytes));
          head.push(part);
          headBytes += part.byteLength;
        }
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    return {
      path,
      sha256: sha.digest('hex'),
      md5: md5.digest(),
      bytes,
      head: Uint8Array.from(Buffer.concat(head)),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
