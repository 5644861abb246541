import { gatheredType, isValueKind } from '../catalog/gathered.ts';
import { joinLabels } from '../catalog/labels.ts';
import type { Labels, ToolResult } from '../catalog/tool.ts';
import type { ArtifactRow, ExpansionRow } from '../ledger/port.ts';
import { gatherInput, type NodeResult } from '../orchestration/messages.ts';
import { ToolError } from '../plan/errors.ts';
import { argsDigest } from '../plan/operationKey.ts';
import type { JsonValue } from '../plan/types.ts';
import { reserveWhenFree } from '../runs/owner.ts';
import type { Services } from '../runs/services.ts';
import { headOf } from '../runs/warranted.ts';
import type { z } from 'zod';
import { authorizeNode } from './authorizeNode.ts';
import { openNode, type NodeContext } from './nodeContext.ts';
import { parseInput } from './parse.ts';
import { answer, failureOf } from './result.ts';
import { complete, outputIds, OWNER_MS, PATIENCE_MS, storedFailure, whileOwned, type Outputs } from './runTool.ts';
import { storeOutput } from './storeOutputs.ts';
import { artifactBytes, parseBytes } from './upstream.ts';

type Request = z.infer<typeof gatherInput>;

/** Largest gathered list. */
const MOST_BYTES = 32 * 1024 * 1024;
const READS_AT_ONCE = 16;

/**
 * Gathers the outputs of all items of a `forEach` node, in order of item, into outputs of the node itself: a JSON array
 * with the value (or, for what is no JSON, a reference to the artifact), and `null` where an item failed or was skipped.
 */
export async function gather(services: Services, input: unknown): Promise<NodeResult> {
  const request = parseInput(gatherInput, input, 'gather');
  const { nodeId, attempt } = request;
  const named = { version: 1, nodeId, item: -1, attempt } as const;
  try {
    const context = await openNode(services, { ...request, item: -1 }, { whole: true });
    await authorizeNode(services, context.run, context.tool);
    const outputs = await execute(services, context, request);
    return outputs === 'held'
      ? { ...named, state: 'held' }
      : answer({ ...named, state: 'done', outputs: { ...outputs } });
  } catch (error) {
    const failure = failureOf(services, request, error);
    return { ...named, state: 'failed', error: failure };
  }
}

async function execute(services: Services, context: NodeContext, request: Request): Promise<Outputs | 'held'> {
  const { ledger } = services;
  const { runId, nodeId, revision, by, decisions, attempt } = request;
  if (decisions.length > 0) await ledger.recordDecisions(runId, by, decisions, services.now());
  const expansion = await ledger.getExpansion(runId, revision, headOf(context.warranted, nodeId));
  if (expansion === undefined) throw new ToolError('UPSTREAM_NOT_COMPLETED', `${nodeId} has not been expanded.`);
  await requireSettled(services, context, expansion);

  const rows = await ledger.itemArtifacts(runId, nodeId);
  const { itemsDigest } = expansion;
  const found = rows.map((row) => [row.item, row.output, row.sha256]);
  const reserved = await reserveWhenFree(
    ledger,
    {
      operationKey: context.operationKey,
      runId,
      nodeId,
      item: -1,
      planDigest: context.warranted.planDigest,
      argsDigest: argsDigest({ gather: 1, itemsDigest, found }),
      tool: context.tool.name,
      effect: 'none',
      attempt,
      ownerMs: OWNER_MS,
      by,
      decisions,
    },
    { now: () => services.now(), patienceMs: PATIENCE_MS },
  );
  switch (reserved.outcome) {
    case 'completed':
      return outputIds(reserved.artifacts);
    case 'failed':
      throw storedFailure(reserved.row);
    case 'conflict':
      throw new ToolError('OPERATION_CONFLICT', 'This node was gathered before from other items.');
    case 'held':
      return 'held';
    case 'stopped':
      throw new ToolError('CANCELLED', 'The run was stopped before this node was gathered.');
    case 'reserved':
      return whileOwned(services, context, reserved.fencingToken, async () => {
        const artifacts = await gatherAll(services, context, rows, expansion.count);
        await complete(services, context, reserved.fencingToken, artifacts, { checks: [] });
        return outputIds(artifacts);
      });
  }
}

