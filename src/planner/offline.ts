/**
 * The offline planner: a plan by rule, without a model. What the goal wants is read with a small vocabulary, and the tools
 * are found by chaining backward over port types. Equal requests give equal plans; what it proposes is validated like
 * any other plan.
 */
import type { Catalog } from '../catalog/catalog.ts';
import type { Effect, InputPort, ToolDefinition } from '../catalog/tool.ts';
import type { JsonValue, Plan, PlanNode, Reference } from '../plan/types.ts';
import { DEFAULT_ALLOW } from '../plan/warrant.ts';
import { Chain, type OutputOf } from './chain.ts';
import { Materials, nodeIdOf } from './materials.ts';
import { phrasesFor, type Phrases } from './phrases.ts';
import { readGoal, type GoalReading } from './readGoal.ts';
import { PREFERRED } from './vocabulary.ts';
import { outputName, parseWanted, wantedByGoal, type Wanted } from './wanted.ts';

export interface OfflineRequest {
  readonly goal: string;
  readonly catalog: Catalog;
  /** Values by name: sources (`rainfall`, `assets`, `terrain`) and arguments (`hours`, `thresholdMm`, `rainfallSchema` …). */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Port kinds (`raster`, `raster.rain`) or `tool.output`; when given, the goal only ranks. */
  readonly outputs?: readonly string[];
  readonly development: boolean;
  /** BCP 47: language of the assumptions. */
  readonly locale: string;
  /** Effects the request allows; a proposal never holds another. */
  readonly allow?: { readonly effects: readonly Effect[] };
}

export type OfflineProposal =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly code: 'NO_PLAN'; readonly missing: readonly string[]; readonly detail: string };

/**
 * Fixed, not a percentile: a percentile marks the wettest part of any day, a dry one included, and two runs could not be
 * compared. 30 mm is a round value for discussion, and the plan says that it is an assumption.
 */
export const DEFAULT_THRESHOLD_MM = 30;

/** Proposes a plan, or says in words what is missing. Pure and deterministic. */
export function proposeOffline(request: OfflineRequest): OfflineProposal {
  const reading = readGoal(request.goal);
  const effects = request.allow?.effects ?? DEFAULT_ALLOW.effects;
  const tools = request.catalog.list().filter(({ effect }) => effects.includes(effect));
  const wanted = wantedOutputs(request, reading, tools);
  if ('missing' in wanted) return noPlan(wanted.missing);

  const inputs = new Map<string, JsonValue>(Object.entries(request.inputs));
  const facts = factsOf(reading, inputs);
  const materials = new Materials(request.catalog, facts.inputs, request.development);
  const chain = new Chain({
    tools,
    preferred: PREFERRED.filter(([intent]) => reading.intents.has(intent)).flatMap(([, names]) => names),
    lacking: (tool) => materials.lacking(tool, new Set()),
  });
  const outputs: Record<string, Reference> = {};
  const missing: string[] = [];
  const skipped = new Set<string>();
  for (const { name, from, optional } of wanted.list) {
    const found = find(chain, from);
    if (!('missing' in found)) outputs[name] = { ref: `${nodeIdOf(found.tool)}.${found.output}` };
    else if (optional === true) for (const reason of found.missing) skipped.add(reason);
    else missing.push(...found.missing);
  }
  // What may be left out is missing after all when nothing else is left.
  if (chain.tools.size === 0) missing.push(...skipped);
  if (missing.length > 0) return noPlan([...new Set(missing)].sort());

  const builder = new Builder(request, materials, chain.tools);
  const nodes = builder.nodes();
  const assumptions = assumptionsOf(phrasesFor(request.locale), { reading, facts, builder, skipped: skipped.size > 0 });
  return {
    ok: true,
    plan: {
      schemaVersion: '1.0',
      workflowId: 'offline',
      goal: request.goal.slice(0, 4000),
      inputs: Object.fromEntries([...facts.inputs].filter(([name]) => inputs.has(name) || builder.used.has(name))),
      nodes,
      outputs,
      context: { assumptions, constraints: [] },
      limits: {},
    },
  };
}

const noPlan = (missing: readonly string[]): OfflineProposal => ({
  ok: false,
  code: 'NO_PLAN',
  missing,
  detail: 'No plan can be built for this goal from the tools and data at hand.',
});

function find(chain: Chain, from: OutputOf | InputPort): OutputOf | { readonly missing: readonly string[] } {
  if ('tool' in from) {
    const missing = chain.require(from.tool);
    return missing.length === 0 ? from : { missing };
  }
  const best = chain.best(from);
  if ('missing' in best) return best;
  const missing = chain.require(best.found.tool);
  return missing.length === 0 ? best.found : { missing };
}

function wantedOutputs(
  request: OfflineRequest,
  reading: GoalReading,
  tools: readonly ToolDefinition[],
): { readonly list: readonly Wanted[] } | { readonly missing: readonly string[] } {
  const missing: string[] = [];
  for (const effect of ['publish', 'notify'] as const) {
    if (!reading.intents.has(effect)) continue;
    const what = effect === 'publish' ? 'publishes' : 'notifies';
    missing.push(`a tool that ${what}, and leave for it: "allow": {"effects": ["${what}"]}`);
  }
  if (request.outputs !== undefined && request.outputs.length > 0) {
    const list: Wanted[] = [];
    for (const text of request.outputs) {
      const from = parseWanted(text, tools);
      if (from === undefined)
        missing.push(`an output ${JSON.stringify(text.slice(0, 130))}: name a port kind or tool.output`);
      else list.push({ name: outputName(text), from });
    }
    return missing.length > 0 ? { missing } : { list };
  }
  const list = wantedByGoal(reading);
  if (!reading.intents.has('rain'))
    missing.push(...reading.elsewhere.map((subject) => `a tool that measures ${subject}`));
  if (list.length === 0 && missing.length === 0) {
    missing.push('a subject: rain, exposed infrastructure, critical areas, terrain or slope');
    missing.push('or the outputs wanted, as "outputs": ["gis.generateMap.html"]');
  }
  return missing.length > 0 ? { missing } : { list };
}

