/**
 * Backward chaining over port types: from a wanted output to the tools that give it, their inputs, and so on down to
 * tools that read a source. Deterministic: preferred tools first, then the fewest tools, then the name.
 */
import { describePort, fits } from '../catalog/matching.ts';
import type { InputPort, ToolDefinition } from '../catalog/tool.ts';

export interface OutputOf {
  readonly tool: string;
  readonly output: string;
}

export interface ChainOptions {
  /** Tools that may be used, sorted by name. */
  readonly tools: readonly ToolDefinition[];
  /** Tools that the goal speaks for, the strongest first. */
  readonly preferred: readonly string[];
  /** Why the tool cannot be given its sources or required arguments, in words; empty when it can. */
  readonly lacking: (tool: ToolDefinition) => readonly string[];
}

interface Solution {
  /** Which output stands at each required port, by `tool` and port. */
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, OutputOf>>;
}

type Attempt =
  { readonly ok: true; readonly solution: Solution } | { readonly ok: false; readonly missing: readonly string[] };

/** More steps than any sensible catalog needs; a search that passes them answers that it found nothing. */
const MAX_STEPS = 20_000;

export class Chain {
  private readonly options: ChainOptions;
  private readonly chosen = new Map<string, ReadonlyMap<string, OutputOf>>();
  private steps = 0;

  constructor(options: ChainOptions) {
    this.options = options;
  }

  /** Chosen tools with what stands at their ports, in the order in which they were chosen. */
  get tools(): ReadonlyMap<string, ReadonlyMap<string, OutputOf>> {
    return this.chosen;
  }

  /** Adds a tool and everything it needs; answers what is missing, or nothing. */
  require(name: string): readonly string[] {
    const tool = this.options.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return [`a tool ${name}`];
    const attempt = this.solve(tool, []);
    if (!attempt.ok) return attempt.missing;
    for (const [used, ports] of attempt.solution.tools) if (!this.chosen.has(used)) this.chosen.set(used, ports);
    return [];
  }

  /** The tool that `require` would choose for a pattern of output types; `undefined` when none can be completed. */
  best(wanted: InputPort): { readonly found: OutputOf } | { readonly missing: readonly string[] } {
    const attempt = this.produce(wanted, []);
    return 'found' in attempt ? { found: attempt.found } : attempt;
  }

  private solve(tool: ToolDefinition, stack: readonly string[]): Attempt {
    const known = this.chosen.get(tool.name);
    if (known !== undefined) return { ok: true, solution: { tools: new Map([[tool.name, known]]) } };
    this.steps += 1;
    if (this.steps > MAX_STEPS) return { ok: false, missing: ['a shorter way through the catalog'] };
    const lacking = this.options.lacking(tool);
    if (lacking.length > 0) return { ok: false, missing: lacking };
    const ports = new Map<string, OutputOf>();
    const tools = new Map<string, ReadonlyMap<string, OutputOf>>();
    const missing: string[] = [];
    for (const [name, port] of Object.entries(tool.ports.inputs).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!port.required) continue;
      const attempt = this.produce(port, [...stack, tool.name]);
      if (!('found' in attempt)) {
        missing.push(...attempt.missing);
        continue;
      }
      ports.set(name, attempt.found);
      for (const [used, its] of attempt.solution.tools) tools.set(used, its);
    }
    if (missing.length > 0) return { ok: false, missing: [...new Set(missing)] };
    tools.set(tool.name, ports);
    return { ok: true, solution: { tools } };
  }

  private produce(
    port: InputPort,
    stack: readonly string[],
  ): { readonly found: OutputOf; readonly solution: Solution } | { readonly missing: readonly string[] } {
    let best:
      { readonly found: OutputOf; readonly solution: Solution; readonly rank: readonly [number, number] } | undefined;
    const reasons = new Set<string>();
    for (const tool of this.options.tools) {
      if (stack.includes(tool.name)) continue;
      const output = Object.entries(tool.ports.outputs).find(([, { type }]) => fits(port, type));
      if (output === undefined || passesThrough(tool, port)) continue;
      const attempt = this.solve(tool, stack);
      if (!attempt.ok) {
        for (const reason of attempt.missing) reasons.add(reason);
        continue;
      }
      const fresh = [...attempt.solution.tools.keys()].filter((name) => !this.chosen.has(name)).length;
      const preference = this.options.preferred.indexOf(tool.name);
      const rank = [preference === -1 ? Number.MAX_SAFE_INTEGER : preference, fresh] as const;
      if (best === undefined || rank[0] < best.rank[0] || (rank[0] === best.rank[0] && rank[1] < best.rank[1])) {
        best = { found: { tool: tool.name, output: output[0] }, solution: attempt.solution, rank };
      }
    }
    if (best !== undefined) return best;
    return { missing: reasons.size > 0 ? [...reasons] : [`a tool that gives ${describePort(port)}`] };
  }
}

/** A tool that can do without any one of its inputs and gives their kinds again (a reprojection) makes nothing new. */
function passesThrough(tool: ToolDefinition, wanted: InputPort): boolean {
  const ports = Object.values(tool.ports.inputs);
  const kinds = new Set(wanted.accepts.map(({ kind }) => kind));
  return (
    ports.length > 0 &&
    ports.every(({ required }) => !required) &&
    ports.some(({ accepts }) => accepts.some(({ kind }) => kinds.has(kind)))
  );
}
