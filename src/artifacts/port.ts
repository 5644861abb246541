/** Bytes by name, create-only. Rows about them (labels, media type, digests) live in the ledger. */
export interface ArtifactStore {
  /** Creates the container when missing; throws `StoreUnavailable` when storage does not answer. */
  ready(): Promise<void>;
  /**
   * Create-only write. "Exists" with equal content is success; with other content throws `ARTIFACT_CORRUPT`.
   * A reader never sees a part of it.
   */
  put(blobName: string, bytes: Uint8Array, mediaType: string, sha256: string): Promise<void>;
  /**
   * Streams an upload of unknown digest to a temporary name, hashing on the way, stops at `maxBytes`
   * (`BODY_TOO_LARGE`), then commits it under `nameOf(sha256)`; nothing is left behind on failure. A store may put the
   * stream aside outside (Blob storage cannot rename, so its store uses local disk and no temporary name).
   */
  putStream(
    source: AsyncIterable<Uint8Array>,
    options: {
      readonly maxBytes: number;
      readonly mediaType: string;
      readonly temporaryName: string;
      readonly nameOf: (sha256: string) => string;
    },
  ): Promise<{ readonly sha256: string; readonly bytes: number; readonly blobName: string; readonly head: Uint8Array }>;
  /** Reads all and checks length and SHA-256: `ARTIFACT_LOST` (gone), `ARTIFACT_CORRUPT` (differs). */
  read(blobName: string, expected: { readonly sha256: string; readonly bytes: number }): Promise<Uint8Array>;
  /** Removes the bytes; a name that is not there is success. Only for runs past their retention. */
  remove(blobName: string): Promise<void>;
}
