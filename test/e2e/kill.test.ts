/**
 * SIGKILL of the host at random moments of a run, real processes: after a restart on the same state every run succeeds,
 * each node has one completed operation and one artifact per output. The storage emulator is never killed.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { mulberry32 } from '../../src/local/sample/random.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/open.ts';
import { startRun, waitFor } from '../support/system/api.ts';
import { ITALIAN_GOAL } from '../support/system/plans.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

const KILLS = 20;
let system: RunningSystem | undefined;
afterAll(() => system?.stop());

describe('killed at a random moment', () => {
  it(`${String(KILLS)} runs survive ${String(KILLS)} kills`, { timeout: 900_000 }, async () => {
    const seed = Number(process.env['GEOAGENT_SEED'] ?? 20_261);
    const next = mulberry32(seed);
    const state = temporaryState();
    const runs: string[] = [];
    system = await startProcess({ state });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const delay = Math.round(next() * 2_500);
      runs.push(await startRun(system.baseUrl, { goal: ITALIAN_GOAL, locale: 'it' }));
      await new Promise((done) => setTimeout(done, delay));
      await system.kill();
      system = await startProcess({ state });
    }
    for (const runId of runs) {
      const run = await waitFor(system.baseUrl, runId, undefined, 240_000);
      expect(run, `seed ${String(seed)}: ${JSON.stringify(run.error)}`).toMatchObject({ status: 'succeeded' });
    }
    const ledger = openSqliteLedger({ path: `${state}/ledger.sqlite` });
    for (const runId of runs) {
      const projection = await ledger.project(runId);
      const operations = projection?.operations ?? [];
      const keys = operations.map((row) => `${row.nodeId}#${String(row.item)}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(operations.every((row) => row.state === 'completed')).toBe(true);
      const outputs = (projection?.artifacts ?? []).map((row) => `${row.nodeId}.${row.output}`);
      expect(new Set(outputs).size).toBe(outputs.length);
    }
    expect(await ledger.verifyAudit()).toMatchObject({ ok: true });
    await ledger.close();
  });
});
