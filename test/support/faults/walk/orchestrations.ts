/** Which generators and activity handlers a walk executes: the product's own, by their registered names. */
import { begin } from '../../../../src/activities/begin.ts';
import { control } from '../../../../src/activities/control.ts';
import { expand } from '../../../../src/activities/expand.ts';
import { finish } from '../../../../src/activities/finish.ts';
import { gather } from '../../../../src/activities/gather.ts';
import { jobStep } from '../../../../src/activities/jobStep.ts';
import { lanePart } from '../../../../src/activities/lanePart.ts';
import { node } from '../../../../src/activities/node.ts';
import { plan } from '../../../../src/activities/plan.ts';
import { sleepStep } from '../../../../src/activities/sleepStep.ts';
import { stop } from '../../../../src/activities/stop.ts';
import { validate } from '../../../../src/activities/validate.ts';
import { verify } from '../../../../src/activities/verify.ts';
import { laneOrchestration } from '../../../../src/orchestration/lane.ts';
import { ACTIVITY, CHILD, ORCHESTRATOR } from '../../../../src/orchestration/names.ts';
import { runOrchestration } from '../../../../src/orchestration/run.ts';
import type { Step, Verbs } from '../../../../src/orchestration/verbs.ts';
import { jobOrchestration, sleepOrchestration } from '../../../../src/orchestration/waitingChild.ts';
import type { Engine } from '../../../../src/runs/engine.ts';
import type { Services } from '../../../../src/runs/services.ts';

type Handler = (services: Services, input: unknown, engine: Engine) => Promise<unknown>;

export const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [ACTIVITY.begin, begin],
  [ACTIVITY.plan, plan],
  [ACTIVITY.validate, validate],
  [ACTIVITY.control, control],
  [ACTIVITY.node, node],
  [ACTIVITY.expand, expand],
  [ACTIVITY.gather, gather],
  [ACTIVITY.stop, stop],
  [ACTIVITY.lanePart, lanePart],
  [ACTIVITY.sleepStep, sleepStep],
  [ACTIVITY.jobStep, jobStep],
  [ACTIVITY.verify, verify],
  [ACTIVITY.finish, finish],
]);

type Code = (verbs: Verbs, input: unknown, instanceId: string) => Step<unknown>;

export const CODE: ReadonlyMap<string, Code> = new Map<string, Code>([
  [ORCHESTRATOR, runOrchestration],
  [CHILD.lane, laneOrchestration],
  [CHILD.sleep, sleepOrchestration],
  [CHILD.job, jobOrchestration],
]);
