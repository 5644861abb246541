/**
 * Makespan on the embedded host against the critical path, which no scheduler can beat, and against a wave scheduler run
 * in the same process right before (start a whole level of the graph, wait for all of it, start the next).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../../src/local/host/index.ts';
import type { Schedule } from '../../src/orchestration/schedule.ts';
import { chainBesideOne, criticalPathMs, randomGraph, waveMs } from '../support/makespan/graphs.ts';

export interface MakespanRow {
  readonly graph: string;
  readonly criticalMs: number;
  readonly oursMs: number;
  readonly wavesMs: number;
  /** What the waves cost at least, over the critical path: the factor to expect. */
  readonly expectedFactor: number;
  readonly factor: number;
  /** Ours within 5 % + 150 ms of the critical path. */
  readonly within: boolean;
}

/** Runs the chain and `graphs` random graphs, one after another. */
export async function benchMakespan(graphs: number): Promise<readonly MakespanRow[]> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'makespan-'));
  const appDirectory = join(import.meta.dirname, '../support/makespan');
  const host = await startHost({
    appDirectory,
    entryFiles: [join(appDirectory, 'app.ts')],
    stateDirectory,
    port: 0,
    log: (level, message) => {
      if (level === 'error') console.error(message);
    },
  });
  let number = 0;
  const timed = async (orchestrator: string, schedule: Schedule): Promise<number> => {
    number += 1;
    const id = `${orchestrator}-${String(number)}`;
    const began = performance.now();
    host.client.start(orchestrator, { instanceId: id, input: JSON.stringify(schedule) });
    const ended = await host.waitFor(id);
    if (ended.status !== 'Completed') throw new Error(`${id}: ${ended.status} ${String(ended.output)}`);
    return performance.now() - began;
  };
  try {
    await timed('makespanOurs', randomGraph(0));
    await timed('makespanWaves', randomGraph(0));
    const rows: MakespanRow[] = [];
    const all: [string, Schedule][] = [['3 × 0.5 s beside 2 s', chainBesideOne()]];
    for (let seed = 1; seed <= graphs; seed += 1) all.push([`random ${String(seed)}`, randomGraph(seed)]);
    for (const [graph, schedule] of all) {
      const wavesMs = await timed('makespanWaves', schedule);
      const oursMs = await timed('makespanOurs', schedule);
      const criticalMs = criticalPathMs(schedule);
      rows.push({
        graph,
        criticalMs,
        oursMs: Math.round(oursMs),
        wavesMs: Math.round(wavesMs),
        expectedFactor: Number((waveMs(schedule) / criticalMs).toFixed(2)),
        factor: Number((wavesMs / oursMs).toFixed(2)),
        within: oursMs <= criticalMs * 1.05 + 150,
      });
    }
    return rows;
  } finally {
    await host.stop();
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}
