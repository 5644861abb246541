/** What an artifact store throws: the consuming node fails with these codes. */
import { ToolError } from '../plan/errors.ts';

/** What people may see of a storage name: the output and the start of the digest, never tenant, owner or path. */
const shown = (blobName: string): string => (blobName.split('/').at(-1) ?? '').slice(0, 40);

/** Bytes that are not those the ledger row promises (or a name that already holds others). */
export const corrupt = (blobName: string, why: string): ToolError =>
  new ToolError('ARTIFACT_CORRUPT', `Artifact ${shown(blobName)}… ${why}.`);

/** The row is there, the bytes are gone. */
export const lost = (blobName: string): ToolError =>
  new ToolError('ARTIFACT_LOST', `Artifact ${shown(blobName)}… is no longer in the store.`);

/** An upload above the cap: HTTP 413. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly code = 'BODY_TOO_LARGE';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The upload is larger than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}
