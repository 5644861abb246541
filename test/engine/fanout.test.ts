/**
 * The proof that the engine idea holds: random graphs over the durable binding on Microsoft's own extension.
 * ENGINE_GRAPHS sets their number (160: the storage emulator slows down with every instance it keeps), ENGINE_SEED the first seed (1).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NAIVE_ROOT, randomGraph, ROOT } from '../support/fanout/graph.ts';
import { readExecutions, runGraphsOn, wrongRuns } from './graphRuns.ts';
import { engineMissing, startEngineHost } from './harness.ts';
import type { Engine } from './harness.ts';

const missing = engineMissing();
if (missing !== undefined) console.warn(`engine tests skipped: ${missing}`);

const COUNT = Number(process.env['ENGINE_GRAPHS'] ?? 160);
const FIRST = Number(process.env['ENGINE_SEED'] ?? 1);
const WIDTH = 24;

describe.skipIf(missing !== undefined)('the real Durable Task extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const log = join(folder, 'executions.jsonl');
  let engine: Engine;

  beforeAll(async () => {
    writeFileSync(log, '');
    const entryFiles = [join(import.meta.dirname, '../support/fanout/app.ts')];
    engine = await startEngineHost({ entryFiles, hubName: 'fanout', env: { FANOUT_LOG: log } });
  });
  afterAll(async () => {
    await (engine as Engine | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('completes an orchestrator that is nothing but literal JSON, and announces replay schema V4 (wire value 3)', async () => {
    await engine.start('LiteralOrchestrator', 'literal', null);
    expect(await engine.waitForEnd('literal')).toMatchObject({ runtimeStatus: 'Completed', output: { announced: 3 } });
  });

  it(`O-02 runs ${COUNT} random graphs: each activity once, each result with its node, window kept, end reached`, async () => {
    const seeds = Array.from({ length: COUNT }, (_, i) => FIRST + i);
    const startedAt = Date.now();
    const runs = await runGraphsOn(engine, ROOT, seeds, WIDTH);
    const wrong = wrongRuns(runs, log);
    const nodes = runs.reduce((sum, run) => sum + run.nodes, 0);
    const activities = readExecutions(log).length;
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
    console.log(
      `${runs.length} graphs, ${nodes} nodes, ${activities} activity executions, ${seconds} s, ${wrong.length} wrong`,
    );
    expect(runs).toHaveLength(COUNT);
    expect(wrong).toEqual([]);
  });

  it('negative control: the plain Task.any loop runs activities twice, and the oracle sees it', async () => {
    const seeds = Array.from({ length: 400 }, (_, i) => 1_000 + i).filter((seed) => {
      const { nodes, events } = randomGraph(seed);
      return events.length === 0 && nodes.length >= 6;
    });
    const runs = await runGraphsOn(engine, NAIVE_ROOT, seeds.slice(0, 8), 8, 10_000);
    const wrong = wrongRuns(runs, log);
    console.log(`plain loop: ${wrong.length} of ${runs.length} graphs wrong`);
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.join('\n')).toMatch(/ran [2-9]\d* times/);
  });
});
