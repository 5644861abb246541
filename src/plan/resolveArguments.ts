/**
 * What a node or item gets when it runs, from the warrant's plan and completed results alone (I5). Pure: the `node` activity
 * reads the ledger, calls this, and parses `args` with the tool's schema (`tool.input`) before it runs the tool.
 */
import { parseSource, type SourceSpec } from '../catalog/source.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import { ToolError } from './errors.ts';
import { isReference, parseReference, type ReferenceTarget } from './references.ts';
import {
  outputRefOf,
  resolveReference,
  scopeOf,
  type ItemValue,
  type OutputLookup,
  type OutputRef,
  type Scope,
} from './resolveReference.ts';
import { substitute } from './substitute.ts';
import type { JsonValue, Plan, PlanNode, Reference } from './types.ts';

export { inputValue, type ItemValue, type OutputLookup, type OutputRef } from './resolveReference.ts';

/** The output at a port. `optional`: the port is left open when that output is not there. */
export interface PortRef extends OutputRef {
  readonly optional?: true;
}

export interface ResolvedArguments {
  /** Arguments beside the ports, references replaced, sources as they stand in the plan. Not yet parsed by the tool. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Which output stands at which port. */
  readonly ports: ReadonlyMap<string, PortRef>;
  /** Source arguments by name: what to load and hand to the tool under that name. */
  readonly sources: ReadonlyMap<string, SourceSpec>;
}

/** The plan's nodes and the item, for references that mean the same item of another node. */
export interface ItemPlace {
  readonly nodes: readonly PlanNode[];
  readonly index: number;
}

/**
 * Outputs whose JSON value `resolveArguments` will ask for: read these from the store before calling it. Sorted, unique.
 * @param item only for an instance of a `forEach` node: item-wise references then carry its index.
 */
export function valuesNeeded(node: PlanNode, tool: ToolDefinition, item?: ItemPlace): readonly OutputRef[] {
  const nodes = new Map((item?.nodes ?? []).map((one) => [one.id, one]));
  const found = new Map<string, OutputRef>();
  substitute<null>(ownArguments(node, tool), (_reference, target) => {
    if (target?.kind === 'node') {
      const ref = outputRefOf(node, nodes, target, item?.index);
      found.set(`${ref.nodeId}.${ref.output}`, ref);
    }
    return null;
  });
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ref]) => ref);
}

/** The argument templates that are no ports. */
export function ownArguments(node: PlanNode, tool: ToolDefinition): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(node.args).filter(([name]) => !Object.hasOwn(tool.ports.inputs, name)));
}

/**
 * Resolves the arguments of a node of a validated plan, or of one of its items. Throws `ToolError` UPSTREAM_NOT_COMPLETED
 * when a needed value is not there (and the reference has no default), STATE_INVALID when the plan is none that
 * validation lets through.
 */
export function resolveArguments(
  plan: Pick<Plan, 'inputs' | 'nodes'>,
  node: PlanNode,
  tool: ToolDefinition,
  lookup: OutputLookup,
  item?: ItemValue,
): ResolvedArguments {
  return resolveInScope(scopeOf(plan, node, lookup, item), tool);
}

/** The same in a scope that is already there. */
export function resolveInScope(scope: Scope, tool: ToolDefinition): ResolvedArguments {
  const { node } = scope;
  const ports = new Map<string, PortRef>();
  for (const name of Object.keys(tool.ports.inputs).sort()) {
    const given = Object.hasOwn(node.args, name) ? node.args[name] : undefined;
    if (given === undefined) continue;
    const target = isReference(given) ? parseReference(given.ref) : undefined;
    if (!isReference(given) || target?.kind !== 'node')
      throw invalid(node, `the port ${name} holds no reference to an output`);
    const ref = outputRefOf(node, scope.nodes, target, scope.item?.index);
    const mayBeOpen = given.default !== undefined && tool.ports.inputs[name]?.required === false;
    ports.set(name, mayBeOpen ? { ...ref, optional: true } : ref);
  }
  const args = substitute<never>(ownArguments(node, tool), (reference, target) => valueOf(scope, reference, target));
  return {
    args: args as Record<string, JsonValue>,
    ports,
    sources: sourcesOf(node, tool, args as Record<string, JsonValue>),
  };
}

function valueOf(scope: Scope, reference: Reference, target: ReferenceTarget | undefined): JsonValue {
  const found = resolveReference(scope, reference, target);
  if (found.state === 'value') return found.value;
  if (found.state === 'invalid') throw invalid(scope.node, `${reference.ref} has no value here`);
  const message = `${scope.node.id} needs ${reference.ref}, which has no value`;
  throw new ToolError('UPSTREAM_NOT_COMPLETED', message);
}

function sourcesOf(
  node: PlanNode,
  tool: ToolDefinition,
  args: Readonly<Record<string, JsonValue>>,
): Map<string, SourceSpec> {
  const sources = new Map<string, SourceSpec>();
  for (const name of tool.sources) {
    const spec = parseSource(Object.hasOwn(args, name) ? args[name] : undefined);
    if (spec === undefined) throw invalid(node, `${name} is no source`);
    sources.set(name, spec);
  }
  return sources;
}

const invalid = (node: PlanNode, what: string): ToolError => new ToolError('STATE_INVALID', `node ${node.id}: ${what}`);
