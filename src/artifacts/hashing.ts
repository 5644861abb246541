import { createHash } from 'node:crypto';

/** MD5 of a body, which the blob service compares with what arrived; no protection against anybody, only against noise. */
export const transitMd5 = (bytes: Uint8Array): Uint8Array => createHash('md5').update(bytes).digest();
