/**
 * What a node gets when it runs, from the warrant's plan and completed results alone (I5). Pure: the `node` activity reads
 * the ledger, calls this, and parses `args` with the tool's schema (`tool.input`) before it runs the tool.
 */
import { parseSource, type SourceSpec } from '../catalog/source.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import { ToolError } from './errors.ts';
import { isReference, parseReference, stepIntoValue, walkPath, type ReferenceTarget } from './references.ts';
import { substitute } from './substitute.ts';
import type { InputDeclaration, JsonValue, Plan, PlanNode, Reference } from './types.ts';

export interface OutputRef {
  readonly nodeId: string;
  readonly output: string;
}

export interface ResolvedArguments {
  /** Arguments beside the ports, references replaced, sources as they stand in the plan. Not yet parsed by the tool. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Which output stands at which port. */
  readonly ports: ReadonlyMap<string, OutputRef>;
  /** Source arguments by name: what to load and hand to the tool under that name. */
  readonly sources: ReadonlyMap<string, SourceSpec>;
}

/** Value of a JSON, number or time output of a completed node; `undefined` when there is none. */
export type OutputLookup = (nodeId: string, output: string) => JsonValue | undefined;

/** Outputs whose JSON value `resolveArguments` will ask for: read these from the store before calling it. Sorted, unique. */
export function valuesNeeded(node: PlanNode, tool: ToolDefinition): readonly OutputRef[] {
  const found = new Map<string, OutputRef>();
  substitute<null>(ownArguments(node, tool), (_reference, target) => {
    if (target?.kind === 'node') {
      const { nodeId, output } = target;
      found.set(`${nodeId}.${output}`, { nodeId, output });
    }
    return null;
  });
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ref]) => ref);
}

/** Value of an input: the literal, or the default of its declaration (the request's values were put there at validation). */
export function inputValue(declaration: InputDeclaration | undefined): JsonValue | undefined {
  if (typeof declaration !== 'object' || declaration === null || Array.isArray(declaration)) return declaration;
  const type = Object.hasOwn(declaration, 'type') ? (declaration as { type: unknown }).type : undefined;
  const declared = ['number', 'string', 'boolean', 'time', 'artifact'].some((name) => name === type);
  return declared ? (declaration as { default?: JsonValue }).default : declaration;
}

function ownArguments(node: PlanNode, tool: ToolDefinition): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(node.args).filter(([name]) => !Object.hasOwn(tool.ports.inputs, name)));
}

/**
 * Resolves the arguments of a node of a validated plan. Throws `ToolError` UPSTREAM_NOT_COMPLETED when a needed value is
 * not there (and the reference has no default), STATE_INVALID when the plan is none that validation lets through.
 */
export function resolveArguments(
  plan: Pick<Plan, 'inputs'>,
  node: PlanNode,
  tool: ToolDefinition,
  lookup: OutputLookup,
): ResolvedArguments {
  const ports = new Map<string, OutputRef>();
  for (const name of Object.keys(tool.ports.inputs).sort()) {
    const given = Object.hasOwn(node.args, name) ? node.args[name] : undefined;
    if (given === undefined) continue;
    const target = isReference(given) ? parseReference(given.ref) : undefined;
    if (target?.kind !== 'node') throw invalid(node, `the port ${name} holds no reference to an output`);
    ports.set(name, { nodeId: target.nodeId, output: target.output });
  }
  const inputs = new Map(Object.entries(plan.inputs));
  const args = substitute<never>(ownArguments(node, tool), (reference, target) =>
    valueOf(node, reference, target, inputs, lookup),
  );
  return {
    args: args as Record<string, JsonValue>,
    ports,
    sources: sourcesOf(node, tool, args as Record<string, JsonValue>),
  };
}

function valueOf(
  node: PlanNode,
  reference: Reference,
  target: ReferenceTarget | undefined,
  inputs: ReadonlyMap<string, InputDeclaration>,
  lookup: OutputLookup,
): JsonValue {
  if (target?.kind !== 'node' && target?.kind !== 'input') throw invalid(node, `${reference.ref} has no value here`);
  const start = target.kind === 'input' ? inputValue(inputs.get(target.name)) : lookup(target.nodeId, target.output);
  const walk = start === undefined ? undefined : walkPath(start, target.path, stepIntoValue);
  if (walk?.ok === true) return walk.at;
  if (reference.default !== undefined) return reference.default;
  const message = `${node.id} needs ${reference.ref}, which has no value`;
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
