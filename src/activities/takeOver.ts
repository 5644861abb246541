import { artifactBlobName } from '../artifacts/names.ts';
import type { ArtifactRow } from '../ledger/port.ts';
import { artifactId, operationKey } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';
import { complete, outputIds, type Outputs } from './runTool.ts';

/**
 * A run that tries another one again takes over its completed results where nothing has changed: same node, item, tool,
 * version, arguments and inputs, and no effect. The bytes are read back, checked, and stored under this run.
 * Answers undefined when there is nothing to take over. The operation is ours under `token`.
 */
export async function takeOver(
  services: Services,
  context: NodeContext,
  argsDigest: string,
  token: number,
): Promise<Outputs | undefined> {
  const { run, tool, ids } = context;
  const fromRun = run.retryOf;
  if (fromRun === null || tool.effect !== 'none') return undefined;
  const { nodeId, item, revision, runId } = ids;
  const key = operationKey({ tenant: run.tenant, runId: fromRun, revision, nodeId, item, action: 'do' });
  const old = await services.ledger.getOperation(key);
  if (old?.state !== 'completed' || old.argsDigest !== argsDigest || old.tool !== tool.name) return undefined;
  const rows = await services.ledger.artifactsOf(fromRun, nodeId, item);
  if (rows.length === 0) return undefined;

  const taken: ArtifactRow[] = [];
  for (const row of rows) {
    const { output, sha256 } = row;
    const bytes = await services.store.read(row.blobName, { sha256, bytes: row.bytes });
    const blobName = artifactBlobName({ tenant: run.tenant, runId, nodeId, item, output, sha256 });
    await services.store.put(blobName, bytes, row.mediaType, sha256);
    taken.push({ ...row, id: artifactId(runId, nodeId, item, output), runId, blobName, createdAt: services.now() });
  }
  await services.ledger.appendEvent({
    at: services.now(),
    runId,
    type: 'node.reused',
    nodeId,
    actor: 'system',
    data: { fromRun, item, argsDigest },
  });
  await complete(services, context, token, taken, { checks: old.checks });
  return outputIds(taken);
}
