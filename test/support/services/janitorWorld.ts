/** What the janitor's tests share: services on memory, an engine under the test's hand, and passes over both. */
import { finish } from '../../../src/activities/finish.ts';
import type { NewInstance, RunStatus } from '../../../src/ledger/port.ts';
import { janitorPass, type JanitorReport } from '../../../src/runs/janitor.ts';
import { newRun } from '../ledger/samples.ts';
import { fakeEngine, type FakeEngine } from './fakeEngine.ts';
import { testServices, type TestServices } from './testServices.ts';
import { testTool } from './testTools.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const NOTHING: JanitorReport = {
  started: 0,
  ended: 0,
  closed: 0,
  terminated: 0,
  expired: 0,
  purged: 0,
  failed: 0,
};

export interface JanitorStage {
  readonly services: TestServices;
  readonly engine: FakeEngine;
  pass(): Promise<JanitorReport>;
  /** A run as its row stands: accepted now, then moved or ended. */
  run(runId: string, status?: RunStatus): Promise<void>;
  end(runId: string, status: RunStatus): Promise<void>;
  child(runId: string, name: string, more?: Partial<NewInstance>): Promise<string>;
  /** What the janitor has on record: event types of its own. */
  audited(runId: string): Promise<readonly string[]>;
}

export async function janitorStage(): Promise<JanitorStage> {
  const services = await testServices(['a', 'b'].map((name) => testTool(name, async () => ({ name }))));
  const { ledger } = services;
  const engine = fakeEngine();
  return {
    services,
    engine,
    pass: () =>
      janitorPass({
        services,
        engine,
        finish: (runId, error) => finish(services, { version: 1, runId, by: 'janitor', decisions: [], error }, engine),
        retentionDays: 90,
      }),
    run: async (runId, status = 'accepted') => {
      await ledger.createRun(newRun({ runId, now: services.clock }));
      if (status !== 'accepted') await ledger.moveRun(runId, ['accepted'], status, { now: services.clock });
    },
    end: async (runId, status) => {
      const end = { status, headline: null, error: null, now: services.clock, by: runId, decisions: [] };
      await ledger.finishRun(runId, end);
    },
    child: async (runId, name, more = {}) => {
      const instanceId = `${runId}-${name}`;
      const shape = { kind: 'sleep' as const, revision: 1, nodeId: name, item: -1, attempt: 1, until: 9, to: null };
      await ledger.planInstance({ instanceId, runId, ...shape, ...more }, services.clock);
      await ledger.moveInstance(instanceId, 'live', services.clock);
      return instanceId;
    },
    audited: async (runId) =>
      (await ledger.events(runId, 0, 10_000)).filter(({ actor }) => actor === 'janitor').map(({ type }) => type),
  };
}
