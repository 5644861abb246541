import type { Catalog } from '../catalog/catalog.ts';
import { MAX_SCHEDULE_BYTES, type Schedule } from '../orchestration/schedule.ts';
import type { Finding } from '../plan/finding.ts';
import { forEachGroups } from '../plan/forEach.ts';
import { buildGraph, transitiveReduction } from '../plan/graph.ts';
import type { Plan } from '../plan/types.ts';
import { edgesOf } from './edges.ts';
import { expectedSeconds } from './expected.ts';
import { refuse } from './findings.ts';
import { needsOf } from './needs.ts';

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
 * Compiles a validated plan into what the orchestrator knows of it (I8): ids, the fewest edges, expected seconds, attempts,
 * what may be skipped in consequence, and which loops run item by item.
 * Refuses with PLAN_TOO_LARGE above 32 KiB of JSON. Throws on a plan that `validatePlan` has not let through.
 */
export function compileSchedule(
  plan: Plan,
  catalog: Catalog,
  facts: ScheduleFacts,
): { readonly ok: true; readonly schedule: Schedule } | { readonly ok: false; readonly findings: readonly Finding[] } {
  const sorted = [...plan.nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
  const index = new Map(sorted.map(({ id }, i) => [id, i]));
  const graph = buildGraph(index.keys(), edgesOf(plan));
  const reduced = transitiveReduction(graph);
  if (reduced.size !== plan.nodes.length) throw new TypeError('compileSchedule: the plan has a cycle');
  const groups = forEachGroups(sorted, graph);
  const groupOf = new Map(groups.flatMap(({ members }, i) => members.map((id) => [id, i] as const)));
  const needs = needsOf(sorted, graph, groups, catalog);
  const indexes = (ids: readonly string[] = []): number[] => ids.map((id) => index.get(id) ?? 0).sort((a, b) => a - b);
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
      const needed = indexes(needs.get(node.id));
      const group = groupOf.get(node.id);
      const count = group === undefined ? undefined : groups[group]?.maxItems;
      const kind = tool.wait === undefined ? (tool.job === undefined ? undefined : 'job') : 'wait';
      return {
        id: node.id,
        after: indexes(reduced.get(node.id)),
        seconds: expectedSeconds(node, tool, count, facts.window),
        attempts: node.retry?.maxAttempts ?? tool.retry.maxAttempts,
        ...(kind === undefined ? {} : { kind }),
        ...(needed.length === 0 ? {} : { needs: needed }),
        ...(node.onFailure === 'continue' ? { soft: true as const } : {}),
        ...(group === undefined ? {} : { group }),
      };
    }),
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map(({ members, maxItems }) => ({
            members: members.map((id) => index.get(id) ?? 0),
            maxItems,
          })),
        }),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(schedule)).byteLength;
  if (bytes <= MAX_SCHEDULE_BYTES) return { ok: true, schedule };
  const message = `the compiled schedule has ${bytes} bytes, at most ${MAX_SCHEDULE_BYTES} are allowed`;
  const hint = 'fewer edges between the nodes, or shorter ids';
  return { ok: false, findings: [refuse('PLAN_TOO_LARGE', '/nodes', message, { hint })] };
}
