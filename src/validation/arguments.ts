/** Argument pass: what a node passes to its tool beside the ports, checked against the tool's strict schema (O-29, O-30). */
import type { ToolDefinition } from '../catalog/tool.ts';
import type { Finding } from '../plan/finding.ts';
import { stepIntoSchema, typesOf, typesOverlap, type SchemaCursor } from '../plan/jsonSchema.ts';
import { pointer } from '../plan/pointer.ts';
import { collectReferences, isLiteral, isReference, stepIntoValue, walkPath } from '../plan/references.ts';
import { substitute } from '../plan/substitute.ts';
import type { JsonValue, Plan, PlanNode } from '../plan/types.ts';
import type { ValidationContext } from './context.ts';
import { fillDefaults } from './defaults.ts';
import { nameHint, quote, refuse } from './findings.ts';
import { jsonTypesOf, type ResolvedInputs } from './inputs.ts';
import { schemaOfPort } from './references.ts';
import { checkSource, sourceRequired } from './sources.ts';

export interface CheckedArguments {
  readonly findings: readonly Finding[];
  /** Argument templates with sources and defaults filled in; ports as they were given. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Literal arguments after defaults, for the `types` rule; `undefined` when something is wrong with them. */
  readonly literal: Readonly<Record<string, unknown>> | undefined;
}

/** Stands for a value that only the run will know. */
class Unknown {
  readonly unknown = true;
}

interface Place {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly index: number;
  readonly tool: ToolDefinition;
  readonly schema: SchemaCursor;
  readonly inputs: ResolvedInputs;
  readonly context: ValidationContext;
}

const at = (place: Place, ...path: readonly (string | number)[]): string =>
  pointer('nodes', place.index, 'args', ...path);

/** Checks the arguments of one node; never looks at ports. */
export function checkArguments(
  plan: Plan,
  index: number,
  node: PlanNode,
  tool: ToolDefinition,
  inputs: ResolvedInputs,
  context: ValidationContext,
): CheckedArguments {
  const input = context.catalog.describe(tool.name)?.input ?? {};
  const place: Place = { plan, node, index, tool, schema: { schema: input, root: input }, inputs, context };
  const ports = new Set(Object.keys(tool.ports.inputs));
  const own = new Map(Object.entries(node.args).filter(([name]) => !ports.has(name)));
  const findings: Finding[] = [];
  findings.push(...dropUnknown(place, own, ports));
  findings.push(...checkSources(place, own));
  findings.push(...checkReferenceTypes(place, own));
  const { problems, literal } = parseArguments(place, own);
  const sourcesAtFault = new Set(findings.map(({ path }) => path));
  findings.push(...problems.filter(({ path }) => !sourcesAtFault.has(path)));
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
    const value = resolveKnown(place, given);
    if (value instanceof Unknown) {
      const fromNode = isReference(given) && collectReferences(given)[0]?.target?.kind === 'node';
      const message = 'a source is named in the plan or in its inputs, never by the result of a node';
      if (fromNode) findings.push(refuse('INVALID_ARGUMENT', at(place, name), message, { nodeId: place.node.id }));
    } else findings.push(...checkSource(value as JsonValue, at(place, name), place.node.id, place.context));
  }
  return findings;
}

/** The template with what is known put in; unknown values become marks. */
function resolveKnown(
  place: Place,
  template: JsonValue,
  unknowns?: (path: readonly (string | number)[]) => void,
): unknown {
  return substitute<Unknown>(template, (_reference, target, path) => {
    if (target?.kind === 'input' && place.inputs.values.has(target.name)) {
      const start = place.inputs.values.get(target.name) ?? null;
      const walk = walkPath<JsonValue>(start, target.path, stepIntoValue);
      if (walk.ok) return walk.at;
      if (_reference.default !== undefined) return _reference.default;
    }
    unknowns?.(path);
    return new Unknown();
  });
}

/** References inside arguments: what they give must be JSON, of a type the argument can have. */
function checkReferenceTypes(place: Place, own: ReadonlyMap<string, JsonValue>): Finding[] {
  const findings: Finding[] = [];
  const base = ['nodes', place.index, 'args'];
  for (const [name, template] of own) {
    for (const found of collectReferences(template, [...base, name])) {
      const given = typesOfReference(place, found.target);
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

function typesOfReference(
  place: Place,
  target: ReturnType<typeof collectReferences>[number]['target'],
): { readonly types: readonly string[] } | { readonly notJson: string } | undefined {
  if (target?.kind === 'input') {
    const open = place.inputs.open.get(target.name);
    if (target.path.length > 0) {
      const value = place.inputs.values.get(target.name);
      if (value === undefined || walkPath<JsonValue>(value, target.path, stepIntoValue).ok) return undefined;
      return { notJson: 'not there: the input has no such member' };
    }
    return open === undefined ? undefined : { types: jsonTypesOf(open) };
  }
  if (target?.kind !== 'node') return undefined;
  const tool = place.context.catalog.get(place.plan.nodes.find(({ id }) => id === target.nodeId)?.tool ?? '');
  const output = tool === undefined ? undefined : new Map(Object.entries(tool.ports.outputs)).get(target.output);
  if (output === undefined) return undefined;
  const schema = schemaOfPort(output.type);
  // A path into what is no JSON has its own finding.
  if (schema === undefined) return target.path.length > 0 ? undefined : { notJson: output.type.kind };
  const walk = walkPath(schema, target.path, stepIntoSchema);
  return walk.ok ? { types: typesOf(walk.at) } : undefined;
}

type Path = readonly (string | number)[];

const startsWith = (path: Path, prefix: Path): boolean => prefix.every((segment, i) => path[i] === segment);

function parseArguments(
  place: Place,
  own: ReadonlyMap<string, JsonValue>,
): { readonly problems: Finding[]; readonly literal: Readonly<Record<string, unknown>> | undefined } {
  const unknowns: Path[] = [];
  const template = Object.fromEntries(own);
  const resolved = resolveKnown(place, template, (path) => unknowns.push(path));
  let parsed: ReturnType<ToolDefinition['input']['safeParse']>;
  try {
    parsed = place.tool.input.safeParse(resolved);
  } catch {
    // A schema that computes on a value which is not known yet: the run parses again with all values.
    return { problems: [], literal: withoutUnknown(resolved) };
  }
  if (parsed.success) return { problems: [], literal: withoutUnknown(parsed.data) };
  const problems: Finding[] = [];
  for (const issue of parsed.error.issues) {
    const path = issue.path as Path;
    if (unknowns.some((unknown) => startsWith(path, unknown))) continue;
    const aboutWhole = issue.code === 'invalid_union' || issue.code === 'custom';
    if (aboutWhole && unknowns.some((unknown) => startsWith(unknown, path))) continue;
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
  return { problems, literal: problems.length === 0 ? withoutUnknown(resolved) : undefined };
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

/** Top-level arguments that hold no unknown value. */
function withoutUnknown(args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !holdsUnknown(value)));
}

function holdsUnknown(value: unknown): boolean {
  if (value instanceof Unknown) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsUnknown);
}
