import type { ArtifactRow, OperationRow, RunProjection } from '../../../../src/ledger/port.ts';
import type { Plan } from '../../../../src/plan/types.ts';
import { submitKeys } from '../readEnd.ts';
import type { WalkEnd } from './walk.ts';

/** The end of a walk as the oracle reads it, without ids and times. */
export interface WalkFacts {
  readonly status: string;
  readonly orchestratorStatus: string;
  readonly control: string;
  readonly runs: number;
  readonly terminalEvents: number;
  readonly auditOk: boolean;
  readonly openInstances: number;
  readonly openTimers: number;
  readonly operations: ReadonlyMap<string, string>;
  readonly decisions: ReadonlyMap<string, string>;
  readonly completedWithArtifacts: ReadonlySet<string>;
  readonly artifacts: ReadonlyMap<string, string>;
  readonly effects: ReadonlyMap<string, number>;
  readonly staleWrites: readonly string[];
  readonly costly: number;
  readonly tookMs: number;
}

export async function factsOf({ services, runId, world, costly, tookMs }: WalkEnd): Promise<WalkFacts> {
  const { ledger } = services;
  const projection = await ledger.project(runId);
  if (projection === undefined) throw new Error('the run is not in the ledger');
  const events = await ledger.events(runId, 0, 100_000);
  const root = world.instances.get(runId)?.hand.ended;
  const ended = root !== undefined && 'value' in root ? (root.value as { status: string }).status : String(root?.error);
  const place = (row: { nodeId: string; item: number }): string => `${row.nodeId}#${String(row.item)}`;
  const ofPlan = (row: { nodeId: string }): boolean => !row.nodeId.startsWith('$');
  const items = await itemsOf(services, runId, projection);
  const operations = [...projection.operations.filter(ofPlan), ...items.operations];
  const artifacts = [...projection.artifacts.filter(ofPlan), ...items.artifacts];
  const decisions = projection.decisions.filter(({ kind }) => kind !== 'retryWait');
  const runs = await ledger.listRuns('local', { limit: 10, cursor: null });
  const open = await ledger.openInstances(runId, 1_000);
  const places = new Map(operations.flatMap((row) => submitKeys(row.operationKey).map((key) => [key, place(row)])));
  // A remote service knows an operation by its key.
  const named = (what: string): string => what.replace(/[0-9a-f]{64}$/, (key) => places.get(key) ?? key);
  return {
    status: projection.run.status,
    orchestratorStatus: ended,
    control: projection.run.control,
    runs: runs.items.length,
    terminalEvents: events.filter((event) => event.type === 'run.finished').length,
    auditOk: (await ledger.verifyAudit()).ok,
    openInstances: open.length,
    openTimers: [...world.instances.values()].flatMap((instance) => instance.hand.openTimers()).length,
    operations: new Map(operations.map((row) => [place(row), row.state])),
    decisions: new Map(decisions.map((row) => [place(row), row.kind])),
    completedWithArtifacts: new Set(artifacts.map(place)),
    artifacts: new Map(artifacts.map((row) => [`${place(row)}.${row.output}`, row.sha256])),
    effects: byPlace(services.effects, named),
    staleWrites: services.staleWrites,
    costly,
    tookMs,
  };
}

function byPlace(effects: ReadonlyMap<string, number>, named: (what: string) => string): Map<string, number> {
  const all = new Map<string, number>();
  for (const [what, times] of effects) all.set(named(what), (all.get(named(what)) ?? 0) + times);
  return all;
}

const SETTLED = ['reserved', 'submitted', 'completed', 'failed', 'unknown', 'needsDecision'] as const;

/** Rows of single items: a projection has those of whole nodes alone. */
async function itemsOf(
  { ledger }: WalkEnd['services'],
  runId: string,
  { plan }: RunProjection,
): Promise<{ operations: OperationRow[]; artifacts: ArtifactRow[] }> {
  const nodes = plan === null ? [] : (JSON.parse(plan.plan) as Pick<Plan, 'nodes'>).nodes;
  const operations: OperationRow[] = [];
  const artifacts: ArtifactRow[] = [];
  for (const node of nodes) {
    if (node.forEach === undefined) continue;
    const page = { states: SETTLED, afterItem: -1, limit: 10_000 };
    operations.push(...(await ledger.itemOperations(runId, node.id, page)));
    artifacts.push(...(await ledger.itemArtifacts(runId, node.id)));
  }
  return { operations, artifacts };
}

/**
 * Executions: each as often as without faults, when nothing died, broke or ran out of its lease; otherwise each of those
 * may have cost one more. A cancelled run may have fewer.
 */
export function effectsEqual(
  want: ReadonlyMap<string, number>,
  got: ReadonlyMap<string, number>,
  { cancelled, costly }: { readonly cancelled: boolean; readonly costly: number },
): string[] {
  const problems: string[] = [];
  let extra = 0;
  for (const key of new Set([...want.keys(), ...got.keys()])) {
    const expected = want.get(key) ?? 0;
    const count = got.get(key) ?? 0;
    if (count < expected && !cancelled) problems.push(`effect ${key}: ${String(count)}, expected ${String(expected)}`);
    // What was submitted is looked for, never submitted again: no fault may cost a second job.
    if (key.startsWith('job.submit') && count > expected) problems.push(`effect ${key}: ${String(count)} times`);
    extra += Math.max(0, count - expected);
  }
  if (extra > costly)
    problems.push(`${String(extra)} executions too many, and only ${String(costly)} faults that may cost one`);
  return problems;
}
