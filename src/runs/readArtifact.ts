import type { HttpResponseInit } from '@azure/functions';
import { artifactHeaders, etagMatches } from '../artifacts/serve.ts';
import { scriptHashes } from '../tools/gis/map/scriptHashes.ts';
import { HttpProblem } from './http/problem.ts';
import { ownRun } from './read.ts';
import type { Caller } from './access.ts';
import type { Services } from './services.ts';

/** `GET /runs/{id}/artifacts/{artifactId}`: the bytes, checked, under headers that let nothing in them act in our origin. */
export async function readArtifact(
  services: Services,
  caller: Caller,
  input: {
    readonly runId: string;
    readonly artifactId: string;
    readonly ifNoneMatch: string | null;
    readonly download: boolean;
  },
): Promise<HttpResponseInit> {
  await ownRun(services, caller, input.runId);
  const row = /^art_[0-9a-f]{24,64}$/.test(input.artifactId)
    ? await services.ledger.getArtifact(input.runId, input.artifactId)
    : undefined;
  if (row === undefined) throw new HttpProblem('NOT_FOUND', 'This run has no such artifact.');
  if (etagMatches(input.ifNoneMatch, row.sha256)) return { status: 304, headers: { etag: `"${row.sha256}"` } };
  const bytes = await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
  const hashes = row.mediaType.startsWith('text/html') ? scriptHashes(new TextDecoder().decode(bytes)) : [];
  return {
    status: 200,
    headers: artifactHeaders(row, { scriptHashes: hashes, download: input.download }),
    body: bytes,
  };
}
