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
  readonly completedWithArtifacts: ReadonlySet<string>;
  readonly artifacts: ReadonlyMap<string, string>;
  readonly effects: ReadonlyMap<string, number>;
  readonly staleWrites: readonly string[];
  readonly costly: number;
  readonly cancelAccepted: boolean;
}

export async function factsOf({ services, runId, world, costly, cancelAccepted }: WalkEnd): Promise<WalkFacts> {
  const { ledger } = services;
  const projection = await ledger.project(runId);
  if (projection === undefined) throw new Error('the run is not in the ledger');
  const events = await ledger.events(runId, 0, 100_000);
  const root = world.instances.get(runId)?.hand.ended;
  const ended = root !== undefined && 'value' in root ? (root.value as { status: string }).status : String(root?.error);
  const place = (row: { nodeId: string; item: number }): string => `${row.nodeId}#${String(row.item)}`;
  const ofPlan = (row: { nodeId: string }): boolean => !row.nodeId.startsWith('$');
  const artifacts = projection.artifacts.filter(ofPlan);
  const runs = await ledger.listRuns('local', { limit: 10, cursor: null });
  const open = 'openInstances' in ledger ? await ledger.openInstances(runId, 100) : [];
  return {
    status: projection.run.status,
    orchestratorStatus: ended,
    control: projection.run.control,
    runs: runs.items.length,
    terminalEvents: events.filter((event) => event.type === 'run.finished').length,
    auditOk: (await ledger.verifyAudit()).ok,
    openInstances: open.length,
    openTimers: [...world.instances.values()].flatMap((instance) => instance.hand.openTimers()).length,
    operations: new Map(projection.operations.filter(ofPlan).map((row) => [place(row), row.state])),
    completedWithArtifacts: new Set(artifacts.map(place)),
    artifacts: new Map(artifacts.map((row) => [`${place(row)}.${row.output}`, row.sha256])),
    effects: services.effects,
    staleWrites: services.staleWrites,
    costly,
    cancelAccepted,
  };
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
    extra += Math.max(0, count - expected);
  }
  if (extra > costly)
    problems.push(`${String(extra)} executions too many, and only ${String(costly)} faults that may cost one`);
  return problems;
}
