/**
 * The golden files that the embedded host is held against are what the real engine does. GOLDEN=record writes them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGolden, writeGolden } from '../support/conformance/golden.ts';
import { CASES, CONFORMANCE_APP, ENTRY_FILES } from '../support/conformance/index.ts';
import { runAll } from '../support/conformance/runAll.ts';
import type { Target } from '../support/conformance/types.ts';
import { engineMissing } from './dotnet.ts';
import { startEngineHost, type Engine } from './harness.ts';

const missing = engineMissing();
if (missing !== undefined) console.warn(`engine tests skipped: ${missing}`);

const RECORD = process.env['GOLDEN'] === 'record';
const LIMIT_MS = 120_000;

describe.skipIf(missing !== undefined)('the real engine does what the golden files say', () => {
  const payloads = mkdtempSync(join(tmpdir(), 'conformance-'));
  const target = Promise.withResolvers<Target>();
  const recordings = runAll(CASES, target.promise, 6);
  let engine: Engine | undefined;

  beforeAll(async () => {
    engine = await startEngineHost({
      appDirectory: CONFORMANCE_APP,
      entryFiles: ENTRY_FILES.map((file) => join(CONFORMANCE_APP, file)),
      hubName: 'Conformance',
      env: { CONFORMANCE_PAYLOADS: payloads },
    });
    target.resolve({ rpcBaseUrl: engine.rpcBaseUrl, payloads, limitMs: LIMIT_MS });
  });
  afterAll(async () => {
    await engine?.stop();
    rmSync(payloads, { recursive: true, force: true });
  });

  it.each(CASES)('$name: $title', async ({ name }) => {
    const recording = await recordings.get(name);
    if (recording === undefined) throw new Error(`${name} was not run`);
    if (RECORD) await writeGolden(name, recording);
    expect(recording).toEqual(readGolden(name));
  });
});
