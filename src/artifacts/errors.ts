/** What an artifact store throws: the consuming node fails with these codes. */
import { ToolError } from '../plan/errors.ts';

/** Bytes that are not those the ledger row promises (or a name that already holds others). */
export const corrupt = (blobName: string, why: string): ToolError =>
  new ToolError('ARTIFACT_CORRUPT', `Artifact ${blobName} ${why}.`);

/** The row is there, the bytes are gone. */
export const lost = (blobName: string): ToolError =>
  new ToolError('ARTIFACT_LOST', `Artifact ${blobName} is no longer in the store.`);

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
