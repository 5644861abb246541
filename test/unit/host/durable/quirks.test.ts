/** Quirks of the engine that hang an instance or hand it something else: reproduced and named; strict mode refuses. */
import * as df from 'durable-functions';
import { describe, expect, it } from 'vitest';
import { EventType, messageBase } from '../../../../src/local/host/durable/events.ts';
import type { ModelInstance } from '../../../support/hostModel/model.ts';
import { finish, fireNext, modelOf } from '../../../support/hostModel/drive.ts';
import type { Body } from '../../../support/hostModel/sdk.ts';

type Drive = (host: ReturnType<typeof modelOf>) => Promise<void>;
const nothing: Drive = () => Promise.resolve();

async function play(body: Body, drive: Drive, strict: boolean): Promise<ModelInstance> {
  const host = modelOf({ body }, { strict, unknown: ['missing'] });
  const instance = host.start('body', 'i', null);
  await host.settle();
  await drive(host);
  return instance;
}

/** An orchestrator that throws this at once. */
const throwing = (value: unknown): Body =>
  // eslint-disable-next-line require-yield -- fails at once
  function* () {
    throw value;
  };

const HANGS: readonly (readonly [string, Body, Drive, RegExp])[] = [
  [
    'Q12 the retry timeout is over',
    function* (context) {
      const options = new df.RetryOptions(60_000, 5);
      options.retryTimeoutInMilliseconds = 90_000;
      yield context.df.callActivityWithRetry('flaky', options);
    },
    async (host) => {
      await finish(host, { failure: 'one' });
      await fireNext(host);
      await finish(host, { failure: 'two' });
      await fireNext(host);
      await finish(host, { failure: 'three' });
    },
    /^Q12: 'flaky' is not tried again \(its retry timeout of 90000 ms is over\)/,
  ],
  [
    'Q12 a failure that must not be retried',
    function* (context) {
      yield context.df.callActivityWithRetry('flaky', new df.RetryOptions(1_000, 5));
    },
    async (host) => {
      const [activity] = host.activities;
      host.send(
        'i',
        {
          ...messageBase(host.now),
          EventType: EventType.TaskFailed,
          TaskScheduledId: 0,
          Reason: 'r',
          Details: 'd',
          FailureDetails: { ErrorType: 'E', ErrorMessage: 'm', IsNonRetriable: true },
        },
        activity?.executionId ?? null,
      );
      await host.settle();
    },
    /^Q12: 'flaky' is not tried again \(the failure says that it is not retriable\)/,
  ],
  [
    'Q13 an unknown activity',
    function* (context) {
      yield context.df.callActivity('missing');
    },
    nothing,
    /^Q13: there is no activity function named 'missing'/,
  ],
  [
    'Q13 an unknown orchestrator',
    function* (context) {
      yield context.df.callSubOrchestrator('nowhere');
    },
    nothing,
    /^Q13: there is no orchestrator function named 'nowhere'/,
  ],
  [
    'Q13 a child with the id of its parent in other letters',
    function* (context) {
      yield context.df.callSubOrchestrator('body', null, 'I');
    },
    nothing,
    /^Q13: a child must not have the id of its parent or its own: 'I'/,
  ],
  [
    'Q13 retries further apart than the engine allows',
    function* (context) {
      yield context.df.callActivityWithRetry('a', new df.RetryOptions(7 * 86_400_000, 2));
    },
    nothing,
    /^Q13: the retries of 'a' wait for more than 6 days/,
  ],
  [
    'Q14 an event in another case',
    function* (context) {
      yield context.df.waitForExternalEvent('Approval');
    },
    async (host) => {
      host.raise('i', 'approval', 1);
      await host.settle();
    },
    /^Q14: event 'approval' was raised and the code waits for 'Approval'/,
  ],
];

describe.each(HANGS)('%s', (_name, body, drive, expected) => {
  it('stays Running as on the engine and is logged with function and number', async () => {
    const instance = await play(body, drive, false);
    expect(instance.status).toBe('Running');
    expect(instance.problems[0]).toMatch(expected);
  });

  it('fails a strict instance at once', async () => {
    const instance = await play(body, drive, true);
    expect(instance.status).toBe('Failed');
    expect(instance.output?.replace("Orchestrator function 'body' failed: ", '')).toMatch(expected);
  });
});

describe.each([
  ['an error without a message', new Error('')],
  ['a thrown text', 'just text'],
])('Q11 %s', (_name, value) => {
  const late: Body = function* (context) {
    yield context.df.callActivity('a');
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is tested
    throw value;
  };

  it('fails with the text that the engine gives, which says nothing of it; the log does', async () => {
    const instance = await play(throwing(value), nothing, false);
    expect(instance).toMatchObject({ status: 'Failed', output: expect.stringMatching(/failed: One or more errors/) });
    expect(instance.problems[0]).toMatch(/^Q11: the orchestrator 'body' threw/);
  });

  it('after an activity it ends as non-deterministic, as recorded on the engine', async () => {
    const instance = await play(late, (host) => finish(host), false);
    expect(instance).toMatchObject({
      status: 'Failed',
      output: expect.stringMatching(/^Non-Deterministic .* name 'a'/),
    });
    expect(instance.problems[0]).toMatch(/^Q11: the orchestrator 'body' threw/);
  });

  it('strict: fails with its number', async () => {
    const instance = await play(late, (host) => finish(host), true);
    expect(instance.output).toMatch(/^Orchestrator function 'body' failed: Q11: the orchestrator 'body' threw/);
  });
});