/** Every item has ended: nothing is gathered before (I5). */
async function requireSettled(services: Services, context: NodeContext, { count }: ExpansionRow): Promise<void> {
  if (count === 0) return;
  const { runId, nodeId } = context.ids;
  const counts = (await services.ledger.project(runId))?.items.find((entry) => entry.nodeId === nodeId);
  const settled = counts === undefined ? 0 : counts.completed + counts.failed + counts.unknown + counts.skipped;
  if (settled < count || (counts?.open ?? 0) > 0)
    throw new ToolError(
      'UPSTREAM_NOT_COMPLETED',
      `${nodeId}: ${String(settled)} of ${String(count)} items have ended.`,
    );
}

async function gatherAll(
  services: Services,
  context: NodeContext,
  rows: readonly ArtifactRow[],
  count: number,
): Promise<readonly ArtifactRow[]> {
  const labels = joinAll(rows);
  const made: ArtifactRow[] = [];
  const ports = Object.entries(context.tool.ports.outputs).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [output, port] of ports) {
    const own = rows.filter((row) => row.output === output);
    const parts = await elementsOf(services, own);
    const text = `[${Array.from({ length: count }, (_, item) => parts.get(item) ?? 'null').join(',')}]`;
    const bytes = new TextEncoder().encode(text);
    if (bytes.byteLength > MOST_BYTES) throw tooLarge(output, String(bytes.byteLength));
    const result: NonNullable<ReturnType<ToolResult['outputs']['get']>> = {
      bytes,
      mediaType: 'application/json',
      type: gatheredType(own[0]?.type ?? port.type),
      fileName: `${context.ids.nodeId}-${output}.json`,
    };
    made.push(await storeOutput(services, context, labels, output, result));
  }
  return made;
}

function tooLarge(output: string, bytes: string): ToolError {
  const message = `The gathered "${output}" has ${bytes} bytes; at most ${String(MOST_BYTES)} are allowed.`;
  return new ToolError('RESULT_TOO_LARGE', message);
}

/** JSON text of each item's element. Values that stand in the rows need no read. */
async function elementsOf(services: Services, rows: readonly ArtifactRow[]): Promise<ReadonlyMap<number, string>> {
  const parts = new Map<number, string>();
  const toRead: ArtifactRow[] = [];
  let length = 0;
  // Looked at on the way: thousands of large items never stand in memory together.
  const add = (item: number, text: string): void => {
    parts.set(item, text);
    length += text.length;
    if (length > MOST_BYTES) throw tooLarge(rows[0]?.output ?? '', `more than ${String(MOST_BYTES)}`);
  };
  for (const row of rows) {
    if (isValueKind(row.type)) toRead.push(row);
    else add(row.item, JSON.stringify(referenceTo(row)));
  }
  for (let from = 0; from < toRead.length; from += READS_AT_ONCE) {
    const batch = toRead.slice(from, from + READS_AT_ONCE);
    const texts = await Promise.all(batch.map((row) => textOf(services, row)));
    batch.forEach((row, i) => {
      add(row.item, texts[i] ?? 'null');
    });
  }
  return parts;
}

async function textOf(services: Services, row: ArtifactRow): Promise<string> {
  return JSON.stringify(parseBytes(await artifactBytes(services, row), `${row.nodeId}.${row.output}`));
}

/** An artifact as it is named outside the process (contracts.md "HTTP details"). */
function referenceTo({ id, sha256, bytes, mediaType, type }: ArtifactRow): { readonly [key: string]: JsonValue } {
  return { id, sha256, bytes, mediaType, type: type as unknown as JsonValue };
}

/** Most items carry the same labels: each set is joined once. */
function joinAll(rows: readonly ArtifactRow[]): Labels {
  return joinLabels([...new Map(rows.map(({ labels }) => [JSON.stringify(labels), labels])).values()]);
}
