import { outcomeOf } from '../ledger/outcome.ts';
import type { DecisionRow, OperationRow, RunProjection } from '../ledger/port.ts';
import { parseReference } from '../plan/references.ts';
import type { Plan } from '../plan/types.ts';
import type { Report } from '../verification/report.ts';
import type { NodeFacts, RunFacts } from '../verification/runStatus.ts';
import { openPlanRow } from './warranted.ts';

const REFUSALS: ReadonlySet<string> = new Set(['PLAN_INVALID', 'NO_PLAN', 'PLANNING_EXHAUSTED']);

/**
 * The facts that the status is a function of, read from a projection.
 * @param missing declared outputs whose path leads nowhere, beside those whose artifact is missing
 */
export function factsOf(
  projection: RunProjection,
  error: { readonly code: string } | null,
  report: Pick<Report, 'checks'> | undefined,
  missing: readonly string[] = [],
): RunFacts {
  const { run } = projection;
  const plan = projection.plan === null ? undefined : openPlanRow(projection.plan).plan;
  return {
    control: run.control,
    stopping: run.stopping !== null,
    warranted: plan !== undefined,
    refused: error !== null && REFUSALS.has(error.code),
    nodes: plan === undefined ? [] : nodeFacts(projection, plan),
    missingOutputs: plan === undefined ? [] : [...new Set([...missingOutputs(projection, plan), ...missing])].sort(),
    verification: report === undefined ? null : report.checks.every((check) => check.passed) ? 'passed' : 'failed',
  };
}

function nodeFacts(projection: RunProjection, plan: Plan): readonly NodeFacts[] {
  const operations = new Map(projection.operations.filter((row) => row.item === -1).map((row) => [row.nodeId, row]));
  const skips = skipsOf(projection.decisions);
  const items = new Map(projection.items.map((counts) => [counts.nodeId, counts]));
  return plan.nodes.map((node) => {
    const counts = items.get(node.id);
    return {
      nodeId: node.id,
      operation: operationFact(operations.get(node.id)),
      skipped: skips.get(node.id) ?? null,
      soft: node.onFailure === 'continue',
      failedItems: counts === undefined ? 0 : counts.failed + counts.unknown,
    };
  });
}

/** Decisions about whole nodes; one by condition stands against one by failure. */
function skipsOf(decisions: readonly DecisionRow[]): ReadonlyMap<string, 'condition' | 'failure'> {
  const skips = new Map<string, 'condition' | 'failure'>();
  for (const { nodeId, item, kind } of decisions) {
    if (item !== -1) continue;
    if (kind === 'skippedByCondition') skips.set(nodeId, 'condition');
    else if (kind === 'skippedByFailure' && !skips.has(nodeId)) skips.set(nodeId, 'failure');
  }
  return skips;
}

/** Names of declared outputs without a default whose artifact is not there. */
function missingOutputs(projection: RunProjection, plan: Plan): readonly string[] {
  const there = new Set(
    projection.artifacts.filter(({ item }) => item === -1).map(({ nodeId, output }) => `${nodeId}.${output}`),
  );
  return Object.entries(plan.outputs).flatMap(([name, reference]) => {
    const target = parseReference(reference.ref);
    if (target?.kind !== 'node' || reference.default !== undefined) return [];
    return there.has(`${target.nodeId}.${target.output}`) ? [] : [name];
  });
}

function operationFact(row: OperationRow | undefined): NodeFacts['operation'] {
  return row === undefined ? null : outcomeOf(row.state);
}
