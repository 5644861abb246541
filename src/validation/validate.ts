/**
 * The security boundary (design §4): a plan that anybody or anything wrote goes in; the normalised plan that may be
 * executed comes out, or everything that is wrong with it, at once. One file a pass; nothing here reads the world.
 */
import type { PortType } from '../catalog/portTypes.ts';
import { planDigest } from '../plan/digest.ts';
import type { Finding } from '../plan/finding.ts';
import { buildGraph, topologicalOrder } from '../plan/graph.ts';
import { MAX_ITEMS } from '../plan/forEach.ts';
import { foldId } from '../plan/ids.ts';
import { itemsKey } from '../plan/itemWise.ts';
import { parsePlan } from '../plan/schema.ts';
import type { Plan } from '../plan/types.ts';
import { checkArguments, type CheckedArguments } from './arguments.ts';
import { checkAuthorization, checkScope } from './authorization.ts';
import { bindPorts } from './binding.ts';
import type { ValidationContext } from './context.ts';
import { checkConditions } from './conditions.ts';
import { checkEdges, edgesOf } from './edges.ts';
import { checkEffects } from './effects.ts';
import { checkEndpoints } from './endpoints.ts';
import { refuse, sortFindings } from './findings.ts';
import { Flow, type Binding } from './flow.ts';
import { checkIds } from './ids.ts';
import { resolveInputs, type ResolvedInputs } from './inputs.ts';
import type { World } from './given.ts';
import { checkLoops, type Loop } from './loops.ts';
import { checkLimits, checkTotals, totalsOf, type Totals } from './limits.ts';
import { checkReferences } from './references.ts';
import { checkTools } from './tools.ts';
import { applyTypes } from './types.ts';
import { checkUnsupported } from './unsupported.ts';

