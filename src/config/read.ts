/**
 * Environment → `Settings`, all problems at once (contracts.md "Settings"). Pure: the environment is a parameter, so
 * that tests and the local host read it the same way the app does.
 */
import type { AuthSettings, Settings } from './settings.ts';
import { authFrom } from './auth.ts';
import { Reader } from './reader.ts';
import { DEFAULT_SCHEDULE, scheduleFrom } from './schedule.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the settings, one line each; the app does not start. Values are never repeated: they may be secret. */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Every setting the app reads; `local.settings.sample.json` lists the same names. */
export const SETTING_NAMES = [
  'AZURE_FUNCTIONS_ENVIRONMENT',
  'AzureWebJobsStorage',
  'PORT',
  'GEOAGENT_STATE',
  'GEOAGENT_ARTIFACTS_CONTAINER',
  'GEOAGENT_ARTIFACTS_ACCOUNT_URL',
  'GEOAGENT_ARTIFACTS_CLIENT_ID',
  'GEOAGENT_SQL_CONNECTION_STRING',
  'GEOAGENT_SQL_SERVER',
  'GEOAGENT_SQL_DATABASE',
  'GEOAGENT_TASK_HUB',
  'GEOAGENT_MAX_PARALLEL_NODES',
  'GEOAGENT_MAX_NODES',
  'GEOAGENT_MAX_RUNS',
  'GEOAGENT_MAX_RUNS_PER_TENANT',
  'GEOAGENT_RESOURCES',
  'GEOAGENT_CONNECTIONS',
  'GEOAGENT_AUTH',
  'GEOAGENT_LOG_LEVEL',
  'GEOAGENT_RETENTION_DAYS',
  'GEOAGENT_JANITOR_SCHEDULE',
] as const;

const DEVELOPMENT_HUB = 'GeoAgentDev';
/** Names that the engine falls back to: two apps that share one steal each other's messages (O-15). */
const DEFAULT_HUBS = new Set(['testhubname', 'durablefunctionshub']);
/** ≤ 200 keeps the history of an instance bounded (I9). */
const NODES_CEILING = 200;
const DEFAULT_RESOURCES = { 'arcgis.gp': 4, 'local.cpu': 2 };

