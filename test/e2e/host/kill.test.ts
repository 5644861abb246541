import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/local/host/store/store.ts';
import { spawnHost, type HostProcess } from '../../support/hostApp/process.ts';
import { stateFolder } from '../../support/hostApp/start.ts';
import { Random } from '../../support/fanout/random.ts';

const KILLS = 20;
const INSTANCES = 4;
const COUNT = 60;
const WIDTH = 5;
const state = stateFolder();
let host: HostProcess | undefined;
afterEach(async () => {
  await host?.kill();
  state.remove();
});

interface Status {
  readonly instanceId: string;
  readonly runtimeStatus: string;
  readonly output: unknown;
}

async function call(base: string, method: string, ...args: unknown[]): Promise<unknown> {
  const answer = await fetch(`${base}/api/client/${method}`, { method: 'POST', body: JSON.stringify(args) });
  const { ok, value, message } = (await answer.json()) as { ok: boolean; value: unknown; message?: string };
  if (!ok) throw new Error(message);
  return value;
}

const lines = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

/** Waits until the log has at least `wanted` lines, or everything has ended. */
async function progress(file: string, wanted: number, ended: () => Promise<boolean>): Promise<void> {
  while (lines(file).length < wanted) {
    if (await ended()) return;
  }
}

describe('SIGKILL of the host', () => {
  it(`${KILLS} times at random moments: every instance completes, every activity result is bound once`, async () => {
    const log = join(state.path, 'calls.log');
    const random = new Random(20_260_105);
    host = await spawnHost(state.path, { HOST_TEST_LOG: log });
    const ids: string[] = [];
    const startOne = async (): Promise<void> => {
      const instanceId = `run${ids.length}`;
      ids.push(instanceId);
      const input = { count: COUNT, width: WIDTH, ms: 5 };
      await call(host?.baseUrl ?? '', 'startNew', 'recordAll', { instanceId, input });
    };
    for (let i = 0; i < INSTANCES; i += 1) await startOne();
    const statuses = async (): Promise<Status[]> => (await call(host?.baseUrl ?? '', 'getStatusAll')) as Status[];
    const ended = async (): Promise<boolean> => (await statuses()).every((s) => s.runtimeStatus === 'Completed');

    for (let kill = 0; kill < KILLS; kill += 1) {
      // A fast machine may be through: there must be work to interrupt.
      if (await ended()) await startOne();
      // Somewhere in the next wave: right after a completion is written, or before the next commit.
      await progress(log, lines(log).length + 1 + random.below(6), ended);
      await host.kill();
      host = await spawnHost(state.path, { HOST_TEST_LOG: log });
    }
    while (!(await ended())) await progress(log, lines(log).length + 1, ended);
    for (const status of await statuses()) {
      const expected = [
        ...Array.from({ length: COUNT }, (_, i) => `${status.instanceId}/${i}`),
        `${status.instanceId}/last`,
      ];
      expect(status.output).toEqual(expected);
    }
    // At least once: everything ran, a few ran again because the kill came before their completion was stored.
    const counts = new Map<string, number>();
    for (const key of lines(log)) counts.set(key, (counts.get(key) ?? 0) + 1);
    expect(counts.size).toBe(ids.length * (COUNT + 1));

    await host.kill();
    host = undefined;
    const store = openStore(join(state.path, 'TestHub'));
    for (const id of ids) {
      const events = store.instances
        .history(id)
        .map((text) => JSON.parse(text) as { EventType: number; TaskScheduledId?: number });
      const completions = events.filter((e) => e.EventType === 5).map((e) => e.TaskScheduledId);
      expect(new Set(completions).size).toBe(completions.length);
      expect(completions.length).toBe(COUNT + 1);
    }
    expect(store.activities.all()).toEqual([]);
    store.close();
  });
});
