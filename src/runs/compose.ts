/** The composition root: builds what use cases and activities stand on, once per process. */
import { createBlobArtifactStore } from '../artifacts/blobStore.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { currentSettings } from '../config/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger/port.ts';
import { createLogger } from '../telemetry/log.ts';
import { allTools } from '../tools/index.ts';
import { createToolPool } from '../tools/process/pool.ts';
import type { SampleSource, Services } from './services.ts';
import { hostAndChildTools } from './toolRunner.ts';

/** Lines on the error stream: the functions host shows them with the invocation's own. */
const toErrorStream = (line: string): void => void process.stderr.write(`${line}\n`);
const processSink = { debug: toErrorStream, info: toErrorStream, warn: toErrorStream, error: toErrorStream };

let built: Promise<Services> | undefined;
const changes: ((built: Services) => Services)[] = [];

/**
 * Test seam: an app under test adds tools or wraps a port. To be called by its entry file, before the first use.
 * Throws outside development, so that nothing deployed can be changed this way, and after the services were built.
 */
export function changeServices(change: (built: Services) => Services): void {
  if (!currentSettings().development) throw new Error('Services can be changed in development only.');
  if (built !== undefined) throw new Error('The services have been built already.');
  changes.push(change);
}

/** The services of this process; a failed start is tried again by the next caller. */
export function services(): Promise<Services> {
  built ??= build().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function build(): Promise<Services> {
  const settings = currentSettings();
  const ledger = await openLedger(settings);
  const store = createBlobArtifactStore(settings);
  await Promise.all([ledger.migrate(), store.ready()]);
  const catalog = createCatalog(allTools);
  const pool = createToolPool({ size: settings.resources['local.cpu'] ?? 2 });
  const base: Services = {
    settings,
    ledger,
    store,
    catalog,
    tools: hostAndChildTools(catalog, pool),
    sample: settings.development ? await loadSample() : null,
    log: createLogger(processSink, { level: settings.logLevel }),
    now: () => Date.now(),
  };
  return changes.reduce((services, change) => change(services), base);
}

/** The embedded store for now: SQL Server follows with the deployment. Loaded lazily: a cold start pays for one only. */
async function openLedger(settings: Settings): Promise<Ledger> {
  if (settings.sql.connectionString !== null || settings.sql.server !== null) {
    throw new Error('This release has no SQL Server ledger yet: leave GEOAGENT_SQL_* unset to use the embedded one.');
  }
  const { openSqliteLedger } = await import('../ledger/sqlite/open.ts');
  const { mkdir } = await import('node:fs/promises');
  await mkdir(settings.stateDirectory, { recursive: true });
  return openSqliteLedger({ path: `${settings.stateDirectory}/ledger.sqlite` });
}

/** Development data never ships: the module is absent from the deployed package. */
async function loadSample(): Promise<SampleSource> {
  const { sampleSource } = await import('../local/sample/index.ts');
  return sampleSource;
}
