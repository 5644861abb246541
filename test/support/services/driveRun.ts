/** Drives `run1` by hand over the real activities: the whole product without a host. */
import { begin } from '../../../src/activities/begin.ts';
import { control } from '../../../src/activities/control.ts';
import { finish } from '../../../src/activities/finish.ts';
import { node } from '../../../src/activities/node.ts';
import { plan } from '../../../src/activities/plan.ts';
import { validate } from '../../../src/activities/validate.ts';
import { verify } from '../../../src/activities/verify.ts';
import type { Principal } from '../../../src/identity/principal.ts';
import { runOrchestration, type RunEnd } from '../../../src/orchestration/run.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import type { Services } from '../../../src/runs/services.ts';
import { startRun } from '../../../src/runs/start.ts';
import { HandDriven } from '../handDriven.ts';
import { notingEngine, type TestServices } from './testServices.ts';

export const ACTIVITIES: ReadonlyMap<string, (services: Services, input: unknown) => Promise<unknown>> = new Map<
  string,
  (services: Services, input: unknown) => Promise<unknown>
>([
  ['begin1', begin],
  ['plan1', plan],
  ['validate1', validate],
  ['control1', control],
  ['node1', node],
  ['verify1', verify],
  ['finish1', finish],
]);

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
  readonly hand: HandDriven<RunEnd>;
}

/** Runs to the end, one activity after another; `before` may act (and throw) just before an activity is executed. */
export async function drive(
  services: TestServices,
  runId: string,
  before?: (name: string, input: unknown) => Promise<void> | void,
): Promise<Driven> {
  const hand = new HandDriven<RunEnd>((verbs) => runOrchestration(verbs, { version: 1, runId }, runId), services.clock);
  for (let step = 0; hand.ended === undefined; step += 1) {
    if (step > 500) throw new Error('the run does not end');
    const call = hand.open()[0];
    if (call === undefined) {
      const due = hand.openTimers().toSorted((x, y) => x.dueAt - y.dueAt)[0];
      if (due === undefined) throw new Error('nothing is open');
      services.clock = Math.max(services.clock, due.dueAt);
      hand.advance(due.dueAt - hand.verbs().now());
      continue;
    }
    try {
      await before?.(call.name, call.input);
      hand.answer(call, await ACTIVITIES.get(call.name)?.(services, structuredClone(call.input)));
    } catch (error) {
      hand.lose(call, error instanceof Error ? error.message : String(error));
    }
  }
  if ('error' in hand.ended) throw hand.ended.error as Error;
  return { end: hand.ended.value, hand };
}
