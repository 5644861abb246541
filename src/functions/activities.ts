import * as df from 'durable-functions';
import { begin } from '../activities/begin.ts';
import { control } from '../activities/control.ts';
import { finish } from '../activities/finish.ts';
import { node } from '../activities/node.ts';
import { plan } from '../activities/plan.ts';
import { validate } from '../activities/validate.ts';
import { verify } from '../activities/verify.ts';
import { ACTIVITY } from '../orchestration/names.ts';
import { services } from '../runs/compose.ts';
import type { Services } from '../runs/services.ts';

function register(name: string, handle: (built: Services, input: unknown) => Promise<unknown>): void {
  df.app.activity(name, { handler: async (input: unknown) => handle(await services(), input) });
}

register(ACTIVITY.begin, begin);
register(ACTIVITY.plan, plan);
register(ACTIVITY.validate, validate);
register(ACTIVITY.control, control);
register(ACTIVITY.node, node);
register(ACTIVITY.verify, verify);
register(ACTIVITY.finish, finish);
