import { BodyTooLarge, corrupt, lost } from '../../../src/artifacts/errors.ts';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import type { ArtifactStore } from '../../../src/artifacts/port.ts';

export interface MemoryStore extends ArtifactStore {
  /** The bytes as they lie, for tests that damage or remove them. */
  readonly blobs: Map<string, { bytes: Uint8Array; mediaType: string }>;
}

/** An artifact store in memory, held to the same contract as the one on Blob storage. */
export function createMemoryArtifactStore(): MemoryStore {
  const blobs = new Map<string, { bytes: Uint8Array; mediaType: string }>();

  const put: ArtifactStore['put'] = async (blobName, bytes, mediaType, sha256) => {
    if (sha256Hex(bytes) !== sha256) throw corrupt(blobName, 'was handed over with a digest that is not its own');
    const stored = blobs.get(blobName);
    if (stored === undefined) blobs.set(blobName, { bytes: Uint8Array.from(bytes), mediaType });
    else if (sha256Hex(stored.bytes) !== sha256) throw corrupt(blobName, 'holds other bytes');
  };

  return {
    blobs,
    remove: async (blobName) => void blobs.delete(blobName),
    ready: async () => undefined,
    put,
    putStream: async (source, { maxBytes, mediaType, nameOf }) => {
      const chunks: Uint8Array[] = [];
      let total = 0;
      for await (const chunk of source) {
        total += chunk.byteLength;
        if (total > maxBytes) throw new BodyTooLarge(maxBytes);
        chunks.push(Uint8Array.from(chunk));
      }
      const bytes = Buffer.concat(chunks);
      const sha256 = sha256Hex(bytes);
      const blobName = nameOf(sha256);
      await put(blobName, bytes, mediaType, sha256);
      return { sha256, bytes: bytes.byteLength, blobName, head: bytes.subarray(0, 64 * 1024) };
    },
    read: async (blobName, expected) => {
      const stored = blobs.get(blobName);
      if (stored === undefined) throw lost(blobName);
      if (stored.bytes.byteLength !== expected.bytes) throw corrupt(blobName, 'has another length');
      if (sha256Hex(stored.bytes) !== expected.sha256) throw corrupt(blobName, 'does not match its digest');
      return Uint8Array.from(stored.bytes);
    },
  };
}
