import type { IncomingRequest } from '../../../src/identity/result.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { readSettings } from '../../../src/config/read.ts';

export const PORT = 7071;
export const NOW = Date.UTC(2026, 10, 30, 12);
export const TENANT = '11111111-2222-3333-4444-555555555555';
export const ISSUER = `https://login.example.test/${TENANT}/v2.0`;
export const AUDIENCE = 'api://geoagent';

/** A request as the local listener sees it; headers override or, as null, remove the defaults. */
export function incoming(
  changes: {
    method?: string;
    path?: string;
    origin?: string;
    headers?: Record<string, string | null>;
    remoteAddress?: string;
  } = {},
): IncomingRequest {
  const origin = changes.origin ?? `http://localhost:${PORT}`;
  const headers = new Headers({ host: new URL(origin).host });
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const { remoteAddress } = changes;
  return {
    method: changes.method ?? 'GET',
    url: `${origin}${changes.path ?? '/api/runs'}`,
    headers,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  };
}

export const localSettings = (stateDirectory: string, tenants = ['local']): Settings =>
  readSettings({
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    GEOAGENT_STATE: stateDirectory,
    GEOAGENT_AUTH: JSON.stringify({ mode: 'local', tenants }),
  });

export const cloudSettings = (mode: 'entra' | 'easyAuth', changes: Record<string, unknown> = {}): Settings =>
  readSettings({
    AzureWebJobsStorage: 'UseDevelopmentStorage=true',
    GEOAGENT_TASK_HUB: 'GeoAgentProd',
    WEBSITE_AUTH_ENABLED: 'True',
    GEOAGENT_AUTH: JSON.stringify({
      mode,
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: 'https://login.example.test/keys',
      tenants: [TENANT],
      ...changes,
    }),
  });
