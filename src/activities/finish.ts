import type { z } from 'zod';
import { StateInvalid, TERMINAL_STATUSES, type RunProjection } from '../ledger/port.ts';
import { finishInput, type finishResult } from '../orchestration/messages.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { parseReference, stepIntoValue, walkPath } from '../plan/references.ts';
import { factsOf } from '../runs/facts.ts';
import type { Engine } from '../runs/engine.ts';
import { inBatches } from '../runs/inBatches.ts';
import type { Services } from '../runs/services.ts';
import { SYSTEM_NODES, systemArtifact } from '../runs/systemArtifact.ts';
import { wakeChildren } from '../runs/wake.ts';
import { openPlanRow } from '../runs/warranted.ts';
import type { Report } from '../verification/report.ts';
import { terminalStatus, type RunFacts, type TerminalStatus } from '../verification/runStatus.ts';
import { closeWaits } from './closeWaits.ts';
import { parseInput } from './parse.ts';
import { artifactBytes, parseBytes } from './upstream.ts';

type Result = z.infer<typeof finishResult>;

/** Children that were recorded and never needed, and lanes, closed at the end. */
const MOST_CHILDREN = 5_000;
const AT_ONCE = 50;

/**
 * Ends the run once: the status is recomputed from the ledger alone (I10), whatever the orchestrator believed. The
 * error it was stopped by is recorded for people. A second call answers the row as it is.
 * @param engine wakes children that still wait: without it they end when they look the next time
 */
export async function finish(services: Services, input: unknown, engine?: Engine): Promise<Result> {
  const { runId, by, decisions, error } = parseInput(finishInput, input, 'finish');
  const { ledger } = services;
  await ledger.recordDecisions(runId, by, decisions, services.now());
  const before = await ledger.project(runId);
  if (before === undefined) throw new StateInvalid(`run ${runId} is not in the ledger`);
  const ended = TERMINAL_STATUSES.has(before.run.status);
  const closed = ended ? 0 : await closeWaits(services, before);
  const projection = closed === 0 ? before : ((await ledger.project(runId)) ?? before);
  if (!ended) {
    const report = await storedReport(services, projection);
    const facts = factsOf(projection, error, report, await pathsToNothing(services, projection));
    const status = terminalStatus(facts);
    await ledger.finishRun(runId, {
      status,
      headline: report?.headline ?? null,
      error: recordedError(status, error, facts),
      now: services.now(),
      by,
      decisions: [],
    });
  }
  const run = await ledger.getRun(runId);
  await closeChildren(services, runId, by === projection.run.instanceId);
  if (engine !== undefined && run !== undefined) await wakeChildren(services, engine, runId, run.controlSeq + 1);
  return { version: 1, status: run?.status ?? projection.run.status };
}

function recordedError(
  status: TerminalStatus,
  error: z.infer<typeof finishInput>['error'],
  { missingOutputs, nodes }: RunFacts,
): NodeError | null {
  if (status === 'succeeded') return null;
  // Codes of the orchestrator's own stand among the node errors; the ledger keeps them as text.
  if (error !== null) return { ...error, code: error.code as NodeError['code'] } as NodeError;
  if (status !== 'failed') return null;
  if (missingOutputs.length === 0) {
    const open = nodes.filter(({ operation, skipped }) => operation !== 'completed' && skipped === null);
    const named = open.map(({ nodeId }) => nodeId).slice(0, 20);
    const what = named.length === 0 ? 'although nothing is on record that failed' : `without ${named.join(', ')}`;
    return { code: 'STATE_INVALID', class: 'unexpected', message: `The run ended ${what}. Try it again.` };
  }
  const names = missingOutputs.slice(0, 20).join(', ');
  const message = `The run ended without ${missingOutputs.length === 1 ? 'its output' : 'its outputs'} ${names}.`;
  return { code: 'EMPTY_RESULT', class: 'permanent', message: message.slice(0, 1000) };
}

/** Declared outputs, without a default, whose artifact is there but not what their path names in it. */
async function pathsToNothing(services: Services, projection: RunProjection): Promise<readonly string[]> {
  if (projection.plan === null) return [];
  const { plan } = openPlanRow(projection.plan);
  const missing: string[] = [];
  for (const [name, reference] of Object.entries(plan.outputs)) {
    const target = parseReference(reference.ref);
    if (target?.kind !== 'node' || target.path.length === 0 || reference.default !== undefined) continue;
    const { nodeId, output, path } = target;
    const row = projection.artifacts.find((one) => one.nodeId === nodeId && one.output === output && one.item === -1);
    if (row === undefined) continue;
    try {
      const value = parseBytes(await artifactBytes(services, row), reference.ref);
      if (!walkPath(value, path, stepIntoValue).ok) missing.push(name);
    } catch (error) {
      // A lost or changed artifact is for the verification to say.
      if (!(error instanceof ToolError) || error.class === 'transient') throw error;
    }
  }
  return missing;
}

/** @param own the run's instance asks: it has awaited every lane it started */
async function closeChildren(services: Services, runId: string, own: boolean): Promise<void> {
  const { ledger } = services;
  const open = await ledger.openInstances(runId, MOST_CHILDREN);
  const over = open.filter(({ state, kind }) => state === 'planned' || (own && kind === 'lane'));
  await inBatches(over, AT_ONCE, ({ instanceId }) => ledger.moveInstance(instanceId, 'ended', services.now()));
}

async function storedReport(services: Services, projection: RunProjection): Promise<Report | undefined> {
  const found = await systemArtifact(services, projection.run, SYSTEM_NODES.verify, 'report').read();
  return found === undefined ? undefined : (JSON.parse(found.text) as Report);
}
