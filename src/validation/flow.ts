/**
 * The plan while bindings are made and types flow along its edges. Nodes are visited in topological order, so everything
 * upstream of a node, inserted nodes included, is final when the node is looked at.
 */
import type { Catalog } from '../catalog/catalog.ts';
import { gatheredType } from '../catalog/gathered.ts';
import type { PortType } from '../catalog/portTypes.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { Finding } from '../plan/finding.ts';
import { foldId } from '../plan/ids.ts';
import { isItemWise } from '../plan/itemWise.ts';
import type { JsonValue, Plan, PlanNode } from '../plan/types.ts';

/** How a port came to its input: shown with the approved plan. */
export interface Binding {
  readonly nodeId: string;
  readonly port: string;
  readonly ref: string;
  readonly how: 'given' | 'bound' | 'inserted';
}

export interface FlowNode {
  readonly id: string;
  /** Position in the plan as it was given; for inserted nodes that of the node they were inserted for. */
  readonly index: number;
  readonly inserted: boolean;
  /** `undefined`: the tool is unknown, and nothing can be said about what depends on it. */
  readonly tool: ToolDefinition | undefined;
  readonly node: PlanNode;
  readonly args: Map<string, JsonValue>;
  readonly after: Set<string>;
  /** See `CheckedArguments.literal`. */
  readonly literal: Readonly<Record<string, unknown>> | undefined;
}

export interface Candidate {
  readonly nodeId: string;
  readonly output: string;
  readonly type: PortType;
}

export const refOf = ({ nodeId, output }: Pick<Candidate, 'nodeId' | 'output'>): string => `${nodeId}.${output}`;

export class Flow {
  readonly catalog: Catalog;
  /** In the order of the plan, inserted nodes at the end. */
  readonly nodes = new Map<string, FlowNode>();
  /** What each visited node gives; absent for nodes that were not reached or have an unknown tool. */
  readonly outputs = new Map<string, ReadonlyMap<string, PortType>>();
  readonly findings: Finding[] = [];
  readonly bindings: Binding[] = [];
  /** Ids in use, folded. */
  readonly taken: Set<string>;
  /** Inserted nodes by what they stand behind: two consumers share one. */
  readonly insertedFor = new Map<string, string>();

  constructor(plan: Plan, catalog: Catalog) {
    this.catalog = catalog;
    this.taken = new Set(plan.nodes.map(({ id }) => foldId(id)));
  }

  /** Whether a consumer outside the loop of a `forEach` node gets its gathered outputs, as JSON. */
  isGathered(consumer: FlowNode, nodeId: string): boolean {
    const from = this.nodes.get(nodeId)?.node;
    return from?.forEach !== undefined && !isItemWise(consumer.node, from);
  }

  /** What a node gives, as the consumer sees it; `undefined` when nothing is known of it. */
  outputsFor(consumer: FlowNode, nodeId: string): ReadonlyMap<string, PortType> | undefined {
    const outputs = this.outputs.get(nodeId);
    if (outputs === undefined || !this.isGathered(consumer, nodeId)) return outputs;
    return new Map([...outputs].map(([name, type]) => [name, gatheredType(type)]));
  }

  /**
   * What a port of the consumer could be bound to without being asked, among these nodes, sorted by node and output.
   * Never an array that a loop gathers: whoever wants one says so.
   */
  candidates(consumer: FlowNode, nodeIds: Iterable<string>): Candidate[] {
    const found: Candidate[] = [];
    for (const nodeId of [...nodeIds].sort()) {
      if (this.isGathered(consumer, nodeId)) continue;
      const outputs = [...(this.outputs.get(nodeId) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [output, type] of outputs) found.push({ nodeId, output, type });
    }
    return found;
  }

  /** Everything upstream of a node, along the edges known so far. */
  ancestors(id: string): Set<string> {
    const found = new Set<string>();
    const stack = [...(this.nodes.get(id)?.after ?? [])];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      stack.push(...(this.nodes.get(next)?.after ?? []));
    }
    return found;
  }

  /** Whether nothing is known of what one of these nodes gives, so that "nothing fits" would be a guess. */
  anyUnknown(nodeIds: Iterable<string>): boolean {
    return [...nodeIds].some((id) => !this.outputs.has(id));
  }

  bind(node: FlowNode, port: string, from: Pick<Candidate, 'nodeId' | 'output'>, how: Binding['how']): void {
    // A reference that was given stays as it was written, its default included.
    if (how !== 'given') node.args.set(port, { ref: refOf(from) });
    node.after.add(from.nodeId);
    this.bindings.push({ nodeId: node.id, port, ref: refOf(from), how });
  }

  /** The nodes as a plan holds them: `dependsOn` is the union of declared and referenced edges, sorted and unique. */
  planNodes(): PlanNode[] {
    return [...this.nodes.values()].map(({ node, args, after }) => ({
      ...node,
      dependsOn: [...after].sort(),
      args: Object.fromEntries(args),
    }));
  }
}
