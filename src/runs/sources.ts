import type { RunRow } from '../ledger/port.ts';
import type { SourceSpec } from '../catalog/source.ts';
import type { ToolInput } from '../catalog/tool.ts';
import { ToolError } from '../plan/errors.ts';
import type { Services } from './services.ts';

/** Which of the sample's files a tool reads. */
const SAMPLE_OF: ReadonlyMap<string, string> = new Map([
  ['gis.readRainfall', 'rainfall'],
  ['gis.loadAssets', 'assets'],
  ['gis.loadTerrain', 'terrain'],
]);

/**
 * Bytes behind a source argument, with the labels they carry. The sample exists in development only; an upload must be
 * bound to this run; nothing else is a source (no URL, no path).
 */
export async function resolveSource(
  services: Services,
  run: RunRow,
  tool: string,
  source: SourceSpec,
): Promise<ToolInput> {
  if (source.kind === 'upload') return fromUpload(services, run, source.sha256);
  const kind = SAMPLE_OF.get(tool);
  if (source.kind === 'sample' && kind !== undefined && services.settings.development && services.sample !== null) {
    const sample = await services.sample(kind, run.asOf);
    if (sample !== undefined) return sample;
  }
  const name = source.kind === 'sample' ? 'The bundled sample' : `The connection "${source.name}"`;
  throw new ToolError('SOURCE_REQUIRED', `${name} is not available to ${tool} here; upload a file and name it.`);
}

async function fromUpload(services: Services, run: RunRow, sha256: string): Promise<ToolInput> {
  const row = await services.ledger.uploadOfRun(run.runId, sha256);
  if (row === undefined) throw new ToolError('ARTIFACT_NOT_FOUND', 'The upload is not bound to this run.');
  return {
    bytes: await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes }),
    mediaType: row.mediaType,
    type: { kind: 'artifact', mediaType: row.mediaType },
    sha256: row.sha256,
    labels: { integrity: ['external'], confidentiality: 'internal', licences: [`upload: ${row.name}`] },
    name: row.name,
  };
}
