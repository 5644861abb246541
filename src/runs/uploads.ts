import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '@azure/functions';
import { BodyTooLarge } from '../artifacts/errors.ts';
import { uploadBlobName } from '../artifacts/names.ts';
import { safeFileName } from '../artifacts/fileNames.ts';
import type { Principal } from '../identity/principal.ts';
import { ToolError } from '../plan/errors.ts';
import { sniffMediaType } from '../tools/upload/sniff.ts';
import { bodyChunks } from './http/body.ts';
import { HttpProblem } from './http/problem.ts';
import type { Services } from './services.ts';

export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export interface Uploaded {
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly name: string;
}

/**
 * `POST /uploads?name=`: streams the body to the store, hashing on the way; a type that no tool reads is refused after
 * its first bytes. The name is only ever shown; a plan knows the upload by its digest.
 */
export async function saveUpload(services: Services, principal: Principal, request: HttpRequest): Promise<Uploaded> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/octet-stream')
    throw new HttpProblem('UNSUPPORTED_MEDIA_TYPE', 'Send the file as application/octet-stream.');
  if (Number(request.headers.get('content-length') ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const name = safeFileName(request.query.get('name') ?? 'upload');
  const { tenant, oid: owner } = principal;
  const stored = await services.store
    .putStream(checkedHead(bodyChunks(request), name), {
      maxBytes: MAX_UPLOAD_BYTES,
      mediaType: 'application/octet-stream',
      temporaryName: uploadBlobName({ tenant, owner, sha256: `${randomUUID()}${randomUUID()}`.replaceAll('-', '') }),
      nameOf: (sha256) => uploadBlobName({ tenant, owner, sha256 }),
    })
    .catch((error: unknown) => {
      if (error instanceof BodyTooLarge) throw tooLarge();
      throw error;
    });
  if (stored.bytes === 0) throw new HttpProblem('UPLOAD_INVALID', 'The file is empty.');
  const mediaType = mediaTypeOf(stored.head, name);
  await services.ledger.saveUpload({
    sha256: stored.sha256,
    tenant,
    owner,
    bytes: stored.bytes,
    mediaType,
    name,
    blobName: stored.blobName,
    createdAt: services.now(),
  });
  return { sha256: stored.sha256, bytes: stored.bytes, mediaType, name };
}

const tooLarge = (): HttpProblem =>
  new HttpProblem('BODY_TOO_LARGE', `An upload may have at most ${String(MAX_UPLOAD_BYTES / 1024 / 1024)} MiB.`);

function mediaTypeOf(head: Uint8Array, name: string): string {
  try {
    return sniffMediaType(head, name);
  } catch (error) {
    if (error instanceof ToolError) throw new HttpProblem('UPLOAD_INVALID', error.message);
    throw error;
  }
}

/** Refuses by type before anything is stored: the first chunk says what the file is. */
async function* checkedHead(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of chunks) {
    if (first && chunk.byteLength > 0) {
      mediaTypeOf(chunk.subarray(0, 4096), name);
      first = false;
    }
    yield chunk;
  }
}

const SHA256 = /^[0-9a-f]{64}$/;
const INSPECT_MS = 30_000;

/** `GET /uploads/{sha256}/inspect`: what a reader finds in the file; parsed in a capped child process. */
export async function inspectUpload(services: Services, principal: Principal, sha256: string): Promise<unknown> {
  if (!SHA256.test(sha256)) throw new HttpProblem('INVALID_ID', 'An upload is named by 64 lower-case hex digits.');
  const row = await services.ledger.getUpload(principal.tenant, principal.oid, sha256);
  if (row === undefined) throw new HttpProblem('NOT_FOUND', 'You have no such upload.');
  const bytes = await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
  try {
    const found = await services.tools.inspect(bytes, row.name, AbortSignal.timeout(INSPECT_MS));
    return { sha256: row.sha256, bytes: row.bytes, mediaType: row.mediaType, name: row.name, inspection: found };
  } catch (error) {
    if (error instanceof ToolError && error.class !== 'transient')
      throw new HttpProblem('UPLOAD_INVALID', `${error.code}: ${error.message}`);
    throw error;
  }
}
