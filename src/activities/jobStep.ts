/**
 * One round of the child that follows a remote job. Everything is decided from the ledger alone: a job is submitted once
 * its intent stands there, looked for before it could be submitted a second time, collected and checked as soon as it
 * has ended, and asked to stop when the run stops (O-09, I7).
 */
import { isStopped, outcomeOf } from '../ledger/outcome.ts';
import type { ArtifactRow, InstanceRow, OperationRow, RunRow } from '../ledger/port.ts';
import { childInput, type ChildStepResult, type NodeResult } from '../orchestration/messages.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { operationKey } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import { authorizeNode } from './authorizeNode.ts';
import { backoffOf } from './backoff.ts';
import { Job } from './job.ts';
import { openNode, type NodeContext } from './nodeContext.ts';
import { nodeInputs } from './nodeInputs.ts';
import { parseInput } from './parse.ts';
import { answer, asNodeError, shortError } from './result.ts';
import { outputIds, OWNER_MS, storedFailure, type Outputs } from './runTool.ts';

type Named = Pick<InstanceRow, 'nodeId' | 'item' | 'attempt'>;

const AWAY_MS = 5_000;

export async function jobStep(services: Services, input: unknown): Promise<ChildStepResult> {
  const { runId, instanceId } = parseInput(childInput, input, 'jobStep');
  const { ledger } = services;
  const instance = await ledger.getInstance(instanceId);
  if (instance?.kind !== 'job' || instance.runId !== runId) return { version: 1, state: 'end', reason: 'unexpected' };
  if (instance.state === 'planned') await ledger.moveInstance(instanceId, 'live', services.now());
  const run = await ledger.getRun(runId);
  if (run === undefined || run.warrantDigest === null) return { version: 1, state: 'end', reason: 'unexpected' };

  let context: NodeContext;
  try {
    const { revision, nodeId, item, attempt } = instance;
    const ids = { runId, revision, warrant: run.warrantDigest, nodeId, item, attempt };
    context = await openNode(services, ids, { begun: true });
  } catch (error) {
    const failure = shortError(asNodeError(error));
    if (failure.class === 'transient') throw error;
    return abandon(services, run, instance, failure);
  }
  const followed = await ledger.follow(context.operationKey, services.now(), OWNER_MS);
  if (followed.outcome === 'settled')
    return end(services, instance, await resultOf(services, context, followed.row, followed.artifacts));
  const wait = (until: number): ChildStepResult => ({
    version: 1,
    state: 'wait',
    until: Math.max(until, services.now() + 1),
    seq: run.controlSeq,
  });
  if (followed.outcome === 'busy') return wait(followed.ownerUntil);
  const { fencingToken, row } = followed;
  // A newer attempt has opened the row again: its own child follows it.
  if (row.attempt > instance.attempt) {
    await ledger.release(context.operationKey, fencingToken, services.now());
    return { version: 1, state: 'end', reason: 'unexpected' };
  }

  const job = new Job(services, context, row, fencingToken);
  try {
    const next = await job.step(await stopOf(services, context), () => nodeInputs(services, context));
    if (next !== 'settled') {
      // The lease is given back: the next round of this child need not wait for it to run out.
      await ledger.release(context.operationKey, fencingToken, services.now());
      return wait(Math.min(services.now() + next.afterMs, run.deadlineAt ?? Number.POSITIVE_INFINITY));
    }
  } catch (error) {
    const failure = asNodeError(error);
    services.log.nodeFailed({ runId, nodeId: instance.nodeId, code: failure.code, message: failure.message });
    if (failure.class !== 'transient') throw error;
    return wait(services.now() + AWAY_MS);
  }
  const settled = await ledger.getOperation(context.operationKey);
  if (settled === undefined || outcomeOf(settled.state) === 'open') return wait(services.now() + AWAY_MS);
  const artifacts = await ledger.artifactsOf(runId, instance.nodeId, instance.item);
  return end(services, instance, await resultOf(services, context, settled, artifacts));
}

/** Why the job must end now; null while it may go on. A right that was taken away ends it too. */
async function stopOf(services: Services, { run, tool }: NodeContext): Promise<NodeError | null> {
  if (isStopped(run)) return { code: 'CANCELLED', class: 'permanent', message: 'The run was stopped.' };
  if (run.deadlineAt !== null && services.now() >= run.deadlineAt)
    return { code: 'JOB_TIMED_OUT', class: 'permanent', message: 'The deadline of the run has passed.' };
  try {
    await authorizeNode(services, run, tool);
    return null;
  } catch (error) {
    if (error instanceof ToolError && error.class === 'denied') return error.toNodeError();
    throw error;
  }
}

/**
 * The plan or the tool can't be opened any more, and nobody can ask the service: the ledger is told, so that the row does
 * not stay open. Whether a job that may have been submitted goes on there is not known.
 */
async function abandon(
  services: Services,
  run: RunRow,
  instance: InstanceRow,
  failure: NodeError,
): Promise<ChildStepResult> {
  const { ledger } = services;
  const { runId, nodeId, item, revision } = instance;
  const key = operationKey({ tenant: run.tenant, runId, revision, nodeId, item, action: 'do' });
  const followed = await ledger.follow(key, services.now(), OWNER_MS);
  if (followed.outcome === 'busy')
    return { version: 1, state: 'wait', until: Math.max(followed.ownerUntil, services.now() + 1), seq: run.controlSeq };
  if (followed.outcome === 'settled') {
    const outputs = outcomeOf(followed.row.state) === 'completed' ? outputIds(followed.artifacts) : undefined;
    return end(services, instance, outputs === undefined ? failedAs(instance, failure) : doneAs(instance, outputs));
  }
  const { row, fencingToken } = followed;
  if (row.attempt > instance.attempt) {
    await ledger.release(key, fencingToken, services.now());
    return { version: 1, state: 'end', reason: 'unexpected' };
  }
  const untouched = row.state === 'reserved' && fencingToken <= 2;
  const error: NodeError = untouched ? failure : { ...failure, class: 'unknown' };
  await ledger.fail(key, fencingToken, { error, checks: [], now: services.now() });
  return end(services, instance, failedAs(instance, error));
}

async function resultOf(
  services: Services,
  context: NodeContext,
  row: OperationRow,
  artifacts: readonly ArtifactRow[],
): Promise<NodeResult> {
  const { nodeId, item, attempt } = context.ids;
  if (outcomeOf(row.state) === 'completed') return doneAs(context.ids, outputIds(artifacts));
  const failure = shortError(storedFailure(row).toNodeError());
  const backoff = await backoffOf(services, context, failure);
  return answer({
    version: 1,
    nodeId,
    item,
    attempt,
    state: 'failed',
    error: failure,
    ...(backoff === undefined ? {} : { backoff }),
  });
}

function doneAs({ nodeId, item, attempt }: Named, outputs: Outputs): NodeResult {
  return answer({ version: 1, nodeId, item, attempt, state: 'done', outputs: { ...outputs } });
}

function failedAs({ nodeId, item, attempt }: Named, error: ReturnType<typeof shortError>): NodeResult {
  return answer({ version: 1, nodeId, item, attempt, state: 'failed', error });
}

async function end(services: Services, { instanceId }: InstanceRow, result: NodeResult): Promise<ChildStepResult> {
  await services.ledger.moveInstance(instanceId, 'ended', services.now());
  return { version: 1, state: 'end', reason: 'settled', result };
}
