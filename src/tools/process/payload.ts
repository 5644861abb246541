import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payload } from './protocol.ts';

/**
 * Above this, bytes go through a file: reading and writing files happens off the event loop, while a message of many
 * megabytes is serialised, copied and joined on it.
 */
export const INLINE_BYTES = 128 * 1024;

/** Packs bytes for the other process. @param name unique within the job's folder. */
export async function pack(bytes: Uint8Array, directory: string, name: string): Promise<Payload> {
  if (bytes.byteLength <= INLINE_BYTES) return { inline: bytes };
  const path = join(directory, name);
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  return { path };
}

/** The bytes of a payload, in memory of their own. */
export async function unpack(payload: Payload): Promise<Uint8Array> {
  return 'inline' in payload ? payload.inline : readFile(payload.path);
}
