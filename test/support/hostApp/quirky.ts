/** Orchestrators and activities that meet a quirk of the engine on purpose. */
import * as df from 'durable-functions';
import type { InvocationContext } from '@azure/functions';

df.app.orchestration('leavesTimer', function* (context) {
  context.df.createTimer(context.df.currentUtcDateTime);
  const timer = context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 60_000));
  yield context.df.Task.any([timer, context.df.waitForExternalEvent('go')]);
  return 'went';
});

df.app.orchestration('wideWaits', function* (context) {
  const event = context.df.waitForExternalEvent('big');
  yield event;
  yield context.df.waitForExternalEvent('end');
  return String(event.result).length;
});

df.app.orchestration('guids', function* (context) {
  const first = [context.df.newGuid(context.df.instanceId), context.df.currentUtcDateTime.getTime()];
  yield context.df.waitForExternalEvent('a');
  const second = [context.df.newGuid(context.df.instanceId), context.df.currentUtcDateTime.getTime()];
  context.df.setCustomStatus([first, second]);
  yield context.df.waitForExternalEvent('b');
  return [first, second];
});

df.app.orchestration('order', function* (context) {
  const names = ['one', 'two', 'three'].map((name) => context.df.waitForExternalEvent(name));
  const seen: unknown[] = [];
  while (names.length > 0) {
    const first = (yield context.df.Task.any(names)) as df.Task;
    seen.push(first.result);
    names.splice(names.indexOf(first), 1);
  }
  return seen;
});

df.app.orchestration('callsByOtherCase', function* (context) {
  const value = (yield context.df.callActivity('ECHO', 1)) as number;
  const child = (yield context.df.callSubOrchestrator('CHAIN', undefined, `${context.df.instanceId}-c`)) as number;
  return value + child;
});

// eslint-disable-next-line require-yield -- answers with its input
df.app.orchestration('givesInput', function* (context) {
  return { type: typeof context.df.getInput(), input: context.df.getInput() ?? null };
});
df.app.orchestration('childWithoutInput', function* (context) {
  return yield context.df.callSubOrchestrator('givesInput');
});

// eslint-disable-next-line require-yield -- answers with its input's kind
df.app.orchestration('timestampKind', function* (context) {
  const input = context.df.getInput<{ Timestamp: unknown; deep: { Timestamp: unknown }; timestamp: unknown }>();
  return [input.Timestamp instanceof Date, input.deep.Timestamp instanceof Date, input.timestamp instanceof Date];
});

df.app.activity('throwsKey', {
  handler: () => {
    throw new Error('no access: AccountKey=abcdef');
  },
});
df.app.orchestration('failsWithKey', function* (context) {
  return yield context.df.callActivity('throwsKey');
});
df.app.orchestration('failsWithQuotedKey', function* (context) {
  yield context.df.callActivity('echo', 'AccountKey=abcdef');
  throw new Error('the input of the call above travels with this error');
});

df.app.orchestration('logsLate', function* (context) {
  return yield context.df.callActivity('logsAfterEnd');
});
df.app.activity('logsAfterEnd', {
  handler: (_input: unknown, context: InvocationContext) => {
    setImmediate(() => {
      context.log('after the end');
      (globalThis as { hostTestLateLog?: () => void }).hostTestLateLog?.();
    });
    return 'ended';
  },
});
