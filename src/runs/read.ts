import type { Principal } from '../identity/principal.ts';
import { requireAccess, type Caller } from './access.ts';
import { actionsOf } from './actions.ts';
import { TERMINAL_STATUSES, type RunProjection, type RunRow } from '../ledger/port.ts';
import { HttpProblem } from './http/problem.ts';
import { runLinks } from './links.ts';
import { artifactView, projectNodes, type NodeView } from './projection.ts';
import type { Services } from './services.ts';
import { openPlanRow, type WarrantedPlan } from './warranted.ts';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Children looked at for what the nodes wait for. */
const MOST_CHILDREN = 1_000;

/** The run, if the role table lets this caller at it; a foreign id answers like an unknown one (design §6). */
export async function ownRun(services: Services, caller: Caller, runId: string): Promise<RunRow> {
  const run = await services.ledger.getRun(runId);
  requireAccess(caller, run === undefined ? null : { tenant: run.tenant, owner: run.requester });
  if (run === undefined) throw new HttpProblem('NOT_FOUND', `There is no run ${runId}.`);
  return run;
}

export async function ownProjection(services: Services, caller: Caller, runId: string): Promise<RunProjection> {
  await ownRun(services, caller, runId);
  const projection = await services.ledger.project(runId);
  if (projection === undefined) throw new HttpProblem('NOT_FOUND', `There is no run ${runId}.`);
  return projection;
}

/** `GET /runs/{id}` (design §8). */
export async function readRun(
  services: Services,
  caller: Caller,
  runId: string,
  origin: string,
): Promise<Record<string, unknown>> {
  const projection = await ownProjection(services, caller, runId);
  const { run } = projection;
  const warranted = projection.plan === null ? undefined : openPlanRow(projection.plan);
  const live = TERMINAL_STATUSES.has(run.status) ? [] : await services.ledger.openInstances(runId, MOST_CHILDREN);
  const nodes = warranted === undefined ? [] : projectNodes(projection, warranted.plan, live);
  return {
    runId: run.runId,
    status: run.status,
    held: run.held,
    control: run.control,
    goal: run.goal,
    headline: run.headline,
    planDigest: run.planDigest,
    warrantDigest: run.warrantDigest,
    policyVersion: run.policyVersion,
    progress: progressOf(nodes),
    nodes,
    outputs: outputsOf(projection, warranted),
    approvals: [],
    budget: warranted?.warrant.budget ?? null,
    error: run.error,
    timings: {
      createdAt: iso(run.createdAt),
      startedAt: iso(run.startedAt),
      endedAt: iso(run.endedAt),
      deadlineAt: iso(run.deadlineAt),
    },
    retryOf: run.retryOf,
    actions: actionsOf(caller.principal, run),
    links: runLinks(origin, run.runId),
  };
}

function progressOf(nodes: readonly NodeView[]): Readonly<Record<string, number>> {
  const count = (state: string): number => nodes.filter((node) => node.state === state).length;
  return {
    total: nodes.length,
    succeeded: count('succeeded'),
    running: count('running') + count('polling'),
    failed: count('failed'),
    skipped: count('skippedByCondition') + count('skippedByFailure'),
  };
}

/** Plan outputs by name, as far as they exist; without declared outputs, those of the last nodes. */
function outputsOf(projection: RunProjection, warranted: WarrantedPlan | undefined): Readonly<Record<string, unknown>> {
  if (warranted === undefined) return {};
  const find = (nodeId: string, output: string): unknown => {
    const row = projection.artifacts.find(
      (artifact) => artifact.nodeId === nodeId && artifact.output === output && artifact.item === -1,
    );
    return row === undefined ? undefined : artifactView(row);
  };
  const declared = Object.entries(warranted.plan.outputs).map(([name, { ref }]) => {
    const [nodeId = '', output = ''] = ref.split('.');
    return [name, find(nodeId, output)] as const;
  });
  if (declared.length > 0) return Object.fromEntries(declared.filter(([, view]) => view !== undefined));
  const followed = new Set(warranted.plan.nodes.flatMap((node) => node.dependsOn));
  const last = projection.artifacts.filter(
    (row) => !followed.has(row.nodeId) && warranted.plan.nodes.some((node) => node.id === row.nodeId),
  );
  return Object.fromEntries(last.map((row) => [row.output, artifactView(row)]));
}

/** `GET /runs`: newest first, own tenant. */
export async function listRuns(
  services: Services,
  principal: Principal,
  query: { readonly limit: number; readonly cursor: string | null },
  origin: string,
): Promise<Record<string, unknown>> {
  const page = await services.ledger.listRuns(principal.tenant, query);
  return {
    items: page.items.map((run) => ({
      runId: run.runId,
      status: run.status,
      goal: run.goal,
      headline: run.headline,
      createdAt: iso(run.createdAt),
      endedAt: iso(run.endedAt),
      links: { self: runLinks(origin, run.runId)['self'] },
    })),
    nextCursor: page.nextCursor,
  };
}

/** `GET /runs/{id}/plan`: the approved plan with its bindings, warrant and warnings. */
export async function readPlan(services: Services, caller: Caller, runId: string): Promise<Record<string, unknown>> {
  const { run, plan } = await ownProjection(services, caller, runId);
  if (plan === null) {
    const why = TERMINAL_STATUSES.has(run.status) ? `It ended ${run.status} without one.` : 'It has none yet.';
    throw new HttpProblem('NOT_FOUND', `Run ${runId} has no approved plan. ${why}`);
  }
  const opened = openPlanRow(plan);
  return {
    runId,
    revision: opened.revision,
    planDigest: opened.planDigest,
    plan: opened.plan,
    warrantDigest: opened.warrantDigest,
    warrant: opened.warrant,
    findings: opened.notes.warnings,
  };
}

/** `GET /runs/{id}/events?after=`: gap-free, oldest first. */
export async function readEvents(
  services: Services,
  caller: Caller,
  runId: string,
  after: number,
  limit: number,
): Promise<Record<string, unknown>> {
  await ownRun(services, caller, runId);
  const events = await services.ledger.events(runId, after, limit);
  const last = events.at(-1);
  return {
    items: events.map(({ seq, at, type, nodeId, actor, data }) => ({
      seq,
      at: iso(at),
      type,
      ...(nodeId === null ? {} : { nodeId }),
      actor,
      data,
    })),
    nextCursor: events.length === limit && last !== undefined ? String(last.seq) : null,
  };
}

/** `GET /runs/{id}/artifacts`. */
export async function listArtifacts(
  services: Services,
  caller: Caller,
  runId: string,
  origin: string,
): Promise<Record<string, unknown>> {
  const { artifacts } = await ownProjection(services, caller, runId);
  const base = runLinks(origin, runId)['artifacts'] ?? '';
  return {
    items: artifacts.map((row) => ({
      ...artifactView(row),
      nodeId: row.nodeId,
      output: row.output,
      labels: row.labels,
      createdAt: iso(row.createdAt),
      link: `${base}/${row.id}`,
    })),
    nextCursor: null,
  };
}
