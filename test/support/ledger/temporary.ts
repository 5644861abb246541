import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test. */
export async function temporaryFolder(): Promise<{ readonly path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'geoagent-'));
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}
