/** Argument pass: what a node passes to its tool beside the ports, checked against the tool's strict schema (O-29, O-30). */
import type { ToolDefinition } from '../catalog/tool.ts';
import type { Finding } from '../plan/finding.ts';
import { stepIntoSchema, typesOf, typesOverlap, type SchemaCursor } from '../plan/jsonSchema.ts';
import { holdsUnknown, parseKnown, Unknown } from '../plan/parseKnown.ts';
import { pointer } from '../plan/pointer.ts';
import {
  collectReferences,
  isLiteral,
  isReference,
  stepIntoValue,
  walkPath,
  type ReferenceTarget,
} from '../plan/references.ts';
import { forItem, resolveReference, scopeOf, type ItemValue, type Scope } from '../plan/resolveReference.ts';
import { substitute } from '../plan/substitute.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import type { ValidationContext } from './context.ts';
import { fillDefaults } from './defaults.ts';
import { nameHint, quote, refuse } from './findings.ts';
import { given as givenBy, type World } from './given.ts';
import { itemName } from './loops.ts';
import { checkSource, sourceRequired } from './sources.ts';

export interface CheckedArguments {
  readonly findings: readonly Finding[];
  /** Argument templates with sources and defaults filled in; ports as they were given. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Literal arguments after defaults, for the `types` rule; `undefined` when something is wrong with them. */
  readonly literal: Readonly<Record<string, unknown>> | undefined;
}

interface Place {
  readonly world: World;
  readonly node: PlanNode;
  readonly index: number;
  readonly tool: ToolDefinition;
  readonly schema: SchemaCursor;
  readonly scope: Scope;
  readonly context: ValidationContext;
}

/** Of items that the plan says, so many are held against the tools' schemas before a run, over all loops together. */
const MOST_ITEMS_PARSED = 2_000;
const itemsParsed = (loops: number): number => Math.min(200, Math.ceil(MOST_ITEMS_PARSED / Math.max(1, loops)));

const at = (place: Place, ...path: readonly (string | number)[]): string =>
  pointer('nodes', place.index, 'args', ...path);

/** Checks the arguments of one node; never looks at ports. */
export function checkArguments(
  world: World,
  index: number,
  node: PlanNode,
  tool: ToolDefinition,
  context: ValidationContext,
): CheckedArguments {
  const input = context.catalog.describe(tool.name)?.input ?? {};
  const schema = { schema: input, root: input };
  const scope = scopeOf({ inputs: world.inputs.inputs, nodes: [] }, node, () => undefined);
  const place: Place = { world, node, index, tool, schema, scope, context };
  const ports = new Set(Object.keys(tool.ports.inputs));
  const own = new Map(Object.entries(node.args).filter(([name]) => !ports.has(name)));
  const findings: Finding[] = [];
  findings.push(...dropUnknown(place, own, ports));
  findings.push(...checkSources(place, own));
  findings.push(...checkReferenceTypes(place, own));
  const { problems, literal } = parseArguments(place, own);
  const atFault = new Set(findings.map(({ path }) => path));
  findings.push(...problems.filter(({ path }) => !atFault.has(path)));
  if (findings.length === 0) findings.push(...parseItems(place, own));
  const filled = fillDefaults(Object.fromEntries(own), input);
  const given = Object.entries(node.args).filter(([name]) => ports.has(name));
  return {
    findings,
    args: { ...filled, ...Object.fromEntries(given) },
    literal: findings.length === 0 ? literal : undefined,
  };
}

/** Names that are neither port nor argument: refused and left out of what follows. */
function dropUnknown(place: Place, own: Map<string, JsonValue>, ports: ReadonlySet<string>): Finding[] {
  const schema = place.schema.schema as { readonly properties?: Readonly<Record<string, unknown>> };
  if (schema.properties === undefined) return [];
  const known = new Set(Object.keys(schema.properties));
  return [...own.keys()]
    .filter((name) => !known.has(name))
    .map((name) => {
      own.delete(name);
      const path = at(place, name);
      return refuse('UNKNOWN_ARGUMENT', path, `${place.tool.name} has no argument ${quote(name)}`, {
        nodeId: place.node.id,
        ...nameHint(name, [...known, ...ports], 'arguments'),
        fix: [{ op: 'remove', path }],
      });
    });
}

function checkSources(place: Place, own: Map<string, JsonValue>): Finding[] {
  const findings: Finding[] = [];
  for (const name of place.tool.sources) {
    const given = own.get(name);
    if (given === undefined) {
      if (place.context.development) own.set(name, 'sample');
      else findings.push(sourceRequired(name, at(place, name), place.node.id));
      continue;
    }
    findings.push(...checkGivenSource(place, name, given));
  }
  return findings;
}

function checkGivenSource(place: Place, name: string, given: JsonValue): Finding[] {
  const path = at(place, name);
  const check = (value: unknown): Finding[] => checkSource(value as JsonValue, path, place.node.id, place.context);
  const kinds = collectReferences(given).map(({ target }) => target?.kind);
  if (kinds.includes('item') || kinds.includes('index')) {
    const items = place.world.loops.get(place.node.id)?.items;
    if (items === undefined) return place.node.forEach === undefined ? [] : [unknownSource(path, place)];
    for (const [index, value] of items.entries()) {
      const source = resolveKnown(place, given, { index, value });
      const [problem] = holdsUnknown(source) ? [unknownSource(path, place)] : check(source);
      if (problem !== undefined) return [{ ...problem, message: `${itemName(index)}: ${problem.message}` }];
    }
    return [];
  }
  const value = resolveKnown(place, given, undefined);
  if (!(value instanceof Unknown)) return check(value);
  return isReference(given) && kinds[0] === 'node' ? [unknownSource(path, place)] : [];
}

