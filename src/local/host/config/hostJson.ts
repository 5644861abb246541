import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { resolveText, type Settings } from './settings.ts';

/** What the host uses of host.json; the rest is ignored, as other engines' options do not apply here. */
export interface HostConfig {
  /** Without slashes at the ends; empty for none. */
  readonly routePrefix: string;
  readonly hubName: string;
  readonly maxActivities: number;
  readonly maxOrchestrators: number;
  readonly maxActions: number;
  readonly anyStateOverridable: boolean;
  readonly storeInputs: boolean;
  readonly rpcEnabled: boolean;
  readonly functionTimeoutMs: number;
}

type Section = Readonly<Record<string, unknown>>;
const section = (value: unknown): Section => (typeof value === 'object' && value !== null ? (value as Section) : {});
const positive = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : fallback;

/** `hh:mm:ss` or `d.hh:mm:ss` → ms; `-1` = no limit; undefined when it is neither. */
export function timeSpanMs(text: string): number | undefined {
  if (text === '-1') return Number.POSITIVE_INFINITY;
  const match = /^(?:(\d+)\.)?(\d{1,2}):(\d{2}):(\d{2})(?:\.\d+)?$/.exec(text);
  if (match === null) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number((part as string | undefined) ?? 0));
  return ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
}

/**
 * Reads `host.json` of the app (missing: all defaults), with `%NAME%` resolved from `settings`.
 * @throws when the file is not JSON, or a name that is used has no value
 */
export function readHostConfig(appDirectory: string, settings: Settings): HostConfig {
  let text = '{}';
  try {
    text = readFileSync(join(appDirectory, 'host.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const root = section(JSON.parse(text));
  const extensions = section(root['extensions']);
  const durable = section(extensions['durableTask']);
  const string = (value: unknown, fallback: string): string =>
    typeof value === 'string' ? resolveText(value, settings) : fallback;
  const parallel = 10 * availableParallelism();
  return {
    routePrefix: string(section(extensions['http'])['routePrefix'], 'api').replace(/^\/+|\/+$/g, ''),
    hubName: string(durable['hubName'], settings['WEBSITE_SITE_NAME'] ?? 'TestHubName'),
    maxActivities: positive(durable['maxConcurrentActivityFunctions'], parallel),
    maxOrchestrators: positive(durable['maxConcurrentOrchestratorFunctions'], parallel),
    maxActions: positive(durable['maxOrchestrationActions'], 100_000),
    anyStateOverridable: string(durable['overridableExistingInstanceStates'], '').toLowerCase() === 'anystate',
    storeInputs: durable['storeInputsInOrchestrationHistory'] === true,
    rpcEnabled: durable['localRpcEndpointEnabled'] !== false,
    functionTimeoutMs: timeSpanMs(string(root['functionTimeout'], '00:30:00')) ?? 1_800_000,
  };
}
