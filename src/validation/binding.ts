/** Binding pass (contracts.md "Automatic binding"): which output stands at which port. */
import { describePort, describeType, fits } from '../catalog/matching.ts';
import type { InputPort } from '../catalog/tool.ts';
import { pointer } from '../plan/pointer.ts';
import { isReference, looksLikeReference, parseReference } from '../plan/references.ts';
import type { JsonValue } from '../plan/types.ts';
import { quote, refuse } from './findings.ts';
import { refOf, type Candidate, type Flow, type FlowNode } from './flow.ts';
import { insert, insertionsFor } from './insertions.ts';

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Binds every port of a node: required ones first, then optional ones, which see what the first have brought upstream. */
export function bindPorts(flow: Flow, node: FlowNode): void {
  const ports = Object.entries(node.tool?.ports.inputs ?? {}).sort(byName);
  for (const required of [true, false]) {
    for (const [name, port] of ports) {
      if (port.required !== required) continue;
      const given = node.args.get(name);
      if (given !== undefined) checkGiven(flow, node, name, port, given);
      else if (required) bindRequired(flow, node, name, port);
      else bindOptional(flow, node, name, port);
    }
  }
}

const at = (node: FlowNode, port: string): string => pointer('nodes', node.index, 'args', port);

function checkGiven(flow: Flow, node: FlowNode, name: string, port: InputPort, given: JsonValue): void {
  const refuseType = (message: string, hint?: string): void => {
    const more = hint === undefined ? { nodeId: node.id } : { nodeId: node.id, hint };
    flow.findings.push(refuse('TYPE_MISMATCH', at(node, name), message, more));
  };
  const takes = `the port ${quote(name)} takes ${describePort(port)}`;
  if (!isReference(given)) {
    // A malformed reference has its own finding.
    if (!looksLikeReference(given)) refuseType(`${takes}, by a reference to an output: {"ref": "node.output"}`);
    return;
  }
  const target = parseReference(given.ref);
  if (target === undefined || target.kind === 'output') return;
  if (target.kind === 'item' || target.kind === 'index') {
    // Outside `forEach` it has its own finding.
    if (node.node.forEach !== undefined) refuseType(`${takes}; ${quote(given.ref)} is no output of a node`);
    return;
  }
  if (given.default !== undefined && (port.required || given.default !== null)) {
    const message = `the port ${quote(name)} takes no default${port.required ? '' : ' but null: the port is left open then'}`;
    flow.findings.push(refuse('INVALID_ARGUMENT', `${at(node, name)}/default`, message, { nodeId: node.id }));
  }
  if (target.kind === 'input') {
    refuseType(`${takes}; an input is no output of a node`, 'load data with a tool that reads a source');
    return;
  }
  if (target.path.length > 0) {
    refuseType(`${takes} as a whole; ${quote(given.ref)} enters an output`);
    return;
  }
  const outputs = flow.outputsFor(node, target.nodeId);
  const type = outputs?.get(target.output);
  if (outputs === undefined) return;
  if (type === undefined) {
    reportAbsent(flow, node, name, target);
    return;
  }
  const from: Candidate = { nodeId: target.nodeId, output: target.output, type };
  if (fits(port, type)) {
    flow.bind(node, name, from, 'given');
    return;
  }
  const chain = insertionsFor(port, type, flow);
  if (chain !== undefined) {
    flow.bind(node, name, insert(flow, node, from, chain), 'inserted');
    return;
  }
  const others = flow.candidates(node, node.after).filter((candidate) => fits(port, candidate.type));
  const hint = others.length === 0 ? undefined : `what fits: ${others.map(refOf).join(', ')}`;
  refuseType(`${takes}; ${quote(given.ref)} is ${describeType(type)}`, hint);
}

