import type { InvocationContext } from '@azure/functions';
import * as df from 'durable-functions';
import { begin } from '../activities/begin.ts';
import { control } from '../activities/control.ts';
import { expand } from '../activities/expand.ts';
import { finish } from '../activities/finish.ts';
import { gather } from '../activities/gather.ts';
import { jobStep } from '../activities/jobStep.ts';
import { lanePart } from '../activities/lanePart.ts';
import { node } from '../activities/node.ts';
import { plan } from '../activities/plan.ts';
import { sleepStep } from '../activities/sleepStep.ts';
import { stop } from '../activities/stop.ts';
import { validate } from '../activities/validate.ts';
import { verify } from '../activities/verify.ts';
import { ACTIVITY } from '../orchestration/names.ts';
import { services } from '../runs/compose.ts';
import { durableEngine, type Engine } from '../runs/engine.ts';
import type { Services } from '../runs/services.ts';

function register(name: string, handle: (built: Services, input: unknown) => Promise<unknown>): void {
  df.app.activity(name, { handler: async (input: unknown) => handle(await services(), input) });
}

/** An activity that wakes instances: with the durable client as a further input. */
function registerWaking(
  name: string,
  handle: (built: Services, input: unknown, engine: Engine) => Promise<unknown>,
): void {
  df.app.activity(name, {
    extraInputs: [df.input.durableClient()],
    handler: async (input: unknown, context: InvocationContext) =>
      handle(await services(), input, durableEngine(df.getClient(context))),
  });
}

register(ACTIVITY.begin, begin);
register(ACTIVITY.plan, plan);
register(ACTIVITY.validate, validate);
register(ACTIVITY.control, control);
register(ACTIVITY.node, node);
register(ACTIVITY.expand, expand);
register(ACTIVITY.gather, gather);
registerWaking(ACTIVITY.stop, stop);
register(ACTIVITY.lanePart, lanePart);
register(ACTIVITY.sleepStep, sleepStep);
register(ACTIVITY.jobStep, jobStep);
register(ACTIVITY.verify, verify);
registerWaking(ACTIVITY.finish, finish);
