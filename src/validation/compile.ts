import type { Catalog } from '../catalog/catalog.ts';
import { MAX_SCHEDULE_BYTES, type Schedule } from '../orchestration/schedule.ts';
import type { Finding } from '../plan/finding.ts';
import { buildGraph, transitiveReduction } from '../plan/graph.ts';
import type { Plan } from '../plan/types.ts';
import { edgesOf } from './edges.ts';
import { refuse } from './findings.ts';

export interface ScheduleFacts {
  readonly runId: string;
  readonly revision: number;
  /** Digest of the warrant. */
  readonly warrant: string;
  /** Absolute, ms since the epoch. */
  readonly deadlineAt: number;
  /** Most nodes with an open activity at any time. */
  readonly window: number;
}

/**
 * Compiles a validated plan into what the orchestrator knows of it (I8): ids, the fewest edges, expected seconds, attempts.
 * Refuses with PLAN_TOO_LARGE above 32 KiB of JSON. Throws on a plan that `validatePlan` has not let through.
 */
export function compileSchedule(
  plan: Plan,
  catalog: Catalog,
  facts: ScheduleFacts,
): { readonly ok: true; readonly schedule: Schedule } | { readonly ok: false; readonly findings: readonly Finding[] } {
  const sorted = [...plan.nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
  const index = new Map(sorted.map(({ id }, i) => [id, i]));
  const reduced = transitiveReduction(buildGraph(index.keys(), edgesOf(plan)));
  if (reduced.size !== plan.nodes.length) throw new TypeError('compileSchedule: the plan has a cycle');
  const schedule: Schedule = {
    version: 1,
    runId: facts.runId,
    revision: facts.revision,
    warrant: facts.warrant,
    deadlineAt: facts.deadlineAt,
    window: facts.window,
    nodes: sorted.map((node) => {
      const tool = catalog.get(node.tool);
      if (tool === undefined) throw new TypeError(`compileSchedule: unknown tool ${node.tool}`);
      return {
        id: node.id,
        after: (reduced.get(node.id) ?? []).map((id) => index.get(id) ?? 0).sort((a, b) => a - b),
        seconds: tool.cost.seconds,
        attempts: node.retry?.maxAttempts ?? tool.retry.maxAttempts,
      };
    }),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(schedule)).byteLength;
  if (bytes <= MAX_SCHEDULE_BYTES) return { ok: true, schedule };
  const message = `the compiled schedule has ${bytes} bytes, at most ${MAX_SCHEDULE_BYTES} are allowed`;
  const hint = 'fewer edges between the nodes, or shorter ids';
  return { ok: false, findings: [refuse('PLAN_TOO_LARGE', '/nodes', message, { hint })] };
}
