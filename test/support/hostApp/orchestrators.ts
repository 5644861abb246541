/** Orchestrators of the host's test app. */
import * as df from 'durable-functions';

df.app.orchestration('chain', function* (context) {
  const first = (yield context.df.callActivity('echo', 1)) as number;
  const second = (yield context.df.callActivity('echo', first + 1)) as number;
  context.df.setCustomStatus({ step: second });
  return (yield context.df.callActivity('echo', second + 1)) as number;
});

df.app.orchestration('inputKinds', function* (context) {
  const values: unknown[] = ['Tokyo', 5, 2.5, { a: 1 }, [1], true, null, undefined];
  const seen: unknown[] = [];
  for (const value of values) seen.push(yield context.df.callActivity('describe', value));
  return seen;
});

df.app.orchestration('catchFailure', function* (context) {
  try {
    yield context.df.callActivity('fail', 'disk full');
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
});

df.app.orchestration('escape', function* (context) {
  yield context.df.callActivity('fail', 'nobody catches');
});

df.app.orchestration('retry', function* (context) {
  const options = new df.RetryOptions(1_000, 3);
  return (yield context.df.callActivityWithRetry('flaky', options, context.df.getInput())) as number;
});

df.app.orchestration('parallel', function* (context) {
  const count = context.df.getInput<number>();
  const results = (yield context.df.Task.all(
    Array.from({ length: count }, (_, i) => context.df.callActivity('echo', i)),
  )) as number[];
  return results.reduce((sum, value) => sum + value, 0);
});

df.app.orchestration('approval', function* (context) {
  const timer = context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 60_000));
  const event = context.df.waitForExternalEvent('Approval');
  const first = yield context.df.Task.any([timer, event]);
  if (first === timer) return 'too late';
  timer.cancel();
  return { approved: event.result };
});

df.app.orchestration('longTimer', function* (context) {
  const days = context.df.getInput<number>();
  yield context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + days * 86_400_000));
  return context.df.currentUtcDateTime.toISOString();
});

df.app.orchestration('parent', function* (context) {
  const child = (yield context.df.callSubOrchestrator('chain', undefined, `${context.df.instanceId}-child`)) as number;
  const other = (yield context.df.callSubOrchestrator('parallel', 4)) as number;
  return child + other;
});

df.app.orchestration('parentOfFailure', function* (context) {
  try {
    yield context.df.callSubOrchestrator('escape');
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
});

df.app.orchestration('countdown', function* (context) {
  const { left, seen } = context.df.getInput<{ left: number; seen: string[] }>();
  context.df.setCustomStatus({ left });
  if (left === 0) return seen;
  const name = (yield context.df.waitForExternalEvent('tick')) as string;
  context.df.continueAsNew({ left: left - 1, seen: [...seen, name] });
  return undefined;
});

df.app.orchestration('waitForever', function* (context) {
  return yield context.df.waitForExternalEvent('never');
});

df.app.orchestration('eventThenActivity', function* (context) {
  const value = (yield context.df.waitForExternalEvent('go')) as unknown;
  return yield context.df.callActivity('echo', value);
});

df.app.orchestration('wakeOther', function* (context) {
  return yield context.df.callActivity('raiseTo', context.df.getInput());
});

df.app.orchestration('callsEntity', function* (context) {
  return yield context.df.callEntity(new df.EntityId('counter', 'a'), 'get');
});

df.app.orchestration('callsUnknown', function* (context) {
  return yield context.df.callActivity('thereIsNoSuchActivity');
});

df.app.orchestration('changesItsMind', function* (context) {
  // Not deterministic on purpose: another activity at each replay.
  flips += 1;
  yield context.df.callActivity(flips % 2 === 1 ? 'echo' : 'describe', 1);
  return yield context.df.callActivity('echo', 2);
});
let flips = 0;

/** Records `count` keys in waves of `width`, then answers with the keys in order. */
df.app.orchestration('recordAll', function* (context) {
  const { count, width, ms } = context.df.getInput<{ count: number; width: number; ms: number }>();
  const keys: string[] = [];
  for (let at = 0; at < count; at += width) {
    const wave = Array.from({ length: Math.min(width, count - at) }, (_, i) =>
      context.df.callActivity('record', { key: `${context.df.instanceId}/${at + i}`, ms }),
    );
    const results = (yield context.df.Task.all(wave)) as { key: string }[];
    keys.push(...results.map((result) => result.key));
  }
  yield context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 20));
  const child = (yield context.df.callActivity('record', { key: `${context.df.instanceId}/last`, ms })) as {
    key: string;
  };
  return [...keys, child.key];
});
