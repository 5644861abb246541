import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHost, type Host, type HostOptions } from '../../../src/local/host/index.ts';

export const HOST_APP = fileURLToPath(new URL('.', import.meta.url));
const ENTRIES = ['activities.ts', 'orchestrators.ts', 'nondeterministic.ts', 'quirky.ts', 'http.ts'];

/** A fresh state folder, and its removal. */
export function stateFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'host-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let app: Host['app'] | undefined;

/** Starts the test app in this process, on a free port; the app is loaded once a process. `log` lines go to the list. */
export async function startTestHost(
  stateDirectory: string,
  options: Partial<HostOptions> = {},
): Promise<Host & { readonly log: string[] }> {
  const log: string[] = [];
  const host = await startHost({
    appDirectory: HOST_APP,
    entryFiles: ENTRIES,
    stateDirectory,
    port: 0,
    env: { HUB: 'TestHub' },
    // What would go wrong silently on Azure fails here; a test that shows such a thing asks for strict: false.
    strict: true,
    log: (level, message, fn) => {
      if (level !== 'debug') log.push(`${level} ${fn ?? ''} ${message}`);
    },
    ...(app === undefined ? {} : { app }),
    ...options,
  });
  app = host.app;
  return { ...host, log };
}
