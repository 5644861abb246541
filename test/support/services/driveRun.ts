/** Accepts runs and drives them by hand over the real activities, with their children: the product without a host. */
import type { Principal } from '../../../src/identity/principal.ts';
import type { RunEnd } from '../../../src/orchestration/run.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { readRun } from '../../../src/runs/read.ts';
import type { Services } from '../../../src/runs/services.ts';
import { startRun } from '../../../src/runs/start.ts';
import type { HandDriven } from '../handDriven.ts';
import type { Loose } from '../system/api.ts';
import { notingEngine, type TestServices } from './testServices.ts';
import { World, type Before } from './world.ts';

export { ACTIVITIES } from './world.ts';

export const alice: Principal = {
  tenant: 'local',
  oid: 'alice',
  kind: 'person',
  roles: ['requester'],
  source: 'development',
};

export async function accept(services: TestServices, planned: unknown): Promise<string> {
  const started = await startRun(services, notingEngine(), alice, {
    body: { plan: planned as JsonValue },
    key: null,
    origin: 'http://localhost',
  });
  return started.runId;
}

export interface Driven {
  readonly end: RunEnd;
  readonly hand: HandDriven<unknown>;
  readonly world: World;
}

/** Runs to the end, one activity after another; `before` may act (and throw) just before an activity is executed. */
export async function drive(services: TestServices, runId: string, before?: Before): Promise<Driven> {
  const world = new World(services);
  const { hand } = world.begin('run1', runId, { version: 1, runId });
  await world.run(before);
  if (hand.ended === undefined) throw new Error('the run has not ended');
  if ('error' in hand.ended) throw hand.ended.error as Error;
  return { end: hand.ended.value as RunEnd, hand, world };
}

/** The run as its requester sees it. */
export const view = (services: Services, runId: string): Promise<Loose> =>
  readRun(services, { principal: alice, route: 'GET /runs/{id}' }, runId, 'http://localhost');
