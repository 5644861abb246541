/** The value of one reference inside a node: the one rule that validator, expansion and run share. */
import { isItemWise } from './itemWise.ts';
import { stepIntoValue, walkPath, type ReferenceTarget } from './references.ts';
import type { InputDeclaration, JsonValue, Plan, PlanNode, Reference } from './types.ts';

/** Output of a node; with `item` that of one instance of a `forEach` node, without it the node's own (gathered) one. */
export interface OutputRef {
  readonly nodeId: string;
  readonly output: string;
  readonly item?: number;
}

/** JSON value of an output of a completed node or item; `undefined` when there is none. */
export type OutputLookup = (nodeId: string, output: string, item?: number) => JsonValue | undefined;

/** One element of `forEach.items`. */
export interface ItemValue {
  readonly index: number;
  readonly value: JsonValue;
}

/** What references of one node (or one of its items) are resolved in. */
export interface Scope {
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  readonly node: PlanNode;
  readonly lookup: OutputLookup;
  /** The item of this instance; absent outside `forEach`. */
  readonly item?: ItemValue;
  /** Values of the node's own JSON outputs, for `expect` alone. */
  readonly own?: ReadonlyMap<string, JsonValue>;
}

export type ReferenceValue =
  | { readonly state: 'value'; readonly value: JsonValue }
  /** The output, or the member its path names, is not there. `from` names the output, where it is one. */
  | { readonly state: 'absent'; readonly from?: OutputRef; readonly found: boolean }
  /** It has no meaning at this place: validation lets none through. */
  | { readonly state: 'invalid' };

/** Scope of a node of a plan. @param item only for an instance of a `forEach` node. */
export function scopeOf(
  plan: Pick<Plan, 'inputs' | 'nodes'>,
  node: PlanNode,
  lookup: OutputLookup,
  item?: ItemValue,
): Scope {
  const base = {
    inputs: new Map(Object.entries(plan.inputs)),
    nodes: new Map(plan.nodes.map((one) => [one.id, one])),
    node,
    lookup,
  };
  return item === undefined ? base : { ...base, item };
}

/** The same scope for one item of a `forEach` node. */
export const forItem = (scope: Scope, item: ItemValue): Scope => ({ ...scope, item });

/** Value of an input: the literal, or the default of its declaration (the request's values were put there at validation). */
export function inputValue(declaration: InputDeclaration | undefined): JsonValue | undefined {
  if (typeof declaration !== 'object' || declaration === null || Array.isArray(declaration)) return declaration;
  const type = Object.hasOwn(declaration, 'type') ? (declaration as { type: unknown }).type : undefined;
  const declared = ['number', 'string', 'boolean', 'time', 'artifact'].some((name) => name === type);
  return declared ? (declaration as { default?: JsonValue }).default : declaration;
}

/**
 * Which output a reference from inside `node` means: of a `forEach` node over the same items the output of the same
 * item, of any other node its own. @param index of the item; absent outside `forEach` and in `forEach.items`.
 */
export function outputRefOf(
  node: PlanNode,
  nodes: ReadonlyMap<string, PlanNode>,
  target: Extract<ReferenceTarget, { readonly kind: 'node' }>,
  index: number | undefined,
): OutputRef {
  const { nodeId, output } = target;
  const other = nodes.get(nodeId);
  if (index === undefined || other === undefined || !isItemWise(node, other)) return { nodeId, output };
  return { nodeId, output, item: index };
}

/** Looks a reference up; its default is for the caller, who knows whether it counts. Never throws. */
export function lookUp(scope: Scope, target: ReferenceTarget | undefined): ReferenceValue {
  const enter = (start: JsonValue | undefined, path: readonly string[], from?: OutputRef): ReferenceValue => {
    const walk = start === undefined ? undefined : walkPath(start, path, stepIntoValue);
    if (walk?.ok === true) return { state: 'value', value: walk.at };
    const found = start !== undefined;
    return from === undefined ? { state: 'absent', found } : { state: 'absent', from, found };
  };
  switch (target?.kind) {
    case 'input':
      return enter(inputValue(scope.inputs.get(target.name)), target.path);
    case 'item':
      return scope.item === undefined ? { state: 'invalid' } : enter(scope.item.value, target.path);
    case 'index':
      return scope.item === undefined ? { state: 'invalid' } : { state: 'value', value: scope.item.index };
    case 'output':
      return scope.own === undefined ? { state: 'invalid' } : enter(scope.own.get(target.name), target.path);
    case 'node': {
      const from = outputRefOf(scope.node, scope.nodes, target, scope.item?.index);
      return enter(scope.lookup(from.nodeId, from.output, from.item), target.path, from);
    }
    case undefined:
      return { state: 'invalid' };
  }
}

/** The same with the reference's default in place of what is absent. */
export function resolveReference(
  scope: Scope,
  reference: Reference,
  target: ReferenceTarget | undefined,
): ReferenceValue {
  const value = lookUp(scope, target);
  if (value.state !== 'absent' || reference.default === undefined) return value;
  return { state: 'value', value: reference.default };
}
