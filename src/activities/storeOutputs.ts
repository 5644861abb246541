import { markedFileName } from '../artifacts/fileNames.ts';
import { artifactBlobName } from '../artifacts/names.ts';
import type { ToolResult } from '../catalog/tool.ts';
import type { ArtifactRow, RunRow } from '../ledger/port.ts';
import type { NodeInput } from '../orchestration/messages.ts';
import { ToolError } from '../plan/errors.ts';
import { artifactId } from '../plan/operationKey.ts';
import { sha256Hex } from '../plan/sha256.ts';
import type { Services } from '../runs/services.ts';
import type { Gathered } from './gather.ts';

/**
 * Writes the outputs under content-addressed, create-only names and describes them for the ledger. The rows become
 * visible only with `complete`: a crash in between leaves bytes that the next execution finds equal.
 */
export async function storeOutputs(
  services: Services,
  run: RunRow,
  request: Pick<NodeInput, 'runId' | 'nodeId' | 'item'>,
  gathered: Gathered,
  result: ToolResult,
): Promise<readonly ArtifactRow[]> {
  const { tool, labels } = gathered;
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
    const sha256 = sha256Hex(made.bytes);
    const { runId, nodeId, item } = request;
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
      value: null,
      createdAt: services.now(),
    };
    await services.store.put(row.blobName, made.bytes, row.mediaType, sha256);
    rows.push(row);
  }
  return rows;
}
