import type { Catalog } from '../catalog/catalog.ts';
import { canonicalJson } from '../plan/canonical.ts';
import type { Finding } from '../plan/finding.ts';
import { buildGraph, criticalPath, type Edge } from '../plan/graph.ts';
import { PLAN_JSON_LIMITS } from '../plan/strictJson.ts';
import type { Plan } from '../plan/types.ts';
import { DEFAULT_DEADLINE_SECONDS, MAX_DEADLINE_SECONDS, type ValidationContext } from './context.ts';
import { expectedSeconds } from './expected.ts';
import { refuse, warn } from './findings.ts';

/** What a plan may use and is expected to use. */
export interface Totals {
  readonly deadlineSeconds: number;
  readonly maxCostCents: number;
  readonly estimatedCents: number;
  /** Expected seconds along the longest chain of nodes. */
  readonly criticalPathSeconds: number;
}

const deadlineCap = (context: ValidationContext): number =>
  Math.min(context.limits.maxDeadlineSeconds, MAX_DEADLINE_SECONDS);

/** Limits pass before anything else: size as text, and `limits`, which can only lower what the context allows. */
export function checkLimits(plan: Plan, context: ValidationContext): Finding[] {
  const findings: Finding[] = [];
  const bytes = new TextEncoder().encode(canonicalJson(plan)).byteLength;
  if (bytes > PLAN_JSON_LIMITS.maxBytes) {
    const message = `the plan has ${bytes} bytes; at most ${PLAN_JSON_LIMITS.maxBytes} are allowed`;
    findings.push(refuse('PLAN_TOO_LARGE', '', message));
  }
  const { deadlineSeconds, maxCostCents } = plan.limits;
  const cap = deadlineCap(context);
  if (deadlineSeconds !== undefined && deadlineSeconds > cap) {
    const path = '/limits/deadlineSeconds';
    findings.push(
      refuse('DEADLINE_EXCEEDED', path, `${deadlineSeconds} s; a run may take at most ${cap} s`, {
        fix: [{ op: 'replace', path, value: cap }],
      }),
    );
  }
  if (maxCostCents !== undefined && maxCostCents > context.limits.maxCostCents) {
    const path = '/limits/maxCostCents';
    const message = `${maxCostCents} cents; the request allows ${context.limits.maxCostCents}`;
    findings.push(
      refuse('BUDGET_EXCEEDED', path, message, { fix: [{ op: 'replace', path, value: context.limits.maxCostCents }] }),
    );
  }
  return findings;
}

/**
 * Sums of an acyclic plan whose tools are known; a `forEach` node counts for each of its instances.
 * @param counts instances by node id, for `forEach` nodes.
 */
export function totalsOf(
  plan: Plan,
  catalog: Catalog,
  edges: readonly Edge[],
  context: ValidationContext,
  counts: ReadonlyMap<string, number>,
): Totals {
  const tools = new Map(plan.nodes.map((node) => [node.id, catalog.get(node.tool)]));
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const graph = buildGraph(tools.keys(), edges);
  const seconds = (id: string): number => {
    const node = nodes.get(id);
    const tool = tools.get(id);
    if (node === undefined || tool === undefined) return 0;
    return expectedSeconds(node, tool, counts.get(id), context.limits.maxParallelNodes);
  };
  return {
    deadlineSeconds: Math.min(plan.limits.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS, deadlineCap(context)),
    maxCostCents: Math.min(plan.limits.maxCostCents ?? context.limits.maxCostCents, context.limits.maxCostCents),
    estimatedCents: [...tools].reduce((sum, [id, tool]) => sum + (tool?.cost.cents ?? 0) * (counts.get(id) ?? 1), 0),
    criticalPathSeconds: criticalPath(graph, seconds).length,
  };
}

/** Budget pass: what the catalog expects the plan to cost and to take. */
export function checkTotals(totals: Totals, plan: Plan): Finding[] {
  const findings: Finding[] = [];
  if (totals.estimatedCents > totals.maxCostCents) {
    const message = `the plan is expected to cost ${totals.estimatedCents} cents; ${totals.maxCostCents} are allowed`;
    findings.push(
      refuse('BUDGET_EXCEEDED', plan.limits.maxCostCents === undefined ? '/nodes' : '/limits/maxCostCents', message),
    );
  }
  if (totals.criticalPathSeconds > totals.deadlineSeconds) {
    const path = plan.limits.deadlineSeconds === undefined ? '/nodes' : '/limits/deadlineSeconds';
    const message = `the longest chain is expected to take ${totals.criticalPathSeconds} s; the run ends after ${totals.deadlineSeconds} s`;
    findings.push(
      warn('DEADLINE_EXCEEDED', path, message, {
        hint: 'Ask for the time in limits.deadlineSeconds, or shorten the work.',
      }),
    );
  }
  return findings;
}