export type ValidationResult =
  | {
      readonly ok: true;
      /** With defaults, bindings and inserted nodes: what is shown, hashed, stored and executed. */
      readonly plan: Plan;
      readonly planDigest: string;
      /** Warnings only, sorted. */
      readonly findings: readonly Finding[];
      /** What each output will be, by node and output. */
      readonly outputTypes: ReadonlyMap<string, ReadonlyMap<string, PortType>>;
      readonly bindings: readonly Binding[];
      readonly totals: Totals;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Validates a parsed JSON value (or a `Plan`). Findings are sorted by path and code; an `error` refuses, a `warning` does
 * not. Validating the plan that comes out gives the same plan and digest again. Never throws on any input.
 */
export function validatePlan(input: unknown, context: ValidationContext): ValidationResult {
  const parsed = parsePlan(input, context.limits.maxNodes);
  const plan = parsed.ok ? parsed.plan : parsed.rest;
  if (plan === undefined) return { ok: false, findings: parsed.ok ? [] : sortFindings(parsed.findings) };
  const findings = parsed.ok ? [] : [...parsed.findings];

  const inputs = resolveInputs(plan, context.inputs);
  findings.push(...checkLimits(plan, context), ...checkIds(plan), ...checkUnsupported(plan));
  findings.push(...checkEndpoints(plan, context.inputs), ...inputs.findings, ...missingInputs(inputs, context));
  findings.push(...checkTools(plan, context), ...checkEdges(plan, context.catalog));
  const { loops, findings: ofLoops } = checkLoops(plan, context.catalog, inputs);
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const world: World = { plan, nodes, catalog: context.catalog, inputs, loops };
  findings.push(...ofLoops, ...checkReferences(world), ...checkConditions(world));
  const checked = plan.nodes.map((node, index) => {
    const tool = context.catalog.get(node.tool);
    return tool === undefined ? undefined : checkArguments(world, index, node, tool, context);
  });
  findings.push(...checked.flatMap((one) => one?.findings ?? []));

  const flow = flowThrough(plan, checked, context);
  if (flow === undefined) {
    const pathOf = (_id: string, index: number): string => `/nodes/${index}`;
    findings.push(...checkScope(plan, context, pathOf), ...checkAuthorization(plan, context, pathOf));
    return { ok: false, findings: sortFindings(findings) };
  }
  const normalised: Plan = { ...plan, inputs: inputs.inputs, nodes: flow.planNodes() };
  const pathOf = (id: string): string => `/nodes/${flow.nodes.get(id)?.index ?? 0}`;
  findings.push(...flow.findings);
  findings.push(...checkScope(normalised, context, pathOf), ...checkAuthorization(normalised, context, pathOf));
  if (normalised.nodes.length > context.limits.maxNodes) findings.push(tooManyAfter(normalised, context));
  const edges = edgesOf(normalised);
  const totals = totalsOf(normalised, context.catalog, edges, context, countsOf(normalised, loops));
  findings.push(...checkTotals(totals, plan), ...checkEffects(normalised, edges, context));

  const sorted = sortFindings(findings);
  if (sorted.some(({ severity }) => severity === 'error')) return { ok: false, findings: sorted };
  return {
    ok: true,
    plan: normalised,
    planDigest: planDigest(normalised),
    findings: sorted,
    outputTypes: flow.outputs,
    bindings: flow.bindings,
    totals,
  };
}

/** Instances by node, for inserted nodes as well: they run over the items of the nodes that they stand between. */
function countsOf(plan: Plan, loops: ReadonlyMap<string, Loop>): Map<string, number> {
  const counts = new Map<string, number>();
  const byItems = new Map<string, number>();
  for (const node of plan.nodes) {
    const key = itemsKey(node);
    const loop = loops.get(node.id);
    if (key !== undefined && loop !== undefined) byItems.set(key, Math.min(loop.count, byItems.get(key) ?? MAX_ITEMS));
  }
  for (const node of plan.nodes) {
    const key = itemsKey(node);
    if (key === undefined) continue;
    counts.set(node.id, loops.get(node.id)?.count ?? byItems.get(key) ?? node.forEach?.maxItems ?? 1);
  }
  return counts;
}

const tooManyAfter = (plan: Plan, context: ValidationContext): Finding =>
  refuse(
    'TOO_MANY_NODES',
    '/nodes',
    `${plan.nodes.length} nodes with those that validation inserts; at most ${context.limits.maxNodes} are allowed`,
  );

/** At the start of a run (inputs are given, be it none) every declared input needs a value. */
function missingInputs(inputs: ResolvedInputs, context: ValidationContext): Finding[] {
  if (context.inputs === undefined) return [];
  return [...inputs.open].map(([name, declared]) =>
    refuse('MISSING_ARGUMENT', `/inputs/${name}`, `the input "${name}" (${declared.type}) has no value`),
  );
}

/** Bindings and types over the whole plan; `undefined` while ids are not unique, because then no edge means anything. */
function flowThrough(
  plan: Plan,
  checked: readonly (CheckedArguments | undefined)[],
  context: ValidationContext,
): Flow | undefined {
  if (new Set(plan.nodes.map(({ id }) => foldId(id))).size < plan.nodes.length) return undefined;
  const flow = new Flow(plan, context.catalog);
  const edges = edgesOf(plan).filter(({ node, after }) => node !== after);
  const after = buildGraph(
    plan.nodes.map(({ id }) => id),
    edges,
  );
  for (const [index, node] of plan.nodes.entries()) {
    const one = checked[index];
    flow.nodes.set(node.id, {
      id: node.id,
      index,
      inserted: false,
      tool: context.catalog.get(node.tool),
      node,
      args: new Map(Object.entries(one?.args ?? node.args)),
      after: after.get(node.id) ?? new Set(),
      literal: one?.literal,
    });
  }
  for (const id of topologicalOrder(after)) {
    const node = flow.nodes.get(id);
    if (node === undefined) continue;
    bindPorts(flow, node);
    applyTypes(flow, node);
  }
  return flow;
}
