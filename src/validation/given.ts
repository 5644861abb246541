/** What a reference gives where it stands, as far as a plan says it: the one source for argument and condition checks. */
import { gatheredType } from '../catalog/gathered.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { OutputPort } from '../catalog/tool.ts';
import { isItemWise } from '../plan/itemWise.ts';
import { stepIntoSchema, typesOf } from '../plan/jsonSchema.ts';
import type { TemplatePlace } from '../plan/nodeReferences.ts';
import { stepIntoValue, walkPath, type ReferenceTarget } from '../plan/references.ts';
import type { JsonValue, Plan, PlanNode } from '../plan/types.ts';
import { jsonTypesOf, type ResolvedInputs } from './inputs.ts';
import { typeOfValue } from './jsonTypes.ts';
import { itemMember, type Loop } from './loops.ts';
import { schemaOfPort } from './portSchema.ts';

export interface World {
  readonly plan: Plan;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  readonly catalog: Catalog;
  readonly inputs: ResolvedInputs;
  readonly loops: ReadonlyMap<string, Loop>;
}

/** JSON types that it can have (empty: any), or that it is nothing JSON. */
export type Given =
  | { readonly types: readonly string[] }
  | { readonly notJson: string }
  /** Another pass has a finding for it, or only the run knows. */
  | undefined;

/** The output as `consumer` sees it: that of the same item, the node's own, or the gathered ones. */
export function outputSeen(
  world: World,
  consumer: PlanNode | undefined,
  nodeId: string,
  output: string,
): OutputPort['type'] | undefined {
  const node = world.nodes.get(nodeId);
  const tool = node === undefined ? undefined : world.catalog.get(node.tool);
  const port = tool === undefined ? undefined : new Map(Object.entries(tool.ports.outputs)).get(output);
  if (node === undefined || port === undefined) return undefined;
  if (node.forEach === undefined) return port.type;
  return consumer !== undefined && isItemWise(consumer, node) ? port.type : gatheredType(port.type);
}

/** Types of what a reference gives. @param place of the reference; inside `items` nothing is item-wise. */
export function given(world: World, node: PlanNode, place: TemplatePlace, target: ReferenceTarget | undefined): Given {
  switch (target?.kind) {
    case undefined:
      return undefined;
    case 'index':
      return node.forEach === undefined ? undefined : { types: ['integer'] };
    case 'item': {
      const loop = world.loops.get(node.id);
      if (loop === undefined) return undefined;
      const member = itemMember(loop, target.path);
      return member.state === 'missing' ? undefined : { types: member.types };
    }
    case 'input': {
      const value = world.inputs.values.get(target.name);
      if (value !== undefined) {
        const walk = walkPath<JsonValue>(value, target.path, stepIntoValue);
        return walk.ok ? { types: [typeOfValue(walk.at)] } : undefined;
      }
      const open = world.inputs.open.get(target.name);
      return open === undefined || target.path.length > 0 ? undefined : { types: jsonTypesOf(open) };
    }
    case 'output':
    case 'node': {
      const [nodeId, name] = target.kind === 'node' ? [target.nodeId, target.output] : [node.id, target.name];
      // Own outputs are those of this item, whatever the loop.
      const tool = world.catalog.get(node.tool);
      const type =
        target.kind === 'output'
          ? new Map(Object.entries(tool?.ports.outputs ?? {})).get(name)?.type
          : outputSeen(world, place === 'items' ? undefined : node, nodeId, name);
      if (type === undefined) return undefined;
      const schema = schemaOfPort(type);
      // A path into what is no JSON has its own finding.
      if (schema === undefined) return target.path.length > 0 ? undefined : { notJson: type.kind };
      const walk = walkPath(schema, target.path, stepIntoSchema);
      return walk.ok ? { types: typesOf(walk.at) } : undefined;
    }
  }
}
