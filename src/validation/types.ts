/** Type pass: what flows into a node, through its tool's rule, to what flows out of it; problems with their fix. */
import type { PortType } from '../catalog/portTypes.ts';
import type { TypeProblem } from '../catalog/tool.ts';
import type { Finding, PatchOperation } from '../plan/finding.ts';
import { freshId } from '../plan/ids.ts';
import { pointer } from '../plan/pointer.ts';
import { isReference, parseReference } from '../plan/references.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import { refuse, warn } from './findings.ts';
import type { Flow, FlowNode } from './flow.ts';

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** What the tool promises before anything is known of its inputs. */
function promised(node: FlowNode): Map<string, PortType> {
  const outputs = Object.entries(node.tool?.ports.outputs ?? {});
  return new Map(outputs.map(([name, { type }]) => [name, type]));
}

/** Types of all bound ports, or `undefined` while one of them, or a required one, is not known. */
function inputTypes(flow: Flow, node: FlowNode): Map<string, PortType> | undefined {
  const types = new Map<string, PortType>();
  for (const [name, port] of Object.entries(node.tool?.ports.inputs ?? {}).sort(byName)) {
    const given = node.args.get(name);
    if (given === undefined) {
      if (port.required) return undefined;
      continue;
    }
    const target = isReference(given) ? parseReference(given.ref) : undefined;
    const type = target?.kind === 'node' ? flow.outputsFor(node, target.nodeId)?.get(target.output) : undefined;
    if (type === undefined) return undefined;
    types.set(name, type);
  }
  return types;
}

/** Applies the tool's `types` rule and records what the node gives. A rule that throws refuses. */
export function applyTypes(flow: Flow, node: FlowNode): void {
  if (node.tool === undefined) return;
  const inputs = inputTypes(flow, node);
  if (inputs === undefined || node.literal === undefined) {
    flow.outputs.set(node.id, promised(node));
    return;
  }
  try {
    const { outputs, problems } = node.tool.types({ inputs, args: node.literal });
    flow.outputs.set(node.id, outputs);
    for (const problem of problems) flow.findings.push(findingOf(flow, node, problem));
  } catch {
    flow.outputs.set(node.id, promised(node));
    const message = `the type rule of ${node.tool.name} could not be applied to these inputs`;
    flow.findings.push(refuse('TYPE_MISMATCH', pointer('nodes', node.index), message, { nodeId: node.id }));
  }
}

function findingOf(flow: Flow, node: FlowNode, problem: TypeProblem): Finding {
  const make = problem.severity === 'warning' ? warn : refuse;
  const fix =
    problem.fix ?? (problem.insert === undefined ? undefined : insertFix(flow, node, problem, problem.insert));
  return make(problem.code, pointer('nodes', node.index, 'args', problem.port), problem.message, {
    nodeId: node.id,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    ...(fix === undefined ? {} : { fix }),
  });
}

/**
 * The patch that puts a tool between a port and what feeds it, against the plan as it was given. Nodes that normalisation
 * inserted upstream are written out, because the new node has to name them. No patch for what was inserted itself.
 */
function insertFix(
  flow: Flow,
  node: FlowNode,
  problem: TypeProblem,
  insert: NonNullable<TypeProblem['insert']>,
): readonly PatchOperation[] | undefined {
  const bound = node.args.get(problem.port);
  const target = bound !== undefined && isReference(bound) ? parseReference(bound.ref) : undefined;
  if (
    node.inserted ||
    bound === undefined ||
    !isReference(bound) ||
    target?.kind !== 'node' ||
    !flow.catalog.has(insert.tool)
  )
    return undefined;
  const verb = insert.tool.slice(insert.tool.indexOf('.') + 1);
  const id = freshId(`${target.nodeId}-${verb}`, flow.taken);
  const added: PlanNode = {
    id,
    tool: insert.tool,
    dependsOn: [target.nodeId],
    args: { [insert.inputPort]: { ref: bound.ref }, ...insert.args },
    ...loopOf(flow, node, target.nodeId),
  };
  // As it was given, with this one port changed: what was bound automatically stays automatic.
  const args: Record<string, JsonValue> = { ...node.node.args, [problem.port]: { ref: `${id}.${insert.outputPort}` } };
  const dependsOn = [...new Set([...node.node.dependsOn, id])];
  const nodes = [...insertedUpstream(flow, target.nodeId), added];
  return [
    ...nodes.map((value) => ({ op: 'add', path: '/nodes/-', value: value as unknown as JsonValue }) as const),
    { op: 'add', path: pointer('nodes', node.index, 'args'), value: args },
    { op: 'add', path: pointer('nodes', node.index, 'dependsOn'), value: dependsOn },
  ];
}

/** What is put between two nodes of one loop runs for each of its items too. */
export function loopOf(flow: Flow, consumer: FlowNode, from: string): Pick<PlanNode, 'forEach'> {
  const source = flow.nodes.get(from)?.node;
  const { forEach } = consumer.node;
  return source?.forEach === undefined || forEach === undefined ? {} : { forEach };
}

function insertedUpstream(flow: Flow, id: string): PlanNode[] {
  const all = new Set([id, ...flow.ancestors(id)]);
  return [...flow.nodes.values()]
    .filter((node) => node.inserted && all.has(node.id))
    .map((node) => ({ ...node.node, dependsOn: [...node.after].sort(), args: Object.fromEntries(node.args) }));
}