describe('Q14 early', () => {
  it('an event that came before the wait, in another case, is named when the code begins to wait', async () => {
    const instance = await play(
      function* (context) {
        yield context.df.callActivity('a');
        yield context.df.waitForExternalEvent('Go');
      },
      async (host) => {
        host.raise('i', 'go', 1);
        await host.settle();
        await finish(host);
      },
      false,
    );
    expect(instance.problems).toEqual([expect.stringMatching(/^Q14: event 'go' .* 'Go'/)]);
  });
});

describe('Q15 an event named like a number', () => {
  const body: Body = function* (context) {
    return yield context.df.callActivity('a');
  };
  const forge: Drive = async (host) => {
    host.raise('i', '0', 'forged');
    await host.settle();
  };

  it('becomes the result of the task with that number: reproduced; the instance stays Running until the real result', async () => {
    const host = modelOf({ body });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await forge(host);
    expect(instance.status).toBe('Running');
    await finish(host, { value: 'real' });
    expect(instance).toMatchObject({ status: 'Completed', output: '"forged"' });
  });

  it('is named when the code goes on with it', async () => {
    const instance = await play(
      function* (context) {
        yield context.df.callActivity('a');
        yield context.df.waitForExternalEvent('end');
      },
      forge,
      false,
    );
    expect(instance.problems).toContainEqual(
      expect.stringMatching(/^Q15: .*an event named '0' became the result of activity 'a'/),
    );
  });

  it('strict: a forged result fails the instance, also when the code ends with it, and so does waiting for such a name', async () => {
    expect((await play(body, forge, true)).output).toMatch(/Q15/);
    const waits = await play(
      function* (context) {
        yield context.df.waitForExternalEvent('7');
      },
      nothing,
      true,
    );
    expect(waits.output).toMatch(/Q15: the code waits for an event named '7'/);
  });
});

describe('Q17 what keeps an ended instance Running', () => {
  it('is named: a timer that nobody cancelled, an activity that nobody awaited; it is no failure in strict mode', async () => {
    const host = modelOf(
      {
        *body(context) {
          const timer = context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 60_000));
          const slow = context.df.callActivity('slow');
          yield context.df.Task.any([timer, slow, context.df.callActivity('quick')]);
          return 'ended';
        },
      },
      { strict: true },
    );
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finish(host, { value: 1 }, 'quick');
    expect(instance.status).toBe('Running');
    expect(instance.notices).toEqual([
      "Q17: the code has ended, but the instance stays Running until this has ended: timer 0 due 2026-01-05T10:01:00.000Z, activity 1 'slow'",
    ]);
    await finish(host, { value: 1 }, 'slow');
    await fireNext(host);
    expect(instance).toMatchObject({ status: 'Completed', output: '"ended"' });
  });

  it('an error that left the code is shown at once, though the instance fails only when the rest has ended', async () => {
    const host = modelOf({
      *body(context) {
        yield context.df.Task.any([context.df.callActivity('slow'), context.df.callActivity('quick')]);
        throw new Error('broken');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finish(host, { value: 1 }, 'quick');
    expect(instance.status).toBe('Running');
    expect(instance.notices).toEqual([
      expect.stringMatching(
        /^Q17: the code has ended with an error \(Orchestrator function 'body' failed: broken\), but .*'slow'$/,
      ),
    ]);
    await finish(host, { value: 1 }, 'slow');
    expect(instance.status).toBe('Failed');
  });

  it('cancelling a timer that has fired throws in the code', async () => {
    const instance = await play(
      function* (context) {
        const timer = context.df.createTimer(context.df.currentUtcDateTime);
        yield timer;
        timer.cancel();
      },
      nothing,
      false,
    );
    expect(instance).toMatchObject({
      status: 'Failed',
      output: expect.stringMatching(/Cannot cancel a completed task/),
    });
  });
});

describe('Q18 custom status', () => {
  const setting = (units: number): Body =>
    function* (context) {
      // Two of the units are the quotes.
      context.df.setCustomStatus('x'.repeat(units - 2));
      yield context.df.callActivity('a');
    };

  it('below 17 KB of UTF-16 is taken, from there on the instance fails with the engine text and nothing is started', async () => {
    const limit = (17 * 1024) / 2;
    const fits = await play(setting(limit - 1), nothing, false);
    expect([fits.status, fits.customStatus?.length]).toEqual(['Running', limit - 1]);
    const host = modelOf({ body: setting(limit) });
    const instance = host.start('body', 'i', null);
    await host.settle();
    expect(instance).toMatchObject({
      status: 'Failed',
      output:
        "Orchestrator function 'body' failed: The UTF-16 size of the JSON-serialized payload must not exceed 16 KB. The current payload size is 17 KB.",
      problems: [expect.stringMatching(/^Q18/)],
    });
    expect(host.activities).toEqual([]);
  });

  it.each([0, '', false, null])('the falsy value %j is not sent: the earlier one is gone', async (value) => {
    const instance = await play(
      function* (context) {
        context.df.setCustomStatus('set');
        yield context.df.callActivity('a');
        context.df.setCustomStatus(value);
        yield context.df.callActivity('b');
      },
      (host) => finish(host),
      false,
    );
    expect(instance.customStatus).toBeNull();
  });
});

describe('Q30 compounds of nothing', () => {
  it.each(['all', 'any'] as const)('Task.%s([]) throws when it is built, so the instance fails', async (kind) => {
    const instance = await play(
      function* (context) {
        yield context.df.Task[kind]([]);
      },
      nothing,
      false,
    );
    expect(instance).toMatchObject({ status: 'Failed', output: expect.stringMatching(/at least one Task/) });
  });
});