const unknownSource = (path: string, place: Place): Finding =>
  refuse('INVALID_ARGUMENT', path, 'a source is named in the plan or in its inputs, never by the result of a node', {
    nodeId: place.node.id,
  });

/** The template with what is known put in; unknown values become marks. */
function resolveKnown(
  place: Place,
  template: JsonValue,
  item: ItemValue | undefined,
  unknowns?: (path: readonly (string | number)[]) => void,
): unknown {
  const scope = item === undefined ? place.scope : forItem(place.scope, item);
  return substitute<Unknown>(template, (reference, target, path) => {
    const isKnown =
      target?.kind === 'input'
        ? place.world.inputs.values.has(target.name)
        : item !== undefined && (target?.kind === 'item' || target?.kind === 'index');
    const found = isKnown ? resolveReference(scope, reference, target) : undefined;
    if (found?.state === 'value') return found.value;
    unknowns?.(path);
    return new Unknown();
  });
}

function isKnownHere(place: Place, target: ReferenceTarget | undefined): boolean {
  if (target?.kind === 'input') return place.world.inputs.values.has(target.name);
  const isItem = target?.kind === 'item' || target?.kind === 'index';
  return isItem && place.world.loops.get(place.node.id)?.items !== undefined;
}

/** References inside arguments: what they give must be JSON, of a type the argument can have. */
function checkReferenceTypes(place: Place, own: ReadonlyMap<string, JsonValue>): Finding[] {
  const findings: Finding[] = [];
  const base = ['nodes', place.index, 'args'];
  for (const [name, template] of own) {
    for (const found of collectReferences(template, [...base, name])) {
      // What is known is put in and parsed instead, which says more.
      if (isKnownHere(place, found.target)) continue;
      const given = givenBy(place.world, place.node, 'args', found.target);
      if (given === undefined) continue;
      const report = (what: string): void => {
        const message = `${quote(found.ref)} ${what}`;
        findings.push(refuse('TYPE_MISMATCH', found.pointer, message, { nodeId: place.node.id }));
      };
      if ('notJson' in given) report(`is ${given.notJson}; only JSON, numbers and times can be used inside arguments`);
      else {
        const path = found.pointer
          .split('/')
          .slice(4)
          .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
        const wanted = walkPath(place.schema, path, stepIntoSchema);
        const types = wanted.ok ? typesOf(wanted.at) : [];
        if (!typesOverlap(given.types, types))
          report(`is ${given.types.join(' or ')}; the argument takes ${types.join(' or ')}`);
      }
    }
  }
  return findings;
}

type Path = readonly (string | number)[];

interface Parsed {
  readonly problems: Finding[];
  readonly literal: Readonly<Record<string, unknown>> | undefined;
}

function parseArguments(place: Place, own: ReadonlyMap<string, JsonValue>, item?: ItemValue): Parsed {
  const unknowns: Path[] = [];
  const template = Object.fromEntries(own);
  const resolved = resolveKnown(place, template, item, (path) => unknowns.push(path));
  const { issues, literal } = parseKnown(place.tool.input, resolved, unknowns);
  const problems: Finding[] = [];
  for (const issue of issues) {
    const path = issue.path as Path;
    const where = at(place, ...placeInTemplate(template, path));
    const more = { nodeId: place.node.id };
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const member = `${where}${pointer(key)}`;
        const message = `${quote(key)} is unknown here`;
        problems.push(refuse('UNKNOWN_ARGUMENT', member, message, { ...more, fix: [{ op: 'remove', path: member }] }));
      }
    } else if (valueAt(resolved, path) === undefined) {
      const name = path.join('.');
      problems.push(refuse('MISSING_ARGUMENT', where, `${place.tool.name} needs the argument ${quote(name)}`, more));
    } else problems.push(refuse('INVALID_ARGUMENT', where, issue.message, more));
  }
  return { problems, literal };
}

/**
 * Arguments of the items that the plan says: of each path the first item at fault. Only the first items are looked at
 * here; the expansion looks at all of them before the first instance starts.
 */
function parseItems(place: Place, own: ReadonlyMap<string, JsonValue>): Finding[] {
  const items = place.world.loops.get(place.node.id)?.items ?? [];
  const uses = collectReferences(Object.fromEntries(own)).some(
    ({ target }) => target?.kind === 'item' || target?.kind === 'index',
  );
  if (!uses) return [];
  const first = new Map<string, Finding>();
  for (const [index, value] of items.slice(0, itemsParsed(place.world.loops.size)).entries()) {
    for (const { fix: _fix, ...finding } of parseArguments(place, own, { index, value }).problems) {
      const message = `${itemName(index)}: ${finding.message}`;
      if (!first.has(finding.path)) first.set(finding.path, { ...finding, message });
    }
  }
  return [...first.values()];
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[segment];
  }
  return current;
}

/** The path of a problem in the resolved value, as a path in the template: through `literal`, up to a reference. */
function placeInTemplate(template: JsonValue, path: Path): Path {
  const place: (string | number)[] = [];
  let current: JsonValue | undefined = template;
  for (const segment of path) {
    if (current !== undefined && isLiteral(current)) {
      place.push('literal');
      current = current.literal;
    }
    if (current !== undefined && isReference(current)) return place;
    place.push(segment);
    current = current === undefined ? undefined : stepIntoValue(current, String(segment));
  }
  return place;
}
