import { digest } from '../plan/canonical.ts';
import { describeTool, type ToolDescription } from './describe.ts';
import type { ToolDefinition } from './tool.ts';

/** The registry of tools. Lookup is exact: no case folding, no trimming, no nearest match, no default tool (O-29). */
export interface Catalog {
  readonly get: (name: string) => ToolDefinition | undefined;
  readonly has: (name: string) => boolean;
  /** Sorted by name. */
  readonly list: () => readonly ToolDefinition[];
  /** The tool as JSON, computed once; `undefined` for an unknown name. */
  readonly describe: (name: string) => ToolDescription | undefined;
  /** SHA-256 over names, versions, argument schemas, ports, effects, costs and limits: the warrant is bound to it. */
  readonly digest: string;
}

/** Builds the registry; throws when two tools share a name. */
export function createCatalog(tools: readonly ToolDefinition[]): Catalog {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new TypeError(`tool ${tool.name} is defined twice`);
    byName.set(tool.name, tool);
  }
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const descriptions = new Map(sorted.map((tool) => [tool.name, describeTool(tool)]));
  const sealed = digest('catalog.v1:', JSON.parse(JSON.stringify([...descriptions.values()])));
  return {
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    list: () => sorted,
    describe: (name) => descriptions.get(name),
    digest: sealed,
  };
}
