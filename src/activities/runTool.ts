import type { ToolResult, ToolRun } from '../catalog/tool.ts';
import type { ArtifactRow } from '../ledger/port.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { argsDigest } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import { requireExpected } from './condition.ts';
import { Lease } from './lease.ts';
import type { NodeContext } from './nodeContext.ts';
import type { NodeInputs } from './nodeInputs.ts';
import { asNodeError, shortError } from './result.ts';
import { storeOutputs } from './storeOutputs.ts';

/** The owner lease is short and renewed while the tool runs: after a crash the next execution need not wait long. */
export const OWNER_MS = 5_000;
/** How long an execution waits for another one of the same operation to end or to lose its lease. */
export const PATIENCE_MS = 30_000;

export type Outputs = Readonly<Record<string, string>>;

export const outputIds = (artifacts: readonly ArtifactRow[]): Outputs =>
  Object.fromEntries(artifacts.map((row) => [row.output, row.id]));

/** Runs the tool of an operation that is ours and settles it. Throws the failure that was recorded. */
export async function runOwned(
  services: Services,
  context: NodeContext,
  inputs: NodeInputs,
  token: number,
  until?: number,
): Promise<Outputs> {
  const { tool, ids, operationKey } = context;
  const toolRun: ToolRun<unknown> = until === undefined ? inputs.toolRun : { ...inputs.toolRun, until };
  return whileOwned(services, context, token, async (lease) => {
    const { runId, nodeId, item, attempt } = ids;
    const result = await services.tools.run(tool.name, toolRun, {
      signal: lease.signal,
      timeoutMs: inputs.timeoutMs,
      memoryMb: tool.limits.memoryMb,
      operation: { runId, nodeId, item, attempt, operationKey },
    });
    return completeWith(services, context, inputs, token, result);
  });
}

/** Checks a result, stores it and completes the operation in one ledger transaction. */
export async function completeWith(
  services: Services,
  context: NodeContext,
  inputs: Pick<NodeInputs, 'labels'>,
  token: number,
  result: ToolResult,
): Promise<Outputs> {
  try {
    requireChecks(result);
    await requireExpected(context, result);
  } catch (error) {
    throw new CheckedFailure(error, result);
  }
  const artifacts = await storeOutputs(services, context, inputs.labels, result);
  await complete(services, context, token, artifacts, result);
  return outputIds(artifacts);
}

export async function complete(
  services: Services,
  context: NodeContext,
  token: number,
  artifacts: readonly ArtifactRow[],
  { checks }: Pick<ToolResult, 'checks'>,
): Promise<void> {
  const written = await services.ledger.complete(context.operationKey, token, {
    artifacts,
    resultDigest: argsDigest(artifacts.map((row) => [row.output, row.sha256])),
    checks,
    now: services.now(),
  });
  if (!written)
    throw new ToolError('STORE_UNAVAILABLE', 'Another execution of this node took over.', { class: 'transient' });
}

/** A failure that comes with the checks that were made. */
class CheckedFailure extends Error {
  readonly failure: unknown;
  readonly result: ToolResult;
  constructor(failure: unknown, result: ToolResult) {
    super('a check failed');
    this.failure = failure;
    this.result = result;
  }
}

/** Works under the owner lease; a failure is recorded and thrown as what was recorded. */
export async function whileOwned<T>(
  services: Services,
  context: NodeContext,
  token: number,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = new Lease(services, context.run, context.operationKey, token, OWNER_MS);
  try {
    return await work(lease);
  } catch (error) {
    const checked = error instanceof CheckedFailure;
    const failure = shortError(lease.reason() ?? asNodeError(checked ? error.failure : error));
    await services.ledger.fail(context.operationKey, token, {
      error: failure,
      checks: checked ? error.result.checks : [],
      now: services.now(),
    });
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

export function storedFailure(row: {
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

export function asToolError(error: NodeError): ToolError {
  return new ToolError(error.code, error.message, {
    class: error.class,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}
