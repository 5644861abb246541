import { cancelRun, resumeRun, suspendRun } from '../../../../src/runs/control.ts';
import type { Engine } from '../../../../src/runs/engine.ts';
import type { Services } from '../../../../src/runs/services.ts';
import { alice } from '../../services/driveRun.ts';
import { CHAIN, DIAMOND, INLINE, JOB, LANES, waits } from '../plans.ts';

export type Request = (services: Services, engine: Engine, runId: string) => Promise<unknown>;

export interface WalkScenario {
  readonly name: string;
  readonly plan: unknown;
  /** What the user sends meanwhile, one after another, each at a time that the seed decides. */
  readonly requests?: readonly Request[];
  /** A cancelled end is right too. */
  readonly mayCancel?: boolean;
  /** Nodes whose result says when it was made: it must be there, its digest differs. */
  readonly timed?: readonly string[];
}

const origin = 'http://localhost';

const cancel: Request = (services, engine, runId) =>
  cancelRun({ services, engine, runId, origin, caller: { principal: alice, route: 'POST /runs/{id}/cancel' } });
const suspend: Request = (services, engine, runId) =>
  suspendRun({ services, engine, runId, origin, caller: { principal: alice, route: 'POST /runs/{id}/suspend' } });
const resume: Request = (services, engine, runId) =>
  resumeRun({ services, engine, runId, origin, caller: { principal: alice, route: 'POST /runs/{id}/resume' } });

const LINGER = {
  nodes: [
    { id: 'a', tool: 'test.linger', args: { value: 1 } },
    { id: 'b', tool: 'test.linger', args: { value: 2 } },
    { id: 'c', tool: 'test.count', args: { value: [{ ref: 'a.value' }, { ref: 'b.value' }] } },
  ],
};

/** Out of a timer's reach: a child waits. */
const THREE_DAYS_MS = 3 * 86_400_000;

const PLANS: readonly Pick<WalkScenario, 'name' | 'plan' | 'timed'>[] = [
  { name: 'diamond', plan: DIAMOND },
  { name: 'long work', plan: LINGER },
  { name: 'inline', plan: INLINE },
  { name: 'lanes', plan: LANES },
  { name: 'waits', plan: waits(THREE_DAYS_MS), timed: ['w'] },
  { name: 'job', plan: JOB },
  { name: 'chain', plan: CHAIN },
];

/** Each plan alone, cancelled, suspended and resumed, and cancelled while it is suspended. */
export const WALK_SCENARIOS: readonly WalkScenario[] = PLANS.flatMap((plan): WalkScenario[] => [
  plan,
  { ...plan, name: `${plan.name}, cancelled`, requests: [cancel], mayCancel: true },
  { ...plan, name: `${plan.name}, suspended`, requests: [suspend, resume] },
  { ...plan, name: `${plan.name}, cancelled while held`, requests: [suspend, cancel], mayCancel: true },
]);
