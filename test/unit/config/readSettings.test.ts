import { describe, expect, it } from 'vitest';
import { readSettings, SettingsInvalid, type Environment } from '../../../src/config/read.ts';

const development = { AZURE_FUNCTIONS_ENVIRONMENT: 'Development' };
const auth = {
  mode: 'entra',
  issuer: 'https://login.example.test/v2.0',
  audience: 'api://geoagent',
  jwksUrl: 'https://login.example.test/keys',
  tenants: ['11111111-2222-3333-4444-555555555555'],
};
const production = {
  AzureWebJobsStorage: 'UseDevelopmentStorage=true',
  GEOAGENT_TASK_HUB: 'GeoAgentProd',
  GEOAGENT_AUTH: JSON.stringify(auth),
};

function problems(env: Environment): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return (error as SettingsInvalid).problems;
  }
}

describe('settings', () => {
  it('need nothing in development', () => {
    expect(readSettings(development)).toEqual({
      development: true,
      port: 7071,
      stateDirectory: '.local',
      storageConnectionString: null,
      artifacts: { container: 'artifacts', accountUrl: null, clientId: null },
      sql: { connectionString: null, server: null, database: null },
      taskHub: 'GeoAgentDev',
      maxParallelNodes: 8,
      maxNodes: 200,
      maxRuns: 100,
      maxRunsPerTenant: 20,
      resources: { 'arcgis.gp': 4, 'local.cpu': 2 },
      connections: {},
      auth: { mode: 'local', issuer: null, audience: null, jwksUrl: null, tenants: ['local'], easyAuthEnabled: false },
      llmConfigured: false,
      retentionDays: 90,
      janitorSchedule: '0 */5 * * * *',
      logLevel: 'info',
    });
  });

  it('an instance in the cloud is never development, whatever its environment says', () => {
    expect(readSettings({ ...production, ...development, WEBSITE_INSTANCE_ID: 'x' }).development).toBe(false);
    expect(readSettings(production).development).toBe(false);
    expect(readSettings({ ...production, AZURE_FUNCTIONS_ENVIRONMENT: 'development' }).development).toBe(false);
  });

  it('outside development tells all that is missing at once', () => {
    expect(problems({})).toEqual([
      'GEOAGENT_TASK_HUB is needed outside development, one per app and slot.',
      'GEOAGENT_AUTH is needed outside development.',
      'AzureWebJobsStorage or GEOAGENT_ARTIFACTS_ACCOUNT_URL is needed outside development.',
    ]);
  });

  it('read values as they are meant and empty ones as absent', () => {
    const settings = readSettings({
      ...development,
      PORT: '0',
      GEOAGENT_STATE: ' /tmp/state ',
      AzureWebJobsStorage: '',
      GEOAGENT_MAX_PARALLEL_NODES: '3',
      GEOAGENT_RESOURCES: '{"local.cpu": 1, "publish": 2}',
      GEOAGENT_CONNECTIONS: '{"gpt": {"kind": "model", "origin": "https://x.test"}}',
      GEOAGENT_LOG_LEVEL: 'debug',
      GEOAGENT_RETENTION_DAYS: '30',
      GEOAGENT_JANITOR_SCHEDULE: ' 0  30 3 * * MON-FRI ',
    });
    expect(settings).toMatchObject({
      port: 0,
      stateDirectory: '/tmp/state',
      storageConnectionString: null,
      maxParallelNodes: 3,
      resources: { 'arcgis.gp': 4, 'local.cpu': 1, publish: 2 },
      llmConfigured: true,
      logLevel: 'debug',
      retentionDays: 30,
      janitorSchedule: '0 30 3 * * MON-FRI',
    });
  });

  it.each([
    ['PORT', '70710'],
    ['PORT', '-1'],
    ['PORT', '7071.5'],
    ['PORT', '0x10'],
    ['GEOAGENT_MAX_PARALLEL_NODES', '0'],
    ['GEOAGENT_MAX_PARALLEL_NODES', 'many'],
    ['GEOAGENT_MAX_NODES', '201'],
    ['GEOAGENT_RESOURCES', '[]'],
    ['GEOAGENT_RESOURCES', '{"local.cpu": 0}'],
    ['GEOAGENT_RESOURCES', '{"local.cpu": "2"}'],
    ['GEOAGENT_CONNECTIONS', '{'],
    ['GEOAGENT_LOG_LEVEL', 'loud'],
    ['GEOAGENT_RETENTION_DAYS', '0'],
    ['GEOAGENT_RETENTION_DAYS', 'for ever'],
    ['GEOAGENT_JANITOR_SCHEDULE', '*/5'],
    ['GEOAGENT_JANITOR_SCHEDULE', '0 0 * * * * *'],
    ['GEOAGENT_JANITOR_SCHEDULE', '0 */5 * * * %SECRET%'],
    ['GEOAGENT_ARTIFACTS_CONTAINER', 'No_Container'],
    ['GEOAGENT_ARTIFACTS_ACCOUNT_URL', 'http://account.blob.core.windows.net'],
    ['GEOAGENT_ARTIFACTS_ACCOUNT_URL', 'https://account.blob.core.windows.net/?sig=secret'],
    ['GEOAGENT_AUTH', '{"mode": "none"}'],
    ['GEOAGENT_AUTH', '{"mode": "local", "tennants": []}'],
  ])('refuse %s=%s, naming the variable and not the value', (name, value) => {
    const found = problems({ ...development, [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name} `));
    expect(found[0]).not.toContain('secret');
  });

  it.each([
    'TestHubName',
    'testhubname',
    'DurableFunctionsHub',
    '1abc',
    'ab',
    'a'.repeat(46),
    'Geo-Agent',
    'Geo Agent',
  ])('O-15 the task hub %s is refused', (name) => {
    expect(problems({ ...development, GEOAGENT_TASK_HUB: name })).toHaveLength(1);
  });

  it.each(['Abc', 'GeoAgentProd2', 'a'.repeat(45)])('O-15 the task hub %s is taken', (name) => {
    expect(readSettings({ ...development, GEOAGENT_TASK_HUB: name }).taskHub).toBe(name);
  });

  it('O-39 a connection string and identity settings exclude each other', () => {
    expect(problems({ ...production, AzureWebJobsStorage__accountName: 'x' })[0]).toMatch(/exclude each other/);
    const sql = { GEOAGENT_SQL_CONNECTION_STRING: 'Server=x', GEOAGENT_SQL_SERVER: 'x', GEOAGENT_SQL_DATABASE: 'y' };
    expect(problems({ ...production, ...sql })[0]).toMatch(/exclude each other/);
    expect(problems({ ...production, GEOAGENT_SQL_SERVER: 'x' })[0]).toMatch(/go together/);
  });

  it('many mistakes are one message with a line each', () => {
    const bad = { ...development, PORT: 'x', GEOAGENT_TASK_HUB: 'x', GEOAGENT_LOG_LEVEL: 'x' };
    expect(() => readSettings(bad)).toThrow(SettingsInvalid);
    expect(problems(bad)).toHaveLength(3);
  });
});

describe('GEOAGENT_AUTH', () => {
  const withAuth = (changes: Record<string, unknown>, more: Environment = {}) => ({
    ...production,
    GEOAGENT_AUTH: JSON.stringify({ ...auth, ...changes }),
    ...more,
  });

  it('is read whole', () => {
    expect(readSettings(withAuth({})).auth).toEqual({ ...auth, easyAuthEnabled: false });
  });

  it('mode local works in development only', () => {
    expect(problems(withAuth({ mode: 'local' }))).toEqual(['GEOAGENT_AUTH mode local works in development only.']);
  });

  it('an empty tenant list lets nobody in, so it is refused', () => {
    expect(problems(withAuth({ tenants: [] }))).toEqual(['GEOAGENT_AUTH needs tenants, the list of tenant ids.']);
  });

  it('keys over plain http are refused', () => {
    expect(problems(withAuth({ jwksUrl: 'http://login.example.test/keys' }))[0]).toContain('jwksUrl');
  });

  it('easyAuth only where the platform says that it is on', () => {
    const off = 'GEOAGENT_AUTH mode easyAuth needs the platform’s authentication switched on.';
    expect(problems(withAuth({ mode: 'easyAuth' }))).toEqual([off]);
    expect(problems(withAuth({ mode: 'easyAuth' }, { WEBSITE_AUTH_ENABLED: 'False' }))).toEqual([off]);
    const on = readSettings(withAuth({ mode: 'easyAuth' }, { WEBSITE_AUTH_ENABLED: 'True' }));
    expect(on.auth.easyAuthEnabled).toBe(true);
  });
});