interface Facts {
  /** The request's inputs, and what the goal states as values of its own. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  readonly thresholdFrom: 'input' | 'goal' | 'percentile' | 'default';
}

function factsOf(reading: GoalReading, given: ReadonlyMap<string, JsonValue>): Facts {
  const inputs = new Map(given);
  if (
    reading.hours !== null &&
    !['hours', 'window', 'rainfallHours', 'rainfallWindow'].some((name) => given.has(name))
  ) {
    inputs.set('hours', reading.hours);
  }
  const names = ['thresholdMm', 'threshold', 'exposureThresholdMm', 'exposureThreshold'];
  if (names.some((name) => given.has(name))) return { inputs, thresholdFrom: 'input' };
  if (reading.percentile !== null) {
    inputs.set('threshold', { basis: 'percentile', percentile: reading.percentile });
    return { inputs, thresholdFrom: 'percentile' };
  }
  inputs.set('thresholdMm', reading.thresholdMm ?? DEFAULT_THRESHOLD_MM);
  return { inputs, thresholdFrom: reading.thresholdMm === null ? 'default' : 'goal' };
}

/** Writes the chosen tools as nodes: references at ports, inputs at arguments. */
class Builder {
  readonly used = new Set<string>();
  samples = 0;
  readonly has: (tool: string) => boolean;
  private readonly request: OfflineRequest;
  private readonly materials: Materials;
  private readonly chosen: ReadonlyMap<string, ReadonlyMap<string, OutputOf>>;

  constructor(
    request: OfflineRequest,
    materials: Materials,
    chosen: ReadonlyMap<string, ReadonlyMap<string, OutputOf>>,
  ) {
    this.request = request;
    this.materials = materials;
    this.chosen = chosen;
    this.has = (tool) => chosen.has(tool);
  }

  nodes(): PlanNode[] {
    return [...this.chosen].flatMap(([name, ports]) => {
      const tool = this.request.catalog.get(name);
      return tool === undefined ? [] : [this.node(tool, ports)];
    });
  }

  private node(tool: ToolDefinition, ports: ReadonlyMap<string, OutputOf>): PlanNode {
    const args: Record<string, JsonValue> = {};
    const dependsOn = new Set<string>();
    for (const source of tool.sources) {
      const input = this.materials.sourceInput(tool);
      if (input === undefined) {
        this.samples += 1;
        args[source] = 'sample';
      } else args[source] = this.reference(input);
    }
    for (const argument of this.materials.properties(tool)) {
      if (tool.sources.includes(argument) || Object.hasOwn(tool.ports.inputs, argument)) continue;
      const input = this.materials.argumentInput(tool, argument);
      if (input !== undefined && !this.isSource(input)) args[argument] = this.reference(input);
    }
    for (const [port, from] of ports) {
      args[port] = { ref: `${nodeIdOf(from.tool)}.${from.output}` };
      dependsOn.add(nodeIdOf(from.tool));
    }
    return { id: nodeIdOf(tool.name), tool: tool.name, dependsOn: [...dependsOn].sort(), args };
  }

  /** An input that some tool reads as its source is no argument of another, whatever it is called. */
  private isSource(input: string): boolean {
    return this.request.catalog
      .list()
      .some((tool) => tool.sources.length > 0 && this.materials.sourceInput(tool) === input);
  }

  private reference(input: string): JsonValue {
    this.used.add(input);
    return { ref: `$inputs.${input}` };
  }
}

function assumptionsOf(
  phrases: Phrases,
  {
    reading,
    facts,
    builder,
    skipped,
  }: { readonly reading: GoalReading; readonly facts: Facts; readonly builder: Builder; readonly skipped: boolean },
): string[] {
  const lines: string[] = [];
  const hours = facts.inputs.get('hours');
  if (builder.samples > 0) lines.push(phrases.sample);
  if (builder.has('gis.readRainfall')) {
    if (typeof hours === 'number' && builder.used.has('hours')) lines.push(phrases.hours(hours));
    else if (![...builder.used].some((name) => /window/i.test(name))) lines.push(phrases.wholeWindow);
  }
  const mm = facts.inputs.get('thresholdMm');
  if (builder.has('gis.overlayExposure')) {
    if (facts.thresholdFrom === 'percentile') lines.push(phrases.statedPercentile(reading.percentile ?? 0));
    else if (typeof mm === 'number' && facts.thresholdFrom === 'goal') lines.push(phrases.statedThreshold(mm));
    else if (typeof mm === 'number' && facts.thresholdFrom === 'default') lines.push(phrases.fixedThreshold(mm));
  }
  if (builder.has('gis.computeRisk')) lines.push(phrases.screening);
  if (skipped) lines.push(phrases.noTerrain);
  if (reading.elsewhere.length > 0) lines.push(phrases.elsewhere(reading.elsewhere.join(', ')));
  const implied = new Set(['thresholdMm', 'hours', 'threshold']);
  for (const name of facts.inputs.keys()) {
    if (!builder.used.has(name) && !implied.has(name)) lines.push(phrases.unused(name));
  }
  return lines;
}
