/** Normalisation (contracts.md): the two insertions that need no judgement, visible in the plan as `insertedBy`. */
import type { PortType } from '../catalog/portTypes.ts';
import type { InputPort, ToolDefinition } from '../catalog/tool.ts';
import { fits } from '../catalog/matching.ts';
import { valuesOfItems } from '../plan/conditions.ts';
import { freshId } from '../plan/ids.ts';
import type { PlanNode } from '../plan/types.ts';
import { fillDefaults } from './defaults.ts';
import { refOf, type Candidate, type Flow, type FlowNode } from './flow.ts';
import { applyTypes, loopOf } from './types.ts';

interface Insertion {
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  /** Ending of the inserted node's id. */
  readonly suffix: string;
}

const VALIDATE: Insertion = {
  tool: 'gis.validateObservations',
  input: 'observations',
  output: 'observations',
  suffix: 'validated',
};
const INTERPOLATE: Insertion = { tool: 'gis.interpolate', input: 'observations', output: 'raster', suffix: 'surface' };

/** The insertions that make `type` fit `port`; `undefined` when none do. Observations alone are ever completed. */
export function insertionsFor(port: InputPort, type: PortType, flow: Flow): readonly Insertion[] | undefined {
  if (type.kind !== 'observations') return undefined;
  const first = type.validated ? [] : [VALIDATE];
  const chain = fits(port, { ...type, validated: true })
    ? first
    : port.accepts.some(({ kind, role }) => kind === 'raster' && role === 'rain')
      ? [...first, INTERPOLATE]
      : [];
  if (chain.length === 0) return undefined;
  return chain.every(({ tool }) => flow.catalog.has(tool)) ? chain : undefined;
}

/** Puts the insertions behind `from`; answers the output that now fits. Equal insertions are shared. */
export function insert(flow: Flow, consumer: FlowNode, from: Candidate, chain: readonly Insertion[]): Candidate {
  let current: Candidate = from;
  for (const insertion of chain) {
    const key = `${refOf(current)}>${insertion.tool}`;
    const id = flow.insertedFor.get(key) ?? addNode(flow, consumer, current, from.nodeId, insertion);
    flow.insertedFor.set(key, id);
    const type = flow.outputs.get(id)?.get(insertion.output);
    if (type === undefined) return current;
    current = { nodeId: id, output: insertion.output, type };
  }
  return current;
}

function addNode(flow: Flow, consumer: FlowNode, source: Candidate, base: string, insertion: Insertion): string {
  const tool = flow.catalog.get(insertion.tool) as ToolDefinition;
  const id = freshId(`${base.slice(0, 64 - insertion.suffix.length - 1)}-${insertion.suffix}`, flow.taken);
  const args = fillDefaults({}, flow.catalog.describe(tool.name)?.input ?? {});
  const loop = loopOf(flow, consumer, source.nodeId);
  const node: PlanNode = { id, tool: tool.name, dependsOn: [], args: {}, insertedBy: 'normalise', ...loop };
  const added: FlowNode = {
    id,
    index: consumer.index,
    inserted: true,
    tool,
    node,
    args: new Map(Object.entries(args)),
    after: new Set(valuesOfItems(node).map(({ nodeId }) => nodeId)),
    literal: args,
  };
  flow.nodes.set(id, added);
  flow.bind(added, insertion.input, source, 'inserted');
  applyTypes(flow, added);
  return id;
}
