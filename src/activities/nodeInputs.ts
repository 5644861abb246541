import { joinLabels } from '../catalog/labels.ts';
import type { Labels, ToolInput, ToolRun } from '../catalog/tool.ts';
import { ToolError } from '../plan/errors.ts';
import { resolveInScope, valuesNeeded } from '../plan/resolveArguments.ts';
import { defaultTimeZone } from '../runs/request.ts';
import type { Services } from '../runs/services.ts';
import { resolveSource } from '../runs/sources.ts';
import { requestOf } from '../runs/storedRequest.ts';
import type { NodeContext } from './nodeContext.ts';
import { itemSeen, scopeFor } from './values.ts';

/** Everything one execution of a node needs, read from the warrant's plan and completed ledger rows (I5). */
export interface NodeInputs {
  readonly toolRun: ToolRun<unknown>;
  /** Labels of the outputs: over data and control edges. */
  readonly labels: Labels;
  readonly timeoutMs: number;
  /** What the arguments' digest is made of: equal arguments, inputs and sources give an equal digest. */
  readonly fingerprint: { readonly args: unknown; readonly ports: unknown; readonly sources: unknown };
}

/** Throws UPSTREAM_NOT_COMPLETED, ARTIFACT_*, SOURCE_REQUIRED, INVALID_ARGUMENT as `ToolError`. */
export async function nodeInputs(services: Services, context: NodeContext): Promise<NodeInputs> {
  const { plan, node, tool, item, upstream, run } = context;
  const place = item === null ? undefined : { nodes: plan.nodes, index: item.index };
  const resolved = resolveInScope(await scopeFor(context, valuesNeeded(node, tool, place)), tool);

  const parsed = tool.input.safeParse(resolved.args);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.message}`;
    throw new ToolError('INVALID_ARGUMENT', `The arguments of ${node.id} are not what ${tool.name} takes${where}`);
  }

  const inputs = new Map<string, ToolInput>();
  const ports: Record<string, string> = {};
  for (const [port, ref] of resolved.ports) {
    const row = await upstream.find(ref.nodeId, ref.item ?? -1, ref.output);
    if (row === undefined && ref.optional === true) continue;
    if (row === undefined) throw new ToolError('UPSTREAM_NOT_COMPLETED', `${ref.nodeId}.${ref.output} is not there.`);
    inputs.set(port, await upstream.input(row));
    ports[port] = row.sha256;
  }
  const sources: Record<string, string> = {};
  for (const [name, source] of resolved.sources) {
    const input = await resolveSource(services, run, tool.name, source);
    inputs.set(name, input);
    sources[name] = input.sha256;
  }

  const control = await Promise.all(node.dependsOn.map((id) => upstream.labelsOf(id, itemSeen(context, id))));
  const labels = joinLabels([...[...inputs.values()].map((input) => input.labels), ...control.flat()]);
  const request = requestOf(run);
  return {
    labels,
    timeoutMs: Math.min(node.timeoutSeconds ?? tool.limits.timeoutSeconds, tool.limits.timeoutSeconds) * 1000,
    fingerprint: { args: resolved.args, ports, sources },
    toolRun: {
      args: parsed.data,
      inputs,
      now: run.asOf,
      locale: run.locale,
      timeZone: request.timeZone ?? defaultTimeZone(run.locale),
      labels,
    },
  };
}
