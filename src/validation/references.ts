import type { Catalog } from '../catalog/catalog.ts';
import type { PortType } from '../catalog/portTypes.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { Finding } from '../plan/finding.ts';
import { stepIntoSchema, type SchemaCursor } from '../plan/jsonSchema.ts';
import { collectReferences, walkPath, type FoundReference } from '../plan/references.ts';
import type { JsonValue, Plan } from '../plan/types.ts';
import { nameHint, quote, refuse } from './findings.ts';

/** JSON Schema of what a reference to an output of this type gives; `undefined` for what only ports can take. */
export function schemaOfPort(type: PortType): SchemaCursor | undefined {
  switch (type.kind) {
    case 'json':
      return { schema: type.schema, root: type.schema };
    case 'number':
      return { schema: { type: 'number' }, root: {} };
    case 'time':
      return { schema: { type: 'string' }, root: {} };
    default:
      return undefined;
  }
}

interface Place {
  readonly plan: Plan;
  readonly catalog: Catalog;
  readonly nodeId?: string;
  readonly inputNames: ReadonlySet<string>;
}

/** Reference pass: form, node, output, path into its schema, input, `$item` outside `forEach`. */
export function checkReferences(plan: Plan, catalog: Catalog, inputNames: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  for (const [i, node] of plan.nodes.entries()) {
    const place: Place = { plan, catalog, nodeId: node.id, inputNames };
    findings.push(...checkTemplate(node.args, ['nodes', i, 'args'], place));
  }
  for (const [name, output] of Object.entries(plan.outputs)) {
    const place: Place = { plan, catalog, inputNames };
    findings.push(...checkTemplate(output as unknown as JsonValue, ['outputs', name], place));
  }
  return findings;
}

function checkTemplate(template: JsonValue, base: readonly (string | number)[], place: Place): Finding[] {
  const more = place.nodeId === undefined ? {} : { nodeId: place.nodeId };
  const findings: Finding[] = [];
  const malformed = (path: string): void => {
    findings.push(
      refuse('INVALID_ARGUMENT', path, 'an object with "ref" is read as a reference: {"ref": "…", "default"?: …}', {
        ...more,
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
  const more = place.nodeId === undefined ? {} : { nodeId: place.nodeId };
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
      return [refuse('ITEM_OUTSIDE_FOREACH', path, `${quote(ref)} has a meaning only inside "forEach"`, more)];
    case 'output':
      return [refuse('INVALID_ARGUMENT', path, `${quote(ref)} has a meaning only inside "expect"`, more)];
    case 'input':
      if (place.inputNames.has(target.name)) return [];
      return [
        refuse('UNKNOWN_INPUT', path, `the plan has no input ${quote(target.name)}`, {
          ...more,
          ...nameHint(target.name, place.inputNames, 'inputs'),
        }),
      ];
    case 'node':
      return checkNode(target, path, place, more);
  }
}

type NodeTarget = Extract<FoundReference['target'], { readonly kind: 'node' }>;

function checkNode(target: NodeTarget, path: string, place: Place, more: { readonly nodeId?: string }): Finding[] {
  if (target.nodeId === place.nodeId) {
    return [refuse('SELF_DEPENDENCY', path, `${quote(target.nodeId)} refers to its own output`, more)];
  }
  const node = place.plan.nodes.find(({ id }) => id === target.nodeId);
  if (node === undefined) {
    const ids = place.plan.nodes.map(({ id }) => id);
    return [
      refuse('UNKNOWN_NODE', path, `${quote(target.nodeId)} is no node of this plan`, {
        ...more,
        ...nameHint(target.nodeId, ids, 'nodes'),
      }),
    ];
  }
  const tool = place.catalog.get(node.tool);
  if (tool === undefined) return [];
  return checkOutput(target, tool, path, more);
}

function checkOutput(
  target: NodeTarget,
  tool: ToolDefinition,
  path: string,
  more: { readonly nodeId?: string },
): Finding[] {
  const outputs = new Map(Object.entries(tool.ports.outputs));
  const output = outputs.get(target.output);
  if (output === undefined) {
    return [
      refuse('UNKNOWN_OUTPUT', path, `${tool.name} has no output ${quote(target.output)}`, {
        ...more,
        ...nameHint(target.output, outputs.keys(), 'outputs'),
      }),
    ];
  }
  if (target.path.length === 0) return [];
  const schema = output.type.kind === 'json' ? schemaOfPort(output.type) : undefined;
  if (schema === undefined) {
    const message = `the output ${quote(target.output)} is ${output.type.kind}; a path enters JSON outputs only`;
    return [refuse('UNKNOWN_OUTPUT_PATH', path, message, more)];
  }
  const walk = walkPath(schema, target.path, stepIntoSchema);
  if (walk.ok) return [];
  const where = [target.nodeId, target.output, ...target.path.slice(0, walk.index)].join('.');
  return [refuse('UNKNOWN_OUTPUT_PATH', path, `${where} has no member ${quote(walk.segment)}`, more)];
}
