import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureAzurite } from '../azurite/ensureAzurite.ts';
import { freePort } from '../azurite/processes.ts';
import { startHost } from '../host/index.ts';
import { withLocalSettings } from './settingsFile.ts';

export interface System {
  readonly baseUrl: string;
  readonly stateDirectory: string;
  /** Stops the host; with `storage` also the storage emulator that it uses. */
  stop(storage: boolean): Promise<void>;
}

/** The folder that holds `host.json`: above `dist` when built, above `src` otherwise. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'host.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('host.json was not found above this file');
    folder = parent;
  }
  return folder;
}

/**
 * Azurite (unless AzureWebJobsStorage names a store) + the embedded host with the app's own compiled functions.
 * Resolves when `/api/health` answers 200.
 */
export async function startSystem(options: {
  readonly port: number;
  readonly state?: string;
  readonly log?: (line: string) => void;
  /** Fails an instance that would hang or go wrong silently on Azure; otherwise it is named in the log. */
  readonly strict?: boolean;
}): Promise<System> {
  const root = projectRoot();
  const env = withLocalSettings(root, process.env);
  const stateDirectory = resolve(root, options.state ?? env['GEOAGENT_STATE'] ?? '.local');
  mkdirSync(stateDirectory, { recursive: true });
  env['AZURE_FUNCTIONS_ENVIRONMENT'] ??= 'Development';
  env['GEOAGENT_TASK_HUB'] ??= 'GeoAgentDev';
  env['GEOAGENT_STATE'] = stateDirectory;
  env['FUNCTIONS_WORKER_RUNTIME'] ??= 'node';

  const port = options.port === 0 ? await freePort() : options.port;
  env['PORT'] = String(port);

  const azurite = env['AzureWebJobsStorage'] === undefined ? await ensureAzurite({ stateDirectory }) : undefined;
  if (azurite !== undefined) env['AzureWebJobsStorage'] = azurite.connectionString;
  // The app reads its settings from the environment of this process, as it would under the platform's host.
  Object.assign(process.env, env);
  const host = await startHost({
    appDirectory: root,
    stateDirectory: join(stateDirectory, 'host'),
    port,
    env,
    strict: options.strict === true,
  });
  await untilHealthy(host.baseUrl);
  return {
    baseUrl: host.baseUrl,
    stateDirectory,
    async stop(storage) {
      await host.stop();
      if (storage) await azurite?.stop();
    },
  };
}

async function untilHealthy(baseUrl: string): Promise<void> {
  let last = 'no answer';
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      const response = await fetch(`${baseUrl}/api/health`);
      if (response.ok) return;
      last = `HTTP ${String(response.status)}: ${await response.text()}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`The system did not become healthy within 30 s: ${last}`);
}
