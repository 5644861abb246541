import type { PortType } from '../catalog/portTypes.ts';
import type { Finding } from '../plan/finding.ts';
import { stepIntoSchema } from '../plan/jsonSchema.ts';
import { templatesOf, type TemplatePlace } from '../plan/nodeReferences.ts';
import { collectReferences, stepIntoValue, walkPath, type FoundReference } from '../plan/references.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import { nameHint, quote, refuse } from './findings.ts';
import { outputSeen, type World } from './given.ts';
import { itemMember, itemName } from './loops.ts';
import { schemaOfPort } from './portSchema.ts';

interface Place {
  readonly world: World;
  /** Absent for the plan's outputs. */
  readonly node?: PlanNode;
  readonly in: TemplatePlace | 'outputs';
  readonly inputNames: ReadonlySet<string>;
}

type More = { readonly nodeId?: string };

const moreOf = ({ node }: Place): More => (node === undefined ? {} : { nodeId: node.id });

/** Reference pass: form, node, output, path into its schema, input, `$item` and `$output` at their places only. */
export function checkReferences(world: World): Finding[] {
  const findings: Finding[] = [];
  const inputNames = new Set(Object.keys(world.inputs.inputs));
  for (const [i, node] of world.plan.nodes.entries()) {
    for (const { place, path, template } of templatesOf(node)) {
      findings.push(...checkTemplate(template, ['nodes', i, ...path], { world, node, in: place, inputNames }));
    }
  }
  for (const [name, output] of Object.entries(world.plan.outputs)) {
    const place: Place = { world, in: 'outputs', inputNames };
    findings.push(...checkTemplate(output as unknown as JsonValue, ['outputs', name], place));
  }
  return findings;
}

function checkTemplate(template: JsonValue, base: readonly (string | number)[], place: Place): Finding[] {
  const findings: Finding[] = [];
  const malformed = (path: string): void => {
    findings.push(
      refuse('INVALID_ARGUMENT', path, 'an object with "ref" is read as a reference: {"ref": "…", "default"?: …}', {
        ...moreOf(place),
        hint: 'write {"literal": …} around data that has a member "ref"',
      }),
    );
  };
  for (const reference of collectReferences(template, base, malformed)) findings.push(...checkOne(reference, place));
  return findings;
}

function checkOne(found: FoundReference, place: Place): Finding[] {
  const { target, ref } = found;
  const path = `${found.pointer}/ref`;
  const more = moreOf(place);
  if (target === undefined) {
    return [
      refuse('INVALID_ARGUMENT', path, `${quote(ref)} is no reference`, {
        ...more,
        hint: 'write node.output, node.output.path or $inputs.name',
      }),
    ];
  }
  switch (target.kind) {
    case 'item':
    case 'index':
      return checkItem(found, target.kind === 'item' ? target.path : [], place);
    case 'output':
      return checkOwn(target.name, target.path, path, ref, place);
    case 'input':
      return checkInput(target, found, place);
    case 'node':
      return checkNode(target, path, place);
  }
}

function checkInput(target: InputTarget, found: FoundReference, place: Place): Finding[] {
  const path = `${found.pointer}/ref`;
  const more = moreOf(place);
  if (!place.inputNames.has(target.name)) {
    return [
      refuse('UNKNOWN_INPUT', path, `the plan has no input ${quote(target.name)}`, {
        ...more,
        ...nameHint(target.name, place.inputNames, 'inputs'),
      }),
    ];
  }
  const value = place.world.inputs.values.get(target.name);
  if (value === undefined || found.hasDefault) return [];
  const walk = walkPath<JsonValue>(value, target.path, stepIntoValue);
  if (walk.ok) return [];
  const message = `the input ${quote(target.name)} has no member ${quote(walk.segment)}`;
  return [refuse('UNKNOWN_OUTPUT_PATH', path, message, more)];
}

