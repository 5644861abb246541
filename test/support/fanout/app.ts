/**
 * The graphs as a function app. Each execution of an activity is appended to the file named by FANOUT_LOG (one JSON
 * object a line), so that a test in another process can count.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as df from 'durable-functions';
import { durableVerbs } from '../../../src/orchestration/durableBinding.ts';
import type { Execution } from './check.ts';
import { CHILD, NAIVE_ROOT, randomGraph, ROOT, WORK } from './graph.ts';
import { naiveVerbs } from './naive.ts';
import { runChild, runGraph } from './orchestrate.ts';
import { activityResult } from './work.ts';
import type { ChildInput, WorkInput } from './work.ts';

function record(execution: Execution): void {
  const file = process.env['FANOUT_LOG'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(execution)}\n`);
}

df.app.orchestration(ROOT, function* (context) {
  const { seed } = context.df.getInput<{ seed: number }>();
  return yield* runGraph(
    durableVerbs(context),
    context.df.instanceId,
    randomGraph(seed),
  ) as ReturnType<df.OrchestrationHandler>;
});

df.app.orchestration(NAIVE_ROOT, function* (context) {
  const { seed } = context.df.getInput<{ seed: number }>();
  return yield* runGraph(
    naiveVerbs(context),
    context.df.instanceId,
    randomGraph(seed),
  ) as ReturnType<df.OrchestrationHandler>;
});

df.app.orchestration(CHILD, function* (context) {
  return yield* runChild(
    durableVerbs(context),
    context.df.getInput<ChildInput>(),
  ) as ReturnType<df.OrchestrationHandler>;
});

df.app.activity(WORK, {
  handler: async (input: WorkInput) => {
    const startedAt = Date.now();
    if (input.ms > 0) await delay(input.ms);
    record({ run: input.run, key: input.key, startedAt, endedAt: Date.now() });
    return activityResult(input);
  },
});
