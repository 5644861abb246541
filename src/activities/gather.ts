import { joinLabels } from '../catalog/labels.ts';
import type { Labels, ToolDefinition, ToolInput, ToolRun } from '../catalog/tool.ts';
import type { ArtifactRow, RunRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { resolveArguments, valuesNeeded, type OutputRef } from '../plan/resolveArguments.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import { defaultTimeZone } from '../runs/request.ts';
import type { Services } from '../runs/services.ts';
import { resolveSource } from '../runs/sources.ts';
import { requestOf } from '../runs/storedRequest.ts';
import type { WarrantedPlan } from '../runs/warranted.ts';

/** Everything one execution of a node needs, read from the warrant's plan and completed ledger rows (I5). */
export interface Gathered {
  readonly tool: ToolDefinition;
  readonly toolRun: ToolRun<unknown>;
  /** Labels of the outputs: over data and control edges. */
  readonly labels: Labels;
  readonly timeoutMs: number;
  /** What the arguments' digest is made of: equal arguments, inputs and sources give an equal digest. */
  readonly fingerprint: { readonly args: unknown; readonly ports: unknown; readonly sources: unknown };
}

/** Throws UPSTREAM_NOT_COMPLETED, ARTIFACT_*, SOURCE_REQUIRED, INVALID_ARGUMENT as `ToolError`. */
export async function gatherInputs(
  services: Services,
  run: RunRow,
  warranted: WarrantedPlan,
  node: PlanNode,
  tool: ToolDefinition,
): Promise<Gathered> {
  const upstream = new Upstream(services, run);
  const values = new Map<string, JsonValue>();
  for (const ref of valuesNeeded(node, tool)) values.set(keyOf(ref), await upstream.value(ref));
  const resolved = resolveArguments(warranted.plan, node, tool, (nodeId, output) =>
    values.get(keyOf({ nodeId, output })),
  );

  const parsed = tool.input.safeParse(resolved.args);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.message}`;
    throw new ToolError('INVALID_ARGUMENT', `The arguments of ${node.id} are not what ${tool.name} takes${where}`);
  }

  const inputs = new Map<string, ToolInput>();
  const ports: Record<string, string> = {};
  for (const [port, ref] of resolved.ports) {
    const row = await upstream.row(ref);
    inputs.set(port, await upstream.input(row));
    ports[port] = row.sha256;
  }
  const sources: Record<string, string> = {};
  for (const [name, source] of resolved.sources) {
    const input = await resolveSource(services, run, tool.name, source);
    inputs.set(name, input);
    sources[name] = input.sha256;
  }

  const control = await Promise.all(node.dependsOn.map((id) => upstream.labelsOf(id)));
  const labels = joinLabels([...[...inputs.values()].map((input) => input.labels), ...control.flat()]);
  const request = requestOf(run);
  return {
    tool,
    labels,
    timeoutMs: Math.min(node.timeoutSeconds ?? tool.limits.timeoutSeconds, tool.limits.timeoutSeconds) * 1000,
    fingerprint: { args: resolved.args, ports, sources },
    toolRun: {
      args: parsed.data,
      inputs,
      now: run.createdAt,
      locale: run.locale,
      timeZone: request.timeZone ?? defaultTimeZone(run.locale),
      labels,
    },
  };
}

const keyOf = (ref: OutputRef): string => `${ref.nodeId}.${ref.output}`;

/** Completed results of one run, as its ledger rows describe them. */
class Upstream {
  readonly #services: Services;
  readonly #run: RunRow;
  readonly #rows = new Map<string, Promise<readonly ArtifactRow[]>>();

  constructor(services: Services, run: RunRow) {
    this.#services = services;
    this.#run = run;
  }

  /** The artifact of an output; only `complete` writes such rows, so its being there means the node has completed. */
  async row(ref: OutputRef): Promise<ArtifactRow> {
    const found = (await this.#of(ref.nodeId)).find((row) => row.output === ref.output);
    if (found === undefined) throw new ToolError('UPSTREAM_NOT_COMPLETED', `${keyOf(ref)} is not there.`);
    return found;
  }

  async input(row: ArtifactRow): Promise<ToolInput> {
    const bytes = await this.#services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
    return {
      bytes,
      mediaType: row.mediaType,
      type: row.type,
      sha256: row.sha256,
      labels: row.labels,
      name: row.fileName,
    };
  }

  async value(ref: OutputRef): Promise<JsonValue> {
    const { bytes } = await this.input(await this.row(ref));
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    } catch {
      throw new ToolError('STATE_INVALID', `${keyOf(ref)} is not JSON.`, { class: 'unexpected' });
    }
  }

  async labelsOf(nodeId: string): Promise<readonly Labels[]> {
    return (await this.#of(nodeId)).map((row) => row.labels);
  }

  #of(nodeId: string): Promise<readonly ArtifactRow[]> {
    let rows = this.#rows.get(nodeId);
    if (rows === undefined) {
      rows = this.#services.ledger.artifactsOf(this.#run.runId, nodeId, -1);
      this.#rows.set(nodeId, rows);
    }
    return rows;
  }
}