/** `$item` and `$index`: inside a `forEach` node, beside its `items`; the member must be in every item that is known. */
function checkItem(found: FoundReference, itemPath: readonly string[], place: Place): Finding[] {
  const path = `${found.pointer}/ref`;
  const { node, world } = place;
  const more = moreOf(place);
  if (node?.forEach === undefined || place.in === 'items' || place.in === 'outputs') {
    const message = `${quote(found.ref)} has a meaning only inside "forEach"`;
    return [refuse('ITEM_OUTSIDE_FOREACH', path, message, more)];
  }
  const loop = world.loops.get(node.id);
  if (loop === undefined || found.hasDefault) return [];
  const member = itemMember(loop, itemPath);
  if (member.state !== 'missing') return [];
  const message = `${itemName(member.index)} has no member ${quote(member.segment)}`;
  return [refuse('UNKNOWN_OUTPUT_PATH', path, message, more)];
}

/** `$output`: in `expect` alone, one of the node's own outputs. */
function checkOwn(name: string, inside: readonly string[], path: string, ref: string, place: Place): Finding[] {
  const { node, world } = place;
  const more = moreOf(place);
  if (place.in !== 'expect' || node === undefined) {
    return [refuse('INVALID_ARGUMENT', path, `${quote(ref)} has a meaning only inside "expect"`, more)];
  }
  const tool = world.catalog.get(node.tool);
  if (tool === undefined) return [];
  const outputs = new Map(Object.entries(tool.ports.outputs));
  const output = outputs.get(name);
  if (output === undefined) {
    const message = `${tool.name} has no output ${quote(name)}`;
    return [refuse('UNKNOWN_OUTPUT', path, message, { ...more, ...nameHint(name, outputs.keys(), 'outputs') })];
  }
  return checkPath(output.type, ['$output', name], inside, path, more);
}

type InputTarget = Extract<FoundReference['target'], { readonly kind: 'input' }>;
type NodeTarget = Extract<FoundReference['target'], { readonly kind: 'node' }>;

function checkNode(target: NodeTarget, path: string, place: Place): Finding[] {
  const more = moreOf(place);
  const { world, node: consumer } = place;
  if (place.in === 'expect') {
    const message = '"expect" looks at the own outputs of the node, at inputs and the item alone';
    return [refuse('INVALID_ARGUMENT', path, message, { ...more, hint: 'for an own output: {"ref": "$output.name"}' })];
  }
  if (target.nodeId === consumer?.id) {
    return [refuse('SELF_DEPENDENCY', path, `${quote(target.nodeId)} refers to its own output`, more)];
  }
  const node = world.nodes.get(target.nodeId);
  if (node === undefined) {
    return [
      refuse('UNKNOWN_NODE', path, `${quote(target.nodeId)} is no node of this plan`, {
        ...more,
        ...nameHint(target.nodeId, world.nodes.keys(), 'nodes'),
      }),
    ];
  }
  const tool = world.catalog.get(node.tool);
  if (tool === undefined) return [];
  const type = outputSeen(world, place.in === 'items' ? undefined : consumer, target.nodeId, target.output);
  if (type === undefined) {
    return [
      refuse('UNKNOWN_OUTPUT', path, `${tool.name} has no output ${quote(target.output)}`, {
        ...more,
        ...nameHint(target.output, Object.keys(tool.ports.outputs), 'outputs'),
      }),
    ];
  }
  return checkPath(type, [target.nodeId, target.output], target.path, path, more);
}

function checkPath(
  type: PortType,
  start: readonly string[],
  inside: readonly string[],
  path: string,
  more: More,
): Finding[] {
  if (inside.length === 0) return [];
  const schema = type.kind === 'json' ? schemaOfPort(type) : undefined;
  if (schema === undefined) {
    const message = `the output ${quote(start.at(-1) ?? '')} is ${type.kind}; a path enters JSON outputs only`;
    return [refuse('UNKNOWN_OUTPUT_PATH', path, message, more)];
  }
  const walk = walkPath(schema, inside, stepIntoSchema);
  if (walk.ok) return [];
  const where = [...start, ...inside.slice(0, walk.index)].join('.');
  return [refuse('UNKNOWN_OUTPUT_PATH', path, `${where} has no member ${quote(walk.segment)}`, more)];
}
