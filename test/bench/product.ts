/** The product with its test tools on the embedded host in this process, for benchmarks: Azurite, SQLite, real HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../src/local/azurite/processes.ts';
import { startHost, type Host } from '../../src/local/host/index.ts';
import { freshHub } from '../support/hosts/appEnv.ts';
import { useSharedAzurite } from '../support/hosts/sharedAzurite.ts';
import { TEST_APP } from '../support/testApp/index.ts';

export interface Product {
  readonly host: Host;
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts it once a process: the app's services are built for the process's environment. */
export async function startProduct(window: number): Promise<Product> {
  const azurite = await useSharedAzurite();
  const state = mkdtempSync(join(tmpdir(), 'geoagent-bench-'));
  const port = await freePort();
  Object.assign(process.env, {
    PORT: String(port),
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    FUNCTIONS_WORKER_RUNTIME: 'node',
    GEOAGENT_LOG_LEVEL: 'error',
    AzureWebJobsStorage: azurite.connectionString,
    GEOAGENT_STATE: state,
    GEOAGENT_TASK_HUB: freshHub(),
    GEOAGENT_MAX_PARALLEL_NODES: String(window),
  });
  const host = await startHost({
    appDirectory: resolve(import.meta.dirname, '../..'),
    entryFiles: [TEST_APP],
    stateDirectory: join(state, 'host'),
    port,
    log: (level, message) => {
      if (level === 'error') console.error(message);
    },
  });
  return {
    host,
    baseUrl: host.baseUrl,
    async stop() {
      await host.stop();
      await azurite.release();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** The p-th percentile (nearest rank) of the values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}
