import type { Caller } from '../../../../src/runs/access.ts';
import { cancelRun } from '../../../../src/runs/cancel.ts';
import type { Engine } from '../../../../src/runs/engine.ts';
import type { Services } from '../../../../src/runs/services.ts';
import { alice } from '../../services/driveRun.ts';

export type Request = (services: Services, engine: Engine, runId: string) => Promise<unknown>;

export interface WalkScenario {
  readonly name: string;
  readonly plan: unknown;
  /** What the user sends meanwhile, one after another, each at a time that the seed decides. */
  readonly requests?: readonly Request[];
  /** Ends that are right beside the fault-free one: what a cancel may lead to. */
  readonly mayCancel?: boolean;
}

const origin = 'http://localhost';
const caller = (route: Caller['route']): Caller => ({ principal: alice, route });

export const cancel: Request = (services, engine, runId) =>
  cancelRun(services, engine, caller('POST /runs/{id}/cancel'), runId, origin);

const DIAMOND = {
  nodes: [
    { id: 'a', tool: 'test.work', args: { value: { n: 1 } } },
    { id: 'b', tool: 'test.stumble', dependsOn: ['a'], args: { value: { ref: 'a.value.n', default: 1 } } },
    { id: 'c', tool: 'test.work', dependsOn: ['a'], args: { value: 3 } },
    { id: 'd', tool: 'test.work', args: { value: [{ ref: 'b.value' }, { ref: 'c.value' }] } },
  ],
};

const LINGER = {
  nodes: [
    { id: 'a', tool: 'test.linger', args: { value: 1 } },
    { id: 'b', tool: 'test.linger', args: { value: 2 } },
    { id: 'c', tool: 'test.work', args: { value: [{ ref: 'a.value' }, { ref: 'b.value' }] } },
  ],
};

export const WALK_SCENARIOS: readonly WalkScenario[] = [
  { name: 'diamond', plan: DIAMOND },
  { name: 'long work', plan: LINGER },
  { name: 'diamond, cancelled', plan: DIAMOND, requests: [cancel], mayCancel: true },
];
