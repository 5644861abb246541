import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../../src/local/azurite/processes.ts';
import type { TestHostOptions } from './types.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** A task hub that no run before has used: letters and digits, unique. */
export function freshHub(): string {
  return `Hub${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}

/** The files of src/functions: the app itself, unbuilt, so that a stale build can't be tested. */
export function ownEntryFiles(): string[] {
  const folder = join(REPOSITORY, 'src/functions');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => join(folder, file));
}

export interface AppSetup {
  readonly appDirectory: string;
  readonly entryFiles: readonly string[];
  readonly stateDirectory: string;
  readonly hub: string;
  /** Known before anything starts: the app compares it with the Host header. */
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

/** What both hosts give the app: everything of its own, nothing left from a run before. */
export async function appSetup(options: TestHostOptions, connectionString: string): Promise<AppSetup> {
  const own = options.appDirectory === undefined;
  const stateDirectory = options.env?.['GEOAGENT_STATE'] ?? mkdtempSync(join(tmpdir(), 'geoagent-host-'));
  const hub = options.env?.['GEOAGENT_TASK_HUB'] ?? freshHub();
  const port = await freePort();
  return {
    appDirectory: options.appDirectory ?? REPOSITORY,
    entryFiles: options.entryFiles ?? (own ? ownEntryFiles() : []),
    stateDirectory,
    hub,
    port,
    env: {
      AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
      FUNCTIONS_WORKER_RUNTIME: 'node',
      GEOAGENT_LOG_LEVEL: 'warn',
      ...options.env,
      AzureWebJobsStorage: connectionString,
      GEOAGENT_STATE: stateDirectory,
      GEOAGENT_TASK_HUB: hub,
      PORT: String(port),
    },
  };
}
