import type { z } from 'zod';
import { outcomeOf } from '../ledger/outcome.ts';
import { StateInvalid, TERMINAL_STATUSES, type OperationRow, type RunProjection } from '../ledger/port.ts';
import { finishInput, type finishResult } from '../orchestration/messages.ts';
import type { NodeError } from '../plan/errors.ts';
import type { Services } from '../runs/services.ts';
import { SYSTEM_NODES, systemArtifact } from '../runs/systemArtifact.ts';
import { openPlanRow } from '../runs/warranted.ts';
import type { Report } from '../verification/report.ts';
import { terminalStatus, type NodeFacts, type RunFacts } from '../verification/runStatus.ts';
import { parseInput } from './parse.ts';

type Result = z.infer<typeof finishResult>;

/**
 * Ends the run once: the status is recomputed from the ledger alone (I10), whatever the orchestrator believed. The
 * error it was stopped by is recorded for people. A second call answers the row as it is.
 */
export async function finish(services: Services, input: unknown): Promise<Result> {
  const { runId, by, decisions, error } = parseInput(finishInput, input, 'finish');
  await services.ledger.recordDecisions(runId, by, decisions, services.now());
  const projection = await services.ledger.project(runId);
  if (projection === undefined) throw new StateInvalid(`run ${runId} is not in the ledger`);
  if (TERMINAL_STATUSES.has(projection.run.status)) return { version: 1, status: projection.run.status };

  const report = await storedReport(services, projection);
  const status = terminalStatus(factsOf(projection, error, report));
  const recorded: NodeError | null =
    status === 'succeeded' || error === null
      ? null
      : ({ ...error, code: error.code as NodeError['code'] } as NodeError);
  const run = await services.ledger.finishRun(runId, {
    status,
    headline: report?.headline ?? null,
    error: recorded,
    now: services.now(),
    by,
    decisions: [],
  });
  return { version: 1, status: run.status };
}

const REFUSALS: ReadonlySet<string> = new Set(['PLAN_INVALID', 'NO_PLAN', 'PLANNING_EXHAUSTED']);

/** The facts that the status is a function of. Exported for tests. */
export function factsOf(
  projection: RunProjection,
  error: { readonly code: string } | null,
  report: Pick<Report, 'checks'> | undefined,
): RunFacts {
  const operations = new Map(projection.operations.filter((row) => row.item === -1).map((row) => [row.nodeId, row]));
  const plan = projection.plan === null ? undefined : openPlanRow(projection.plan).plan;
  return {
    control: projection.run.control,
    warranted: plan !== undefined,
    refused: error !== null && REFUSALS.has(error.code),
    nodes: (plan?.nodes ?? []).map((node) => ({ nodeId: node.id, operation: operationFact(operations.get(node.id)) })),
    verification: report === undefined ? null : report.checks.every((check) => check.passed) ? 'passed' : 'failed',
  };
}

function operationFact(row: OperationRow | undefined): NodeFacts['operation'] {
  return row === undefined ? null : outcomeOf(row.state);
}

async function storedReport(services: Services, projection: RunProjection): Promise<Report | undefined> {
  const found = await systemArtifact(services, projection.run, SYSTEM_NODES.verify, 'report').read();
  return found === undefined ? undefined : (JSON.parse(found.text) as Report);
}
