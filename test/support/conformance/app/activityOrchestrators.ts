/** Orchestrators that call activities. */
import * as df from 'durable-functions';
import { failureText } from './failureText.ts';

df.app.orchestration('chain', function* (context) {
  const first = (yield context.df.callActivity('echo', 1)) as number;
  const second = (yield context.df.callActivity('echo', first + 1)) as number;
  return { first, second, input: context.df.getInput<unknown>() ?? null };
});

// eslint-disable-next-line require-yield -- ends in its first episode
df.app.orchestration('echoInput', function* (context) {
  return { input: context.df.getInput<unknown>() ?? null, type: typeof context.df.getInput() };
});

// eslint-disable-next-line require-yield -- ends in its first episode
df.app.orchestration('returns', function* (context) {
  switch (context.df.getInput<string>()) {
    case 'text':
      return 'plain text';
    case 'jsonText':
      return '{"a":1}';
    case 'date':
      return '2001-02-03T04:05:06Z';
    case 'null':
      return null;
    case 'false':
      return false;
    case 'zero':
      return 0;
    case 'array':
      return [1, 'two', null];
    default:
      return undefined;
  }
});

df.app.orchestration('inputKinds', function* (context) {
  const values: unknown[] = [
    'Tokyo',
    '',
    '5',
    '{"a":1}',
    '2001-02-03T04:05:06Z',
    5,
    2.5,
    true,
    false,
    null,
    undefined,
    { a: 1, at: '2001-02-03T04:05:06Z' },
    [1, 'two', null],
  ];
  const seen: unknown[] = [];
  for (const value of values) seen.push(yield context.df.callActivity('describe', value));
  return seen;
});

df.app.orchestration('resultKinds', function* (context) {
  const seen: unknown[] = [];
  for (const name of context.df.getInput<string[]>()) {
    const value: unknown = yield context.df.callActivity('give', name);
    seen.push([name, typeof value, value ?? null]);
  }
  return seen;
});

df.app.orchestration('catchesFailure', function* (context) {
  try {
    yield context.df.callActivity('fail', context.df.getInput());
  } catch (error) {
    return failureText(error);
  }
  return 'no error';
});

df.app.orchestration('escapes', function* (context) {
  yield context.df.callActivity('fail', 'nobody catches');
});

df.app.orchestration('throws', function* (context) {
  yield context.df.callActivity('echo', 1);
  throw new Error(context.df.getInput<string>());
});

df.app.orchestration('throwsText', function* (context) {
  yield context.df.callActivity('echo', 1);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is tested
  throw 'only a text';
});

df.app.orchestration('retries', function* (context) {
  const options = new df.RetryOptions(200, 2);
  try {
    return (yield context.df.callActivityWithRetry('flaky', options, context.df.getInput())) as number;
  } catch (error) {
    return failureText(error);
  }
});

df.app.orchestration('fansOut', function* (context) {
  const tasks = [30, 20, 10].map((value) => context.df.callActivity('echo', value));
  return (yield context.df.Task.all(tasks)) as number[];
});

df.app.orchestration('allWithFailure', function* (context) {
  try {
    yield context.df.Task.all([
      context.df.callActivity('fail', 'one of two'),
      context.df.callActivity('slow', { ms: 900, value: 1 }),
    ]);
  } catch (error) {
    return [failureText(error), yield context.df.callActivity('echo', 'after')];
  }
  return 'no error';
});

df.app.orchestration('callsUnknown', function* (context) {
  context.df.setCustomStatus('called');
  return (yield context.df.callActivity('thereIsNoSuchActivity', 1)) as string;
});

df.app.orchestration('callsInOtherCase', function* (context) {
  return (yield context.df.callActivity('ECHO', 'any case')) as string;
});