/** Throws `SettingsInvalid` with every problem. An empty value counts as absent. */
export function readSettings(env: Environment): Settings {
  const read = new Reader(env);
  const development =
    read.text('AZURE_FUNCTIONS_ENVIRONMENT') === 'Development' && read.text('WEBSITE_INSTANCE_ID') === null;
  const connections = read.record('GEOAGENT_CONNECTIONS') ?? {};
  const settings: Settings = {
    development,
    port: read.integer('PORT', 7071, 0, 65_535),
    stateDirectory: read.text('GEOAGENT_STATE') ?? '.local',
    storageConnectionString: storage(read, env),
    artifacts: {
      container: container(read),
      accountUrl: accountUrl(read),
      clientId: read.text('GEOAGENT_ARTIFACTS_CLIENT_ID'),
    },
    sql: sql(read),
    taskHub: taskHub(read, development),
    maxParallelNodes: read.integer('GEOAGENT_MAX_PARALLEL_NODES', 8, 1, 64),
    maxNodes: read.integer('GEOAGENT_MAX_NODES', NODES_CEILING, 1, NODES_CEILING),
    maxRuns: read.integer('GEOAGENT_MAX_RUNS', 100, 1, 10_000),
    maxRunsPerTenant: read.integer('GEOAGENT_MAX_RUNS_PER_TENANT', 20, 1, 10_000),
    resources: resources(read),
    connections,
    auth: auth(read, development),
    llmConfigured: Object.values(connections).some((connection) => kindOf(connection) === 'model'),
    retentionDays: read.integer('GEOAGENT_RETENTION_DAYS', 90, 1, 3_650),
    janitorSchedule: janitorSchedule(read),
    logLevel: read.oneOf('GEOAGENT_LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
  };
  if (!development && settings.storageConnectionString === null && settings.artifacts.accountUrl === null) {
    read.problem('AzureWebJobsStorage', 'or GEOAGENT_ARTIFACTS_ACCOUNT_URL is needed outside development');
  }
  if (read.problems.length > 0) throw new SettingsInvalid(read.problems);
  return settings;
}

function janitorSchedule(read: Reader): string {
  const text = read.text('GEOAGENT_JANITOR_SCHEDULE');
  if (text === null) return DEFAULT_SCHEDULE;
  const schedule = scheduleFrom(text);
  if (schedule === null)
    read.problem('GEOAGENT_JANITOR_SCHEDULE', 'must be an NCRONTAB expression of five or six fields');
  return schedule ?? DEFAULT_SCHEDULE;
}

/** A connection string or identity settings, never both: one of them would be silently ignored. */
function storage(read: Reader, env: Environment): string | null {
  const connectionString = read.text('AzureWebJobsStorage');
  const identity = Object.keys(env).filter((name) => name.startsWith('AzureWebJobsStorage__') && env[name] !== '');
  if (connectionString !== null && identity.length > 0) {
    read.problem('AzureWebJobsStorage', `and ${identity.sort().join(', ')} exclude each other`);
  }
  return connectionString;
}

function sql(read: Reader): Settings['sql'] {
  const connectionString = read.text('GEOAGENT_SQL_CONNECTION_STRING');
  const server = read.text('GEOAGENT_SQL_SERVER');
  const database = read.text('GEOAGENT_SQL_DATABASE');
  if (connectionString !== null && (server !== null || database !== null)) {
    read.problem('GEOAGENT_SQL_CONNECTION_STRING', 'and GEOAGENT_SQL_SERVER/_DATABASE exclude each other');
  } else if ((server === null) !== (database === null)) {
    read.problem('GEOAGENT_SQL_SERVER', 'and GEOAGENT_SQL_DATABASE go together');
  }
  return { connectionString, server, database };
}

function container(read: Reader): string {
  const name = read.text('GEOAGENT_ARTIFACTS_CONTAINER') ?? 'artifacts';
  if (!/^[a-z0-9](?:-?[a-z0-9]){2,62}$/.test(name)) {
    read.problem('GEOAGENT_ARTIFACTS_CONTAINER', 'is no container name (3–63 of a–z, 0–9 and single hyphens)');
  }
  return name;
}

function accountUrl(read: Reader): string | null {
  const text = read.text('GEOAGENT_ARTIFACTS_ACCOUNT_URL');
  if (text === null) return null;
  const url = URL.parse(text);
  const plain = url?.protocol === 'https:' && url.username === '' && url.search === '' && url.hash === '';
  if (!plain) read.problem('GEOAGENT_ARTIFACTS_ACCOUNT_URL', 'must be an https address without credentials or query');
  return text;
}

function taskHub(read: Reader, development: boolean): string {
  const name = read.text('GEOAGENT_TASK_HUB');
  if (name === null) {
    if (!development) read.problem('GEOAGENT_TASK_HUB', 'is needed outside development, one per app and slot');
    return DEVELOPMENT_HUB;
  }
  if (DEFAULT_HUBS.has(name.toLowerCase())) {
    read.problem('GEOAGENT_TASK_HUB', 'is the engine’s default name; choose one per app and slot');
  } else if (!/^[A-Za-z][A-Za-z0-9]{2,44}$/.test(name)) {
    read.problem('GEOAGENT_TASK_HUB', 'must be 3–45 letters and digits, a letter first');
  }
  return name;
}

function resources(read: Reader): Readonly<Record<string, number>> {
  const given = read.record('GEOAGENT_RESOURCES') ?? {};
  const valid = Object.entries(given).filter((entry): entry is [string, number] => {
    const [name, tokens] = entry;
    const fits = /^[a-z][a-zA-Z0-9.]{0,63}$/.test(name) && Number.isInteger(tokens) && Number(tokens) >= 1;
    if (!fits) read.problem('GEOAGENT_RESOURCES', 'must map resource names to whole numbers from 1');
    return fits;
  });
  return { ...DEFAULT_RESOURCES, ...Object.fromEntries(valid) };
}

function auth(read: Reader, development: boolean): AuthSettings {
  const { settings, problems } = authFrom(read.record('GEOAGENT_AUTH'), {
    development,
    platformFlag: read.text('WEBSITE_AUTH_ENABLED'),
  });
  for (const problem of problems) read.problem('GEOAGENT_AUTH', problem);
  return settings;
}

function kindOf(connection: unknown): unknown {
  return typeof connection === 'object' && connection !== null ? (connection as Record<string, unknown>)['kind'] : null;
}
