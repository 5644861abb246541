/** From what a person asks (outputs by name, or a goal) to the outputs that the chain is built back from. */
import type { PortKind } from '../catalog/portTypes.ts';
import type { InputPort, PortPattern, ToolDefinition } from '../catalog/tool.ts';
import type { OutputOf } from './chain.ts';
import type { GoalReading } from './readGoal.ts';

export interface Wanted {
  /** Name under which the plan shows it. */
  readonly name: string;
  /** Exactly this output, or whatever fits. */
  readonly from: OutputOf | InputPort;
  /** Left out with an assumption instead of refusing, when it cannot be made. */
  readonly optional?: boolean;
}

const KINDS: readonly PortKind[] = [
  'observations',
  'features',
  'raster',
  'table',
  'number',
  'time',
  'report',
  'artifact',
  'json',
];
const isKind = (text: string): text is PortKind => (KINDS as readonly string[]).includes(text);

/**
 * One entry of `outputs`: `tool.output` (`gis.generateMap.html`), a port kind (`raster`), or kind and role
 * (`raster.rain`). `undefined` when it is none of them.
 */
export function parseWanted(text: string, tools: readonly ToolDefinition[]): Wanted['from'] | undefined {
  const dot = text.lastIndexOf('.');
  const tool = tools.find(({ name }) => name === text.slice(0, Math.max(dot, 0)));
  if (tool !== undefined) {
    const output = text.slice(dot + 1);
    return Object.hasOwn(tool.ports.outputs, output) ? { tool: tool.name, output } : undefined;
  }
  const [kind = '', role, ...rest] = text.split('.');
  if (!isKind(kind) || rest.length > 0) return undefined;
  const roles = new Set(['assets', 'zones', 'result', 'rain', 'terrain', 'slope', 'runoff', 'screening']);
  if (role !== undefined && !roles.has(role)) return undefined;
  const pattern = (role === undefined ? { kind } : { kind, role }) as PortPattern;
  return { accepts: [pattern], required: true, description: text };
}

/** A name for an output in the plan, from what was asked. */
export const outputName = (text: string): string =>
  text
    .split('.')
    .slice(-2)
    .join('-')
    .replace(/[^A-Za-z0-9_-]/g, '-');

/** What a goal asks for. Empty when it names no subject that this vocabulary knows. */
export function wantedByGoal({ intents }: GoalReading): readonly Wanted[] {
  const wanted: Wanted[] = [];
  const want = (name: string, tool: string, output: string, optional = false): void => {
    wanted.push({ name, from: { tool, output }, optional });
  };
  const hazard = intents.has('rain') || intents.has('exposure') || intents.has('critical');
  const aboutTerrain = intents.has('terrain') || intents.has('slope');
  if (!hazard && !aboutTerrain) return [];
  if (aboutTerrain) want('slope', 'gis.slope', 'raster');
  if (!hazard) return wanted;
  // Without exposure or a map, the question is how much it rained.
  const overlays = intents.has('exposure') || intents.has('critical') || intents.has('map');
  if (intents.has('surface') || !overlays) want('surface', 'gis.interpolate', 'raster');
  if (intents.has('critical')) {
    want('screening', 'gis.computeRisk', 'raster', true);
    want('criticalAssets', 'gis.computeRisk', 'features', true);
  }
  // Where only critical areas are asked for, the overlay is made when something else (a map without terrain) needs it.
  if (intents.has('exposure') || (overlays && !intents.has('critical'))) {
    want('exposure', 'gis.overlayExposure', 'features');
    want('summary', 'gis.overlayExposure', 'summary');
  }
  if (intents.has('map')) {
    want('map', 'gis.generateMap', 'html');
    want('image', 'gis.generateMap', 'png');
  }
  return wanted;
}