/** The tool has such an output, but not with these inputs (for example the raster of a reprojection of features). */
function reportAbsent(flow: Flow, node: FlowNode, port: string, target: Pick<Candidate, 'nodeId' | 'output'>): void {
  const tool = flow.nodes.get(target.nodeId)?.tool;
  if (tool === undefined || !Object.hasOwn(tool.ports.outputs, target.output)) return;
  const message = `${quote(target.nodeId)} gives no ${quote(target.output)} with the inputs it has`;
  flow.findings.push(refuse('UNKNOWN_OUTPUT', `${at(node, port)}/ref`, message, { nodeId: node.id }));
}

function bindRequired(flow: Flow, node: FlowNode, name: string, port: InputPort): void {
  // Only what the plan declares: what other ports brought in is no candidate.
  const declared = node.node.dependsOn.filter((id) => id !== node.id);
  const all = flow.candidates(node, new Set(declared));
  const direct = all.filter(({ type }) => fits(port, type));
  const [only, ...more] = direct;
  if (only !== undefined) {
    if (more.length === 0) flow.bind(node, name, only, 'bound');
    else ambiguous(flow, node, name, port, direct);
    return;
  }
  if (flow.anyUnknown(declared)) return;
  const completed = all.flatMap((from) => {
    const chain = insertionsFor(port, from.type, flow);
    return chain === undefined ? [] : [{ from, chain }];
  });
  const [first, ...rest] = completed;
  if (first === undefined) {
    const message = `${quote(node.node.tool)} needs ${describePort(port)} at ${quote(name)}; no declared dependency gives it`;
    const elsewhere = fittingElsewhere(flow, node, port);
    flow.findings.push(
      refuse('MISSING_ARGUMENT', at(node, name), message, {
        nodeId: node.id,
        ...(elsewhere.length === 0 ? {} : { hint: `what fits: ${elsewhere.join(', ')}` }),
      }),
    );
  } else if (rest.length === 0) flow.bind(node, name, insert(flow, node, first.from, first.chain), 'inserted');
  else
    ambiguous(
      flow,
      node,
      name,
      port,
      completed.map(({ from }) => from),
    );
}

/** References to what would fit among all nodes that do not themselves wait for this one; for hints. */
function fittingElsewhere(flow: Flow, node: FlowNode, port: InputPort): string[] {
  const refs: string[] = [];
  for (const other of flow.nodes.values()) {
    if (other.id === node.id || other.tool === undefined || flow.ancestors(other.id).has(node.id)) continue;
    if (flow.isGathered(node, other.id)) continue;
    for (const [output, { type }] of Object.entries(other.tool.ports.outputs)) {
      const known = flow.outputs.get(other.id)?.get(output) ?? type;
      if (fits(port, known)) refs.push(refOf({ nodeId: other.id, output }));
    }
  }
  return refs.sort();
}

function ambiguous(flow: Flow, node: FlowNode, name: string, port: InputPort, several: readonly Candidate[]): void {
  const refs = several.map(refOf);
  const message = `several outputs fit ${quote(name)} (${describePort(port)}): ${refs.join(', ')}`;
  flow.findings.push(
    refuse('AMBIGUOUS_BINDING', at(node, name), message, {
      nodeId: node.id,
      hint: `choose one: {"${name}": {"ref": "${refs[0] ?? ''}"}}`,
    }),
  );
}

function bindOptional(flow: Flow, node: FlowNode, name: string, port: InputPort): void {
  if (port.explicit === true) return;
  const upstream = flow.ancestors(node.id);
  if (flow.anyUnknown(upstream)) return;
  // Of ports that exclude each other the first that is given wins; when several could be bound, none is.
  const others = new Map(Object.entries(node.tool?.ports.inputs ?? {}));
  const excluded = (port.insteadOf ?? []).some((other) => {
    const alternative = others.get(other);
    if (node.args.has(other)) return true;
    return alternative !== undefined && flow.candidates(node, upstream).some(({ type }) => fits(alternative, type));
  });
  if (excluded) return;
  const fitting = flow.candidates(node, upstream).filter(({ type }) => fits(port, type));
  const [only, ...more] = fitting;
  if (only !== undefined && more.length === 0) flow.bind(node, name, only, 'bound');
}
