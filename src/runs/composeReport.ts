import type { Labels } from '../catalog/tool.ts';
import { joinLabels } from '../catalog/labels.ts';
import type { ArtifactRow, RunProjection } from '../ledger/port.ts';
import { outcomeOf } from '../ledger/outcome.ts';
import { ToolError } from '../plan/errors.ts';
import { recountExposure } from '../verification/recount.ts';
import {
  exposureHeadline,
  exposureStatement,
  exposureSummary,
  reportText,
  type Claim,
  type ExposureSummary,
  type Report,
  type ReportCheck,
  type ReportStep,
} from '../verification/report.ts';
import { itemChecks } from './itemChecks.ts';
import { projectNodes, type NodeView } from './projection.ts';
import type { Services } from './services.ts';
import { openPlanRow } from './warranted.ts';

/** Facts for the report, recomputed from the stored artifacts; nothing is taken from the orchestrator. */
export async function composeReport(
  services: Services,
  projection: RunProjection,
  status: string,
): Promise<{ readonly report: Report; readonly labels: Labels }> {
  const { run } = projection;
  const plan = projection.plan === null ? undefined : openPlanRow(projection.plan).plan;
  const nodes = plan === undefined ? [] : projectNodes(projection, plan);
  const planned = new Set(nodes.map((node) => node.id));
  const artifacts = projection.artifacts.filter((row) => planned.has(row.nodeId));
  const labels = joinLabels(artifacts.map((row) => row.labels));

  // A node that failed and was tolerated has no result to check.
  const completed = projection.operations.filter((row) => outcomeOf(row.state) === 'completed');
  const checks: ReportCheck[] = completed.flatMap((row) =>
    row.checks.map((check) => ({ nodeId: row.nodeId, name: check.name, passed: check.passed, detail: check.detail })),
  );
  for (const node of nodes)
    if (node.items !== undefined) checks.push(...(await itemChecks(services, run.runId, node.id)));
  const claims: Claim[] = [];
  let headline: string | null = null;
  // Every artifact is read back once; only features and summaries are looked into afterwards.
  const kept = new Map<string, Uint8Array>();
  for (const row of artifacts) {
    const bytes = await readChecked(services, row, checks);
    if (bytes !== undefined && (row.output === 'features' || row.output === 'summary')) kept.set(row.id, bytes);
  }
  for (const row of artifacts) {
    const bytes = kept.get(row.id);
    if (bytes === undefined || row.output !== 'summary' || row.type.kind !== 'json') continue;
    const summary = exposureSummary.safeParse(parse(bytes));
    if (!summary.success) continue;
    const features = artifacts.find((other) => other.nodeId === row.nodeId && other.output === 'features');
    checks.push(recountCheck(row.nodeId, summary.data, features === undefined ? undefined : kept.get(features.id)));
    headline = exposureHeadline(summary.data, run.locale);
    claims.push(...exposureClaims(row, summary.data, run.locale));
  }
  checks.sort((a, b) =>
    a.nodeId < b.nodeId ? -1 : a.nodeId > b.nodeId ? 1 : a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
  const synthetic = labels.integrity.includes('synthetic');
  const steps = nodes.map(stepOf);
  const text = reportText({
    locale: run.locale,
    goal: run.goal,
    headline,
    checks,
    claims,
    steps,
    licences: labels.licences,
    synthetic,
  });
  return {
    report: { runId: run.runId, status, headline, checks, claims, text, locale: run.locale, synthetic },
    labels,
  };
}

/** A step as the report tells of it: the reason where it was skipped or the run went on without it. */
function stepOf({ id, tool, state, reason, error, tolerated, items }: NodeView): ReportStep {
  const why = reason ?? (tolerated === true ? `${error?.code ?? ''}: ${error?.message ?? ''}` : undefined);
  return {
    id,
    tool,
    state,
    ...(why === undefined ? {} : { reason: why.slice(0, 300) }),
    ...(tolerated === undefined ? {} : { tolerated }),
    ...(items === undefined ? {} : { items }),
  };
}

/** Reads an artifact back; loss or corruption becomes a failed check instead of an exception. */
async function readChecked(
  services: Services,
  row: ArtifactRow,
  checks: ReportCheck[],
): Promise<Uint8Array | undefined> {
  const name = `artifact:${row.output}`;
  try {
    const bytes = await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
    checks.push({
      nodeId: row.nodeId,
      name,
      passed: true,
      detail: `${String(row.bytes)} bytes, sha256 ${row.sha256.slice(0, 12)}… read back equal`,
    });
    return bytes;
  } catch (error) {
    if (!(error instanceof ToolError) || error.class === 'transient') throw error;
    checks.push({ nodeId: row.nodeId, name, passed: false, detail: `${error.code}: ${error.message}` });
    return undefined;
  }
}

function recountCheck(nodeId: string, summary: ExposureSummary, features: Uint8Array | undefined): ReportCheck {
  const name = 'exposure counted again from the features';
  if (features === undefined) return { nodeId, name, passed: false, detail: 'the features could not be read' };
  const counted = recountExposure(parse(features));
  if (counted === undefined) return { nodeId, name, passed: false, detail: 'the features have an unknown shape' };
  const stated = Object.entries(summary.byClass).map(([key, value]) => [key, value.count] as const);
  const differs = stated.filter(([key, count]) => (counted.byClass.get(key) ?? 0) !== count).map(([key]) => key);
  const passed = differs.length === 0 && counted.total === summary.total;
  const detail = passed
    ? `${String(counted.total)} features, equal in every class`
    : `different in ${differs.join(', ') || 'the total'}`;
  return { nodeId, name, passed, detail };
}

function exposureClaims(row: ArtifactRow, summary: ExposureSummary, locale: string): Claim[] {
  const counted = (id: 'atLeast' | 'upTo'): Claim => ({
    id: `${row.nodeId}.${id}`,
    statement: exposureStatement(id, summary, locale),
    value: summary[id],
    unit: '1',
    artifact: row.id,
  });
  return [counted('atLeast'), counted('upTo')];
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
