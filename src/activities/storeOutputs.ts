import { markedFileName } from '../artifacts/fileNames.ts';
import { artifactBlobName } from '../artifacts/names.ts';
import { isValueKind } from '../catalog/gathered.ts';
import type { Labels, ToolOutput, ToolResult } from '../catalog/tool.ts';
import type { ArtifactRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { artifactId } from '../plan/operationKey.ts';
import { sha256Hex } from '../plan/sha256.ts';
import type { Services } from '../runs/services.ts';
import { SMALL_BYTES } from '../runs/systemArtifact.ts';
import type { NodeContext } from './nodeContext.ts';

/**
 * Writes the outputs under content-addressed, create-only names and describes them for the ledger. The rows become
 * visible only with `complete`: a crash in between leaves bytes that the next execution finds equal.
 */
export async function storeOutputs(
  services: Services,
  context: Pick<NodeContext, 'run' | 'tool' | 'ids'>,
  labels: Labels,
  result: ToolResult,
): Promise<readonly ArtifactRow[]> {
  const { tool } = context;
  const rows: ArtifactRow[] = [];
  for (const output of Object.keys(tool.ports.outputs).sort()) {
    const made = result.outputs.get(output);
    if (made === undefined && tool.ports.outputs[output]?.optional === true) continue;
    if (made === undefined) throw new ToolError('EMPTY_RESULT', `${tool.name} did not produce its output "${output}".`);
    if (made.bytes.byteLength === 0) throw new ToolError('EMPTY_RESULT', `${tool.name} produced an empty "${output}".`);
    if (made.bytes.byteLength > tool.limits.maxOutputBytes) {
      throw new ToolError(
        'RESULT_TOO_LARGE',
        `"${output}" has ${String(made.bytes.byteLength)} bytes; at most ${String(tool.limits.maxOutputBytes)} are allowed.`,
      );
    }
    rows.push(await storeOutput(services, context, labels, output, made));
  }
  return rows;
}

/** Stores one output; equal bytes under the same name are success. */
export async function storeOutput(
  services: Services,
  { run, ids }: Pick<NodeContext, 'run' | 'ids'>,
  labels: Labels,
  output: string,
  made: ToolOutput,
): Promise<ArtifactRow> {
  const sha256 = sha256Hex(made.bytes);
  const { runId, nodeId, item } = ids;
  const row: ArtifactRow = {
    id: artifactId(runId, nodeId, item, output),
    tenant: run.tenant,
    runId,
    nodeId,
    item,
    output,
    sha256,
    bytes: made.bytes.byteLength,
    mediaType: made.mediaType,
    fileName: markedFileName(made.fileName, labels),
    type: made.type,
    labels,
    blobName: artifactBlobName({ tenant: run.tenant, runId, nodeId, item, output, sha256 }),
    value: smallValue(made),
    createdAt: services.now(),
  };
  await services.store.put(row.blobName, made.bytes, row.mediaType, sha256);
  return row;
}

/** The text of a small JSON output, for the ledger row: its readers need no blob. */
function smallValue({ bytes, type }: ToolOutput): string | null {
  if (bytes.byteLength > SMALL_BYTES || !isValueKind(type)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
