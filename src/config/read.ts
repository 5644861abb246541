import { z } from 'zod';
import type { AuthSettings, Settings } from './settings.ts';

/** Settings that do not fit; every problem at once, with names and never with values (they may be secrets). */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid';
  readonly code = 'SETTINGS_INVALID';
}

const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'takes a whole number')
    .default(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const text = z.string().min(1).optional();

/** JSON object in a text setting. */
const record = <T extends z.ZodType>(value: T) =>
  z
    .string()
    .default('{}')
    .transform((given, context): unknown => {
      try {
        return JSON.parse(given);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), value));

/** O-15 (3): a letter first, letters and digits, 3 to 45; never the default that two apps would share. */
const taskHub = z
  .string('is required: a name of its own for this app and slot')
  .regex(/^[A-Za-z][A-Za-z0-9]{2,44}$/, 'takes 3 to 45 letters and digits and starts with a letter')
  .refine((name) => name.toLowerCase() !== 'testhubname', 'must not be the default name, which other apps may share');

const schema = z.object({
  AZURE_FUNCTIONS_ENVIRONMENT: text,
  WEBSITE_INSTANCE_ID: text,
  WEBSITE_AUTH_ENABLED: text,
  PORT: whole(7071, 0, 65_535),
  GEOAGENT_STATE: z.string().min(1).default('.local'),
  AzureWebJobsStorage: text,
  AzureWebJobsStorage__accountName: text,
  GEOAGENT_ARTIFACTS_CONTAINER: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){2,62}$/, 'is not a container name')
    .default('geoagent'),
  GEOAGENT_ARTIFACTS_URL: z.url({ protocol: /^https$/ }).optional(),
  GEOAGENT_ARTIFACTS_CLIENT_ID: text,
  GEOAGENT_SQL_CONNECTION_STRING: text,
  GEOAGENT_SQL_SERVER: text,
  GEOAGENT_SQL_DATABASE: text,
  GEOAGENT_TASK_HUB: taskHub,
  GEOAGENT_MAX_PARALLEL_NODES: whole(8, 1, 100),
  GEOAGENT_MAX_NODES: whole(200, 1, 200),
  GEOAGENT_MAX_RUNS: whole(50, 1, 10_000),
  GEOAGENT_MAX_RUNS_PER_TENANT: whole(20, 1, 10_000),
  GEOAGENT_RESOURCES: record(z.int().min(1).max(1_000)),
  GEOAGENT_CONNECTIONS: record(z.unknown()),
  GEOAGENT_AUTH: z.enum(['local', 'entra', 'easyAuth']).optional(),
  GEOAGENT_AUTH_ISSUER: z.url().optional(),
  GEOAGENT_AUTH_AUDIENCE: text,
  GEOAGENT_AUTH_JWKS_URL: z.url().optional(),
  GEOAGENT_AUTH_TENANTS: z.string().default(''),
  GEOAGENT_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

/** Names of all settings, for the sample file and the deployment to be held against. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape);

/**
 * Reads settings from an environment record. Empty text counts as absent. Throws `SettingsInvalid` with every problem.
 * Development = `AZURE_FUNCTIONS_ENVIRONMENT=Development` and no `WEBSITE_INSTANCE_ID`.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new SettingsInvalid(
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'} ${issue.message}`).join('; '),
    );
  }
  const values = parsed.data;
  const development = values.AZURE_FUNCTIONS_ENVIRONMENT === 'Development' && values.WEBSITE_INSTANCE_ID === undefined;
  const auth = authOf(values, development);
  const problems = contradictions(values, development, auth);
  if (problems.length > 0) throw new SettingsInvalid(problems.join('; '));
  return {
    development,
    port: values.PORT,
    stateDirectory: values.GEOAGENT_STATE,
    storageConnectionString: values.AzureWebJobsStorage ?? null,
    artifacts: {
      container: values.GEOAGENT_ARTIFACTS_CONTAINER,
      accountUrl: values.GEOAGENT_ARTIFACTS_URL ?? null,
      clientId: values.GEOAGENT_ARTIFACTS_CLIENT_ID ?? null,
    },
    sql: {
      connectionString: values.GEOAGENT_SQL_CONNECTION_STRING ?? null,
      server: values.GEOAGENT_SQL_SERVER ?? null,
      database: values.GEOAGENT_SQL_DATABASE ?? null,
    },
    taskHub: values.GEOAGENT_TASK_HUB,
    maxParallelNodes: values.GEOAGENT_MAX_PARALLEL_NODES,
    maxNodes: values.GEOAGENT_MAX_NODES,
    maxRuns: values.GEOAGENT_MAX_RUNS,
    maxRunsPerTenant: values.GEOAGENT_MAX_RUNS_PER_TENANT,
    resources: { 'arcgis.gp': 4, 'local.cpu': 2, ...values.GEOAGENT_RESOURCES },
    connections: values.GEOAGENT_CONNECTIONS,
    auth,
    llmConfigured: false,
    logLevel: values.GEOAGENT_LOG_LEVEL,
  };
}

type Values = z.infer<typeof schema>;

function authOf(values: Values, development: boolean): AuthSettings {
  return {
    mode: values.GEOAGENT_AUTH ?? (development ? 'local' : 'entra'),
    issuer: values.GEOAGENT_AUTH_ISSUER ?? null,
    audience: values.GEOAGENT_AUTH_AUDIENCE ?? null,
    jwksUrl: values.GEOAGENT_AUTH_JWKS_URL ?? null,
    tenants: values.GEOAGENT_AUTH_TENANTS.split(/[,\s]+/).filter((tenant) => tenant !== ''),
    easyAuthEnabled: values.WEBSITE_AUTH_ENABLED?.toLowerCase() === 'true',
  };
}

/** What is allowed one by one and wrong together. */
function contradictions(values: Values, development: boolean, auth: AuthSettings): string[] {
  const problems: string[] = [];
  if (values.AzureWebJobsStorage !== undefined && values.AzureWebJobsStorage__accountName !== undefined) {
    problems.push(
      'AzureWebJobsStorage and AzureWebJobsStorage__accountName: set either a connection string or an identity, never both',
    );
  }
  if (values.GEOAGENT_SQL_CONNECTION_STRING !== undefined && values.GEOAGENT_SQL_SERVER !== undefined) {
    problems.push('GEOAGENT_SQL_CONNECTION_STRING and GEOAGENT_SQL_SERVER: set one of them');
  }
  if ((values.GEOAGENT_SQL_SERVER === undefined) !== (values.GEOAGENT_SQL_DATABASE === undefined)) {
    problems.push('GEOAGENT_SQL_SERVER and GEOAGENT_SQL_DATABASE go together');
  }
  if (auth.mode === 'local' && !development) problems.push('GEOAGENT_AUTH=local exists in development only');
  if (auth.mode === 'entra') {
    const missing = [
      ['GEOAGENT_AUTH_ISSUER', auth.issuer],
      ['GEOAGENT_AUTH_AUDIENCE', auth.audience],
      ['GEOAGENT_AUTH_JWKS_URL', auth.jwksUrl],
    ].flatMap(([name, value]) => (value === null ? [name] : []));
    if (missing.length > 0) problems.push(`GEOAGENT_AUTH=entra needs ${missing.join(', ')}`);
    if (auth.tenants.length === 0) problems.push('GEOAGENT_AUTH_TENANTS lists no tenant that may sign in');
  }
  if (auth.mode === 'easyAuth' && !auth.easyAuthEnabled)
    problems.push('GEOAGENT_AUTH=easyAuth needs the platform’s authentication to be on');
  return problems;
}
