/**
 * The generic node activity: one function for every tool. It gets ids, resolves everything else itself from the warrant
 * and *completed* ledger rows (I5), and is safe to run twice: the ledger decides which execution counts.
 */
import type { ToolResult } from '../catalog/tool.ts';
import type { RunRow } from '../ledger/port.ts';
import { nodeInput, type NodeInput, type NodeResult } from '../orchestration/messages.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { operationKey } from '../plan/operationKey.ts';
import { argsDigest } from '../plan/operationKey.ts';
import { reserveWhenFree } from '../runs/owner.ts';
import type { Services } from '../runs/services.ts';
import { warrantedPlan } from '../runs/warranted.ts';
import { gatherInputs, type Gathered } from './gather.ts';
import { authorizeNode } from './authorizeNode.ts';
import { Lease } from './lease.ts';
import { parseInput } from './parse.ts';
import { answer, asNodeError, shortError } from './result.ts';
import { storeOutputs } from './storeOutputs.ts';

/** The owner lease is short and renewed while the tool runs: after a crash the next execution need not wait long. */
export const OWNER_MS = 5_000;
const PATIENCE_MS = 30_000;

export async function node(services: Services, input: unknown): Promise<NodeResult> {
  const request = parseInput(nodeInput, input, 'node');
  const { nodeId, item, attempt } = request;
  try {
    const outputs = await execute(services, request);
    return answer({ version: 1, state: 'done', nodeId, item, attempt, outputs });
  } catch (error) {
    const failure = shortError(asNodeError(error));
    if (!(error instanceof ToolError))
      services.log.nodeFailed({ runId: request.runId, nodeId, code: failure.code, message: failure.message });
    return { version: 1, state: 'failed', nodeId, item, attempt, error: failure };
  }
}

async function execute(services: Services, request: NodeInput): Promise<Record<string, string>> {
  const { ledger, catalog } = services;
  const { runId, nodeId, item, attempt } = request;
  const run = await ledger.getRun(runId);
  if (run === undefined) throw new ToolError('STATE_INVALID', 'The run is not in the ledger.', { class: 'unexpected' });
  const warranted = await warrantedPlan(ledger, runId, request.revision, request.warrant, services.now());
  const planned = warranted.plan.nodes.find((candidate) => candidate.id === nodeId);
  if (planned === undefined) throw new ToolError('WARRANT_MISMATCH', 'The plan of this warrant has no such node.');
  const tool = catalog.get(planned.tool);
  if (tool === undefined || warranted.notes.tools[planned.tool] !== tool.version) {
    throw new ToolError(
      'TOOL_REMOVED',
      `${planned.tool} is no longer the tool this plan was validated against. Start a new run.`,
    );
  }
  await authorizeNode(services, run, tool);

  const gathered = await gatherInputs(services, run, warranted, planned, tool);
  const key = operationKey({ tenant: run.tenant, runId, revision: request.revision, nodeId, item, action: 'do' });
  const reserved = await reserveWhenFree(
    ledger,
    {
      operationKey: key,
      runId,
      nodeId,
      item,
      planDigest: warranted.planDigest,
      argsDigest: argsDigest({ tool: tool.name, version: tool.version, ...gathered.fingerprint }),
      tool: tool.name,
      effect: tool.effect,
      attempt,
      ownerMs: OWNER_MS,
      by: request.by,
      decisions: request.decisions,
    },
    { now: () => services.now(), patienceMs: PATIENCE_MS },
  );
  switch (reserved.outcome) {
    case 'completed':
      return Object.fromEntries(reserved.artifacts.map((row) => [row.output, row.id]));
    case 'failed':
      throw storedFailure(reserved.row);
    case 'conflict':
      throw new ToolError('OPERATION_CONFLICT', 'This node was reserved before with other arguments.');
    case 'held':
    case 'stopped':
      throw new ToolError('CANCELLED', 'The run was stopped before this node started.');
    case 'reserved':
      return runOwned(services, run, request, { key, token: reserved.fencingToken, gathered });
  }
}

interface Owned {
  readonly key: string;
  readonly token: number;
  readonly gathered: Gathered;
}

async function runOwned(
  services: Services,
  run: RunRow,
  request: NodeInput,
  owned: Owned,
): Promise<Record<string, string>> {
  const { ledger } = services;
  const lease = new Lease(services, run, owned.key, owned.token, OWNER_MS);
  let result: ToolResult | undefined;
  try {
    result = await services.tools.run(owned.gathered.tool.name, owned.gathered.toolRun, {
      signal: lease.signal,
      timeoutMs: owned.gathered.timeoutMs,
      memoryMb: owned.gathered.tool.limits.memoryMb,
      operation: {
        runId: run.runId,
        nodeId: request.nodeId,
        item: request.item,
        attempt: request.attempt,
        operationKey: owned.key,
      },
    });
    requireChecks(result);
    const artifacts = await storeOutputs(services, run, request, owned.gathered, result);
    const resultDigest = argsDigest(artifacts.map((row) => [row.output, row.sha256]));
    const written = await ledger.complete(owned.key, owned.token, {
      artifacts,
      resultDigest,
      checks: result.checks,
      now: services.now(),
    });
    if (!written)
      throw new ToolError('STORE_UNAVAILABLE', 'Another execution of this node took over.', { class: 'transient' });
    return Object.fromEntries(artifacts.map((row) => [row.output, row.id]));
  } catch (error) {
    const failure = shortError(lease.reason() ?? asNodeError(error));
    await ledger.fail(owned.key, owned.token, { error: failure, checks: result?.checks ?? [], now: services.now() });
    throw asToolError(failure);
  } finally {
    lease.release();
  }
}

/** A fatal check that failed is a failure of the node: its result must not flow on. */
function requireChecks(result: ToolResult): void {
  const failed = result.checks.find((check) => !check.passed && check.severity !== 'report');
  if (failed !== undefined) throw new ToolError('CHECK_FAILED', `${failed.name}: ${failed.detail}`);
}

function storedFailure(row: {
  readonly errorCode: string | null;
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
}): ToolError {
  return asToolError({
    code: (row.errorCode ?? 'TOOL_FAILED') as NodeError['code'],
    class: (row.errorClass ?? 'permanent') as NodeError['class'],
    message: row.errorMessage ?? '',
  });
}

function asToolError(error: NodeError): ToolError {
  return new ToolError(error.code, error.message, {
    class: error.class,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}
