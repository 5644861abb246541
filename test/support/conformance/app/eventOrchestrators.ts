/** Orchestrators that wait for events and timers. */
import * as df from 'durable-functions';
import type { OrchestrationContext } from 'durable-functions';

const inMs = (context: OrchestrationContext, ms: number): Date =>
  new Date(context.df.currentUtcDateTime.getTime() + ms);

df.app.orchestration('waits', function* (context) {
  context.df.setCustomStatus('waiting');
  return { got: (yield context.df.waitForExternalEvent('go')) as unknown };
});

/** Works first, then waits: an event that comes during the work is early. */
df.app.orchestration('worksThenWaits', function* (context) {
  context.df.setCustomStatus('working');
  const names = context.df.getInput<string[]>();
  const work: unknown = yield context.df.callActivity('held', context.df.instanceId);
  const got: unknown[] = [];
  for (const name of names) got.push(yield context.df.waitForExternalEvent(name));
  return { work, got };
});

df.app.orchestration('approval', function* (context) {
  context.df.setCustomStatus('waiting');
  const { ms, cancel } = context.df.getInput<{ ms: number; cancel: boolean }>();
  const timer = context.df.createTimer(inMs(context, ms));
  const event = context.df.waitForExternalEvent('go');
  const first = yield context.df.Task.any([timer, event]);
  if (first === timer) return 'too late';
  if (cancel) timer.cancel();
  return { approved: event.result };
});

df.app.orchestration('timerInThePast', function* (context) {
  yield context.df.createTimer(inMs(context, -60_000));
  return 'fired';
});

/** A waiter is left over from a lost race; then a fresh one of the same name waits. */
df.app.orchestration('repeatedWaiters', function* (context) {
  const old = context.df.waitForExternalEvent('go');
  yield context.df.Task.any([old, context.df.createTimer(inMs(context, 300))]);
  context.df.setCustomStatus('second');
  const timer = context.df.createTimer(inMs(context, 60_000));
  const fresh = context.df.waitForExternalEvent('go');
  const first = yield context.df.Task.any([timer, fresh]);
  if (first === fresh) timer.cancel();
  return { old: old.isCompleted, fresh: fresh.result ?? null };
});

/** An event with the number of a task. */
df.app.orchestration('forged', function* (context) {
  context.df.setCustomStatus('working');
  const first: unknown = yield context.df.callActivity('held', context.df.instanceId);
  return { first };
});

df.app.orchestration('bothEvents', function* (context) {
  context.df.setCustomStatus('waiting');
  return (yield context.df.Task.all([
    context.df.waitForExternalEvent('a'),
    context.df.waitForExternalEvent('b'),
  ])) as unknown[];
});

df.app.orchestration('eventThenActivity', function* (context) {
  context.df.setCustomStatus('waiting');
  const got: unknown = yield context.df.waitForExternalEvent('go');
  return { got, echoed: (yield context.df.callActivity('echo', got)) as unknown };
});
