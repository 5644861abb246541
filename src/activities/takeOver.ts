import { artifactBlobName } from '../artifacts/names.ts';
import type { ArtifactRow, OperationRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { artifactId, operationKey } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';
import { complete, outputIds, whileOwned, type Outputs } from './runTool.ts';

/** A completed result of the run that is tried again, read back. */
export interface Earlier {
  readonly fromRun: string;
  readonly operation: OperationRow;
  readonly outputs: readonly { readonly row: ArtifactRow; readonly bytes: Uint8Array }[];
}

/**
 * What a run that tries another one again may take over: its completed result where nothing has changed (same node, item,
 * tool, version, arguments and inputs, and no effect), read back and checked. A finished wait or remote job counts too.
 * Undefined when there is nothing, also because its bytes are gone or damaged: then the work is done again, and an event
 * says why.
 */
export async function earlierResult(
  services: Services,
  context: NodeContext,
  argsDigest: string,
): Promise<Earlier | undefined> {
  const { run, tool, ids } = context;
  const fromRun = run.retryOf;
  if (fromRun === null || tool.effect !== 'none') return undefined;
  const { nodeId, item, revision } = ids;
  const key = operationKey({ tenant: run.tenant, runId: fromRun, revision, nodeId, item, action: 'do' });
  const operation = await services.ledger.getOperation(key);
  if (operation?.state !== 'completed' || operation.argsDigest !== argsDigest || operation.tool !== tool.name)
    return undefined;
  const outputs: { readonly row: ArtifactRow; readonly bytes: Uint8Array }[] = [];
  for (const row of await services.ledger.artifactsOf(fromRun, nodeId, item)) {
    try {
      outputs.push({ row, bytes: await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes }) });
    } catch (error) {
      if (!(error instanceof ToolError) || error.class === 'transient') throw error;
      const data = { fromRun, item, output: row.output, code: error.code };
      const event = { at: services.now(), runId: run.runId, nodeId, actor: 'system', data };
      await services.ledger.appendEvent({ ...event, type: 'node.notReused' });
      return undefined;
    }
  }
  return outputs.length === 0 ? undefined : { fromRun, operation, outputs };
}

/** Stores an earlier result under this run and completes the operation, which is ours under `token`. */
export async function takeOver(
  services: Services,
  context: NodeContext,
  { fromRun, operation, outputs }: Earlier,
  token: number,
): Promise<Outputs> {
  const { run, ids } = context;
  const { nodeId, item, runId } = ids;
  return whileOwned(services, context, token, async () => {
    const taken: ArtifactRow[] = [];
    for (const { row, bytes } of outputs) {
      const { output, sha256 } = row;
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
      data: { fromRun, item, argsDigest: operation.argsDigest },
    });
    await complete(services, context, token, taken, { checks: operation.checks });
    return outputIds(taken);
  });
}
