/** Loop pass: what a `forEach` runs over, how often, and what `$item` is (design §2). */
import { gatheredType } from '../catalog/gathered.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Finding } from '../plan/finding.ts';
import { MAX_ITEMS } from '../plan/forEach.ts';
import { stepIntoSchema, typesOf, typesOverlap, type SchemaCursor } from '../plan/jsonSchema.ts';
import { isReference, parseReference, stepIntoValue, walkPath } from '../plan/references.ts';
import { lookUp, scopeOf } from '../plan/resolveReference.ts';
import { substitute } from '../plan/substitute.ts';
import type { JsonValue, Plan, PlanNode } from '../plan/types.ts';
import { quote, refuse } from './findings.ts';
import { jsonTypesOf, type ResolvedInputs } from './inputs.ts';
import { typeOfValue } from './jsonTypes.ts';
import { schemaOfPort } from './portSchema.ts';

/** Most instances of all `forEach` nodes of a plan together: two full loops. */
export const MAX_INSTANCES = 20_000;

export interface Loop {
  /** The items, where the plan and its inputs say them. */
  readonly items: readonly JsonValue[] | undefined;
  /** Schema of one item, where they come from a node. */
  readonly element: SchemaCursor;
  /** Instances: the number of items where it is known, else `maxItems`. */
  readonly count: number;
}

const ANY: SchemaCursor = { schema: {}, root: {} };

type Source =
  | { readonly state: 'known'; readonly value: JsonValue }
  | { readonly state: 'schema'; readonly cursor: SchemaCursor }
  | { readonly state: 'types'; readonly types: readonly string[] }
  /** Nothing to say here: another pass refuses it, or only the run knows. */
  | { readonly state: 'open' };

function sourceOf(plan: Plan, node: PlanNode, items: JsonValue, catalog: Catalog, inputs: ResolvedInputs): Source {
  const scope = scopeOf({ nodes: [], inputs: inputs.inputs }, node, () => undefined);
  let openCount = 0;
  const value = substitute<null>(items, (reference, target) => {
    const isKnown = target?.kind === 'input' && inputs.values.has(target.name);
    const found = isKnown ? lookUp(scope, target) : undefined;
    if (found?.state === 'value') return found.value;
    if (found !== undefined && reference.default !== undefined) return reference.default;
    openCount += 1;
    return null;
  }) as JsonValue;
  if (openCount === 0) return { state: 'known', value };
  if (!isReference(items)) return { state: 'open' };
  const target = parseReference(items.ref);
  if (target?.kind === 'input') {
    const declared = inputs.open.get(target.name);
    return declared === undefined || target.path.length > 0
      ? { state: 'open' }
      : { state: 'types', types: jsonTypesOf(declared) };
  }
  if (target?.kind !== 'node') return { state: 'open' };
  const from = plan.nodes.find(({ id }) => id === target.nodeId);
  const tool = from === undefined ? undefined : catalog.get(from.tool);
  const output = tool === undefined ? undefined : new Map(Object.entries(tool.ports.outputs)).get(target.output);
  if (from === undefined || output === undefined) return { state: 'open' };
  const type = from.forEach === undefined ? output.type : gatheredType(output.type);
  const schema = schemaOfPort(type);
  if (schema === undefined) return target.path.length > 0 ? { state: 'open' } : { state: 'types', types: [type.kind] };
  const walk = walkPath(schema, target.path, stepIntoSchema);
  return walk.ok ? { state: 'schema', cursor: walk.at } : { state: 'open' };
}

export interface Loops {
  /** By node id. */
  readonly loops: ReadonlyMap<string, Loop>;
  readonly findings: readonly Finding[];
}

/** Looks at every `forEach`: TYPE_MISMATCH for items that are no array, FANOUT_LIMIT for too many. */
export function checkLoops(plan: Plan, catalog: Catalog, inputs: ResolvedInputs): Loops {
  const loops = new Map<string, Loop>();
  const findings: Finding[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    if (node.forEach === undefined) continue;
    const { items, maxItems } = node.forEach;
    const base = `/nodes/${index}/forEach`;
    const more = { nodeId: node.id };
    if (maxItems > MAX_ITEMS) {
      findings.push(
        refuse('FANOUT_LIMIT', `${base}/maxItems`, `${maxItems} items; one loop may run at most ${MAX_ITEMS}`, {
          ...more,
          fix: [{ op: 'replace', path: `${base}/maxItems`, value: MAX_ITEMS }],
        }),
      );
    }
    const source = sourceOf(plan, node, items, catalog, inputs);
    const notArray = (what: string): void => {
      findings.push(refuse('TYPE_MISMATCH', `${base}/items`, `the items are ${what}; an array is needed`, more));
    };
    let known: readonly JsonValue[] | undefined;
    let element = ANY;
    if (source.state === 'known') {
      if (Array.isArray(source.value)) known = source.value;
      else notArray(source.value === null ? 'null' : `of type ${typeof source.value}`);
    } else if (source.state === 'types') notArray(source.types.join(' or '));
    else if (source.state === 'schema') {
      const types = typesOf(source.cursor);
      if (typesOverlap(types, ['array'])) element = stepIntoSchema(source.cursor, '0') ?? ANY;
      else notArray(types.join(' or '));
    }
    if (known !== undefined && known.length > maxItems) {
      const message = `${known.length} items; the plan allows ${maxItems} ("maxItems")`;
      findings.push(refuse('FANOUT_LIMIT', `${base}/items`, message, more));
    }
    loops.set(node.id, { items: known, element, count: Math.min(known?.length ?? maxItems, MAX_ITEMS) });
  }
  const total = [...loops.values()].reduce((sum, { count }) => sum + count, 0);
  if (total > MAX_INSTANCES) {
    const message = `all loops together would run ${total} instances; at most ${MAX_INSTANCES} are allowed`;
    findings.push(refuse('FANOUT_LIMIT', '/nodes', message, { hint: 'lower "maxItems", or split the work over runs' }));
  }
  return { loops, findings };
}

/** What a path into `$item` leads to. */
export type ItemMember =
  /** JSON types that it can have; empty: any. */
  | { readonly state: 'types'; readonly types: readonly string[] }
  | { readonly state: 'missing'; readonly segment: string; readonly index: number | undefined };

/** One array may be the items of many nodes and be asked about by every reference: each path is walked once. */
const walked = new WeakMap<readonly JsonValue[], Map<string, ItemMember>>();

function memberOfValues(items: readonly JsonValue[], path: readonly string[]): ItemMember {
  const types = new Set<string>();
  for (const [index, item] of items.entries()) {
    const walk = walkPath<JsonValue>(item, path, stepIntoValue);
    if (!walk.ok) return { state: 'missing', segment: walk.segment, index };
    types.add(typeOfValue(walk.at));
  }
  return { state: 'types', types: [...types].sort() };
}

/** @returns in `missing`, where the items are known, the index of the first that lacks the member. */
export function itemMember(loop: Loop, path: readonly string[]): ItemMember {
  if (loop.items === undefined) {
    const walk = walkPath(loop.element, path, stepIntoSchema);
    if (walk.ok) return { state: 'types', types: typesOf(walk.at) };
    return { state: 'missing', segment: walk.segment, index: undefined };
  }
  const known = walked.get(loop.items) ?? new Map<string, ItemMember>();
  walked.set(loop.items, known);
  const key = path.join('.');
  const member = known.get(key) ?? memberOfValues(loop.items, path);
  known.set(key, member);
  return member;
}

/** For messages: `item 3`, or the item in general. */
export const itemName = (index: number | undefined): string =>
  index === undefined ? quote('$item') : `item ${String(index)}`;
