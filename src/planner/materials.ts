/** What a request brings along: sources, arguments, and what is lacking. */
import type { Catalog } from '../catalog/catalog.ts';
import { parseSource } from '../catalog/source.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { JsonValue } from '../plan/types.ts';
import { NODE_IDS, SOURCE_NAMES } from './vocabulary.ts';

/** Id of the node that a tool gets in a proposal. */
export const nodeIdOf = (tool: string): string =>
  NODE_IDS.get(tool) ??
  tool
    .slice(tool.indexOf('.') + 1)
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, 64);

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Names under which a person may give a source for this tool: known words, or the id of its node. */
function sourceNames(tool: ToolDefinition): readonly string[] {
  return [...(SOURCE_NAMES.get(tool.name) ?? []), nodeIdOf(tool.name)];
}

export class Materials {
  private readonly catalog: Catalog;
  private readonly inputs: ReadonlyMap<string, JsonValue>;
  private readonly development: boolean;

  constructor(catalog: Catalog, inputs: ReadonlyMap<string, JsonValue>, development: boolean) {
    this.catalog = catalog;
    this.inputs = inputs;
    this.development = development;
  }

  /** The input that holds the source of a tool. */
  sourceInput(tool: ToolDefinition): string | undefined {
    return sourceNames(tool).find((name) => parseSource(this.inputs.get(name)) !== undefined);
  }

  /** True when a person has handed over data of their own: then no sample is mixed in. */
  get hasOwnData(): boolean {
    return (
      [...this.inputs.values()].some((value) => {
        const kind = typeof value === 'object' ? parseSource(value)?.kind : undefined;
        return kind === 'upload';
      }) ||
      this.catalog.list().some((tool) => {
        const name = tool.sources.length === 0 ? undefined : this.sourceInput(tool);
        return name !== undefined && parseSource(this.inputs.get(name))?.kind !== 'sample';
      })
    );
  }

  /** Properties of the tool's arguments, from its JSON Schema. */
  properties(tool: ToolDefinition): ReadonlySet<string> {
    const { properties } = (this.catalog.describe(tool.name)?.input ?? {}) as {
      properties?: Readonly<Record<string, unknown>>;
    };
    return new Set(Object.keys(properties ?? {}));
  }

  /** The input wired to an argument: of the same name, or node id and name (`rainfallSchema`). */
  argumentInput(tool: ToolDefinition, argument: string): string | undefined {
    const own = `${nodeIdOf(tool.name)}${capitalised(argument)}`;
    return this.inputs.has(own) ? own : this.inputs.has(argument) ? argument : undefined;
  }

  /** Why the tool cannot be used, in words; empty when it can. `known`: arguments that the goal itself fills. */
  lacking(tool: ToolDefinition, known: ReadonlySet<string>): readonly string[] {
    const missing: string[] = [];
    const needsSource = tool.sources.length > 0 && this.sourceInput(tool) === undefined;
    if (needsSource && (!this.development || this.hasOwnData)) {
      missing.push(
        `data for ${tool.name}: an input ${sourceNames(tool)[0] ?? ''} with {"upload": "<sha256>"} or a connection`,
      );
    }
    const { required } = (this.catalog.describe(tool.name)?.input ?? {}) as { required?: readonly string[] };
    for (const name of required ?? []) {
      if (tool.sources.includes(name) || known.has(`${tool.name}.${name}`)) continue;
      if (this.argumentInput(tool, name) === undefined)
        missing.push(`a value for the argument ${name} of ${tool.name}`);
    }
    return missing;
  }
}
