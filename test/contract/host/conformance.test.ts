/** The embedded host answers and keeps histories as the real engine does: the golden files were recorded there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../../../src/local/host/index.ts';
import { ALLOWED, expectedOfEmbedded } from '../../support/conformance/allowed.ts';
import { readGolden } from '../../support/conformance/golden.ts';
import { CASES, CONFORMANCE_APP, ENTRY_FILES } from '../../support/conformance/index.ts';
import { runAll } from '../../support/conformance/runAll.ts';
import type { Target } from '../../support/conformance/types.ts';

describe('the embedded host does what the real engine does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const target = Promise.withResolvers<Target>();
  const recordings = runAll(CASES, target.promise, 16);
  let host: Host | undefined;

  beforeAll(async () => {
    process.env['CONFORMANCE_PAYLOADS'] = folder;
    host = await startHost({
      appDirectory: CONFORMANCE_APP,
      entryFiles: ENTRY_FILES,
      stateDirectory: join(folder, 'state'),
      port: 0,
      env: { GEOAGENT_TASK_HUB: 'Conformance' },
      log: () => undefined,
    });
    const rpcBaseUrl = `http://127.0.0.1:${String(host.rpcPort)}/durabletask/`;
    target.resolve({ rpcBaseUrl, payloads: folder, limitMs: 15_000 });
  });
  afterAll(async () => {
    delete process.env['CONFORMANCE_PAYLOADS'];
    await host?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const named = CASES.map((one) => {
    const reason = ALLOWED.get(one.name)?.reason;
    return { ...one, kept: reason === undefined ? '' : `[kept different: ${reason}]` };
  });
  it.each(named)('$name: $title $kept', { timeout: 20_000 }, async ({ name }) => {
    expect(await recordings.get(name)).toEqual(expectedOfEmbedded(name, readGolden(name)));
  });

  it.each([...ALLOWED])('%s still differs where that is allowed', (name) => {
    const golden = readGolden(name);
    expect(expectedOfEmbedded(name, golden)).not.toEqual(golden);
  });
});
