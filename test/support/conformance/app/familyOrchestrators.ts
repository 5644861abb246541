/** Orchestrators that start children or continue as new. */
import * as df from 'durable-functions';
import { failureText } from './failureText.ts';

interface ChildCall {
  readonly name: string;
  readonly input?: unknown;
  readonly id?: string;
}

df.app.orchestration('parent', function* (context) {
  context.df.setCustomStatus('calling');
  const { name, input, id } = context.df.getInput<ChildCall>();
  try {
    return { child: (yield context.df.callSubOrchestrator(name, input, id)) as unknown };
  } catch (error) {
    return { caught: failureText(error) };
  }
});

df.app.orchestration('parentWithRetry', function* (context) {
  try {
    return (yield context.df.callSubOrchestratorWithRetry('escapes', new df.RetryOptions(200, 2))) as unknown;
  } catch (error) {
    return { caught: failureText(error) };
  }
});

/** Each generation adds what it got. */
df.app.orchestration('renews', function* (context) {
  const { left, seen } = context.df.getInput<{ left: number; seen: unknown[] }>();
  if (left === 0) return seen;
  context.df.setCustomStatus({ left });
  const got: unknown = yield context.df.waitForExternalEvent('tick');
  context.df.continueAsNew({ left: left - 1, seen: [...seen, got] });
  return undefined;
});

/** Continues once with the text `next`, which its second generation returns. */
// eslint-disable-next-line require-yield -- calls nothing
df.app.orchestration('renewsWithText', function* (context) {
  const input = context.df.getInput<string>();
  if (input !== 'first') return { input };
  context.df.continueAsNew('next');
  return undefined;
});

/** An event for `tick` that comes while the first generation works is buffered there. */
df.app.orchestration('renewsAfterWork', function* (context) {
  const { generation } = context.df.getInput<{ generation: number }>();
  if (generation === 2) {
    context.df.setCustomStatus('second');
    const end = context.df.waitForExternalEvent('end');
    const tick = context.df.waitForExternalEvent('tick');
    const first = yield context.df.Task.any([end, tick]);
    return first === tick ? 'kept' : 'lost';
  }
  context.df.setCustomStatus('first');
  yield context.df.callActivity('held', context.df.instanceId);
  context.df.continueAsNew({ generation: 2 });
  return undefined;
});

/** Sets falsy custom statuses after a truthy one. */
df.app.orchestration('statuses', function* (context) {
  context.df.setCustomStatus({ step: 1 });
  yield context.df.callActivity('echo', 1);
  for (const value of [0, '', false, null]) {
    context.df.setCustomStatus(value);
    yield context.df.callActivity('echo', value);
  }
  return 'done';
});

/** Its second generation sets no status. */
df.app.orchestration('statusCarried', function* (context) {
  const second = context.df.getInput<{ second?: boolean }>().second === true;
  if (!second) {
    context.df.setCustomStatus('from the first');
    context.df.continueAsNew({ second: true });
    return undefined;
  }
  return (yield context.df.callActivity('echo', 'second')) as string;
});
