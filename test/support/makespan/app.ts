/** Our interpreter and a wave scheduler over the same schedule and the same sleeping activity, for comparing makespans. */
import { setTimeout as delay } from 'node:timers/promises';
import * as df from 'durable-functions';
import { durableVerbs } from '../../../src/orchestration/durableBinding.ts';
import { interpret } from '../../../src/orchestration/interpreter.ts';
import { ACTIVITY } from '../../../src/orchestration/names.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { msOf, wavesOf } from './graphs.ts';

df.app.orchestration('makespanOurs', function* (context) {
  return yield* interpret(
    durableVerbs(context),
    context.df.getInput<Schedule>(),
  ) as ReturnType<df.OrchestrationHandler>;
});

df.app.orchestration('makespanWaves', function* (context) {
  const schedule = context.df.getInput<Schedule>();
  for (const wave of wavesOf(schedule)) {
    yield context.df.Task.all(
      wave.map((index) =>
        context.df.callActivity(ACTIVITY.node, { nodeId: schedule.nodes[index]?.id, item: -1, attempt: 1 }),
      ),
    );
  }
});

df.app.activity(ACTIVITY.node, {
  handler: async ({ nodeId, item, attempt }: { nodeId: string; item: number; attempt: number }) => {
    await delay(msOf(nodeId));
    return { version: 1, state: 'done', nodeId, item, attempt, outputs: {} };
  },
});
