/**
 * The generic node activity: one function for every tool. It gets ids, resolves everything else itself from the warrant
 * and *completed* ledger rows (I5), and is safe to run twice: the ledger decides which execution counts.
 */
import type { NewInstance } from '../ledger/port.ts';
import { nodeInput, type NodeInput, type NodeResult } from '../orchestration/messages.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { argsDigest, childInstanceId } from '../plan/operationKey.ts';
import { reserveWhenFree } from '../runs/owner.ts';
import type { Services } from '../runs/services.ts';
import { authorizeNode } from './authorizeNode.ts';
import { backoffOf } from './backoff.ts';
import { lackedBy, skippedBy } from './condition.ts';
import { openNode, type NodeContext } from './nodeContext.ts';
import { nodeInputs, type NodeInputs } from './nodeInputs.ts';
import { parseInput } from './parse.ts';
import { recordRefusal } from './refusal.ts';
import { answer, asNodeError, failureOf, type Unnamed } from './result.ts';
import { outputIds, OWNER_MS, PATIENCE_MS, runOwned, storedFailure } from './runTool.ts';
import { earlierResult, takeOver } from './takeOver.ts';

type Answer = Unnamed<NodeResult>;

export async function node(services: Services, input: unknown): Promise<NodeResult> {
  const request = parseInput(nodeInput, input, 'node');
  const { nodeId, item, attempt } = request;
  const named = (result: Answer): NodeResult => answer({ version: 1, nodeId, item, attempt, ...result });
  let context: NodeContext | undefined;
  try {
    context = await openNode(services, request);
    return named(await execute(services, context, request));
  } catch (error) {
    const failure = failureOf(services, request, error);
    return named({ state: 'failed', error: failure, ...(await backoff(services, context, failure)) });
  }
}

/** The child for the back-off; while the store is away a timer must do. */
async function backoff(
  services: Services,
  context: NodeContext | undefined,
  failure: NodeError,
): Promise<{
  readonly backoff?: { readonly instanceId: string; readonly until: number };
}> {
  if (context === undefined) return {};
  try {
    const child = await backoffOf(services, context, failure);
    return child === undefined ? {} : { backoff: child };
  } catch {
    return {};
  }
}

async function execute(services: Services, context: NodeContext, request: NodeInput): Promise<Answer> {
  const { tool } = context;
  const due = request.phase === 'end' ? await dueOf(services, context) : undefined;
  if (due !== undefined && services.now() < due.until) return { state: 'wait', ...due };

  let inputs: NodeInputs;
  try {
    await authorizeNode(services, context.run, tool);
    const lacked = await lackedBy(services, context);
    if (lacked !== null) return await skip(services, context, request, lacked.reason, lacked.kind);
    const reason = await skippedBy(services, context, request.decisions);
    if (reason !== null) return await skip(services, context, request, reason);
    inputs = await nodeInputs(services, context);
  } catch (error) {
    if ((await recordRefusal(services, context, request, asNodeError(error))) === 'held') return { state: 'held' };
    throw error;
  }
  const digest = argsDigest({ tool: tool.name, version: tool.version, ...inputs.fingerprint });
  const earlier = due === undefined ? await earlierResult(services, context, digest) : undefined;
  const child = due === undefined && earlier === undefined ? await childOf(services, context, inputs) : undefined;
  const reserved = await reserveWhenFree(
    services.ledger,
    {
      operationKey: context.operationKey,
      runId: request.runId,
      nodeId: request.nodeId,
      item: request.item,
      planDigest: context.warranted.planDigest,
      argsDigest: digest,
      tool: tool.name,
      effect: tool.effect,
      attempt: request.attempt,
      ownerMs: child === undefined ? OWNER_MS : 0,
      by: request.by,
      decisions: request.decisions,
      ...(child === undefined ? {} : { child }),
    },
    { now: () => services.now(), patienceMs: PATIENCE_MS },
  );
  switch (reserved.outcome) {
    case 'completed':
      return { state: 'done', outputs: outputIds(reserved.artifacts) };
    case 'failed':
      throw storedFailure(reserved.row);
    case 'conflict':
      throw new ToolError('OPERATION_CONFLICT', 'This node was reserved before with other arguments.');
    case 'held':
      return { state: 'held' };
    case 'stopped':
      throw new ToolError('CANCELLED', 'The run was stopped before this node started.');
    case 'reserved':
      break;
  }
  if (child !== undefined) {
    const row = reserved.child ?? child;
    if (child.kind === 'job') return { state: 'job', instanceId: row.instanceId };
    return { state: 'wait', until: row.until ?? child.until ?? 0, instanceId: row.instanceId };
  }
  const token = reserved.fencingToken;
  if (earlier !== undefined) return { state: 'done', outputs: await takeOver(services, context, earlier, token) };
  const outputs = await runOwned(services, context, inputs, token, due?.until);
  // A timer waited in its place: nothing will ever run it.
  if (due !== undefined) await services.ledger.moveInstance(due.instanceId, 'ended', services.now());
  return { state: 'done', outputs };
}

async function skip(
  services: Services,
  context: NodeContext,
  request: NodeInput,
  reason: string,
  kind: 'skippedByCondition' | 'skippedByFailure' = 'skippedByCondition',
): Promise<Answer> {
  const { nodeId, item, runId } = request;
  const now = services.now();
  if (request.decisions.length > 0) await services.ledger.recordDecisions(runId, request.by, request.decisions, now);
  const by = `when:${nodeId}:${String(item)}`;
  const short = reason.slice(0, 200);
  await services.ledger.recordDecisions(
    context.run.runId,
    by,
    [{ seq: 1, nodeId, item, kind, attempt: 0, reason: short }],
    now,
  );
  return { state: 'skipped', reason: short };
}

/** The recorded child that settles a wait or a remote job; undefined for a tool that works at once. */
async function childOf(services: Services, context: NodeContext, inputs: NodeInputs): Promise<NewInstance | undefined> {
  const { ids, tool, run } = context;
  const { nodeId, item, revision, attempt, runId } = ids;
  const row = {
    instanceId: childInstanceId(runId, { nodeId, item, revision, attempt }),
    runId,
    revision,
    nodeId,
    item,
    attempt,
    to: null,
  };
  if (tool.job !== undefined) return { ...row, kind: 'job', until: null };
  if (tool.wait === undefined) return undefined;
  const until = (await begunWait(services, context)) ?? tool.wait(inputs.toolRun.args, services.now());
  return { ...row, kind: 'sleep', until: Math.round(Math.min(until, run.deadlineAt ?? until)) };
}

/** When a wait ends that an earlier attempt began: its time has run since then, whatever failed afterwards. */
async function begunWait(services: Services, { ids }: NodeContext): Promise<number | undefined> {
  const { nodeId, item, revision, runId } = ids;
  for (let attempt = 1; attempt < ids.attempt; attempt += 1) {
    const row = await services.ledger.getInstance(childInstanceId(runId, { nodeId, item, revision, attempt }));
    if (row?.kind === 'sleep' && row.runId === runId && row.until !== null) return row.until;
  }
  return undefined;
}

/** The recorded end of a wait. Without a row nothing was reserved: the attempt begins. */
async function dueOf(
  services: Services,
  { ids }: NodeContext,
): Promise<{ readonly until: number; readonly instanceId: string } | undefined> {
  const { nodeId, item, revision, attempt, runId } = ids;
  const instanceId = childInstanceId(runId, { nodeId, item, revision, attempt });
  const row = await services.ledger.getInstance(instanceId);
  return row?.kind === 'sleep' && row.runId === runId && row.until !== null
    ? { until: row.until, instanceId }
    : undefined;
}
