/** Patterns whose numbers part between engine and SDK: named by their quirk, before they do harm, refused in strict mode. */
import * as df from 'durable-functions';
import { describe, expect, it } from 'vitest';
import type { HostModel, ModelInstance } from '../../../support/hostModel/model.ts';
import { DAY, finish, fireNext, modelOf } from '../../../support/hostModel/drive.ts';
import type { Body } from '../../../support/hostModel/sdk.ts';

const at = (context: df.OrchestrationContext, ms: number): Date =>
  new Date(context.df.currentUtcDateTime.getTime() + ms);
const retry = new df.RetryOptions(1_000, 3);

interface Case {
  readonly body: Body;
  /** Steps after the start, until just after the drift. */
  readonly drive: (host: HostModel) => Promise<void>;
  readonly expected: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'Q9 a failing branch beside a retrying branch in Task.all': {
    *body(context) {
      try {
        yield context.df.Task.all([
          context.df.callActivity('quick'),
          context.df.callActivityWithRetry('flaky', retry, 1),
        ]);
      } catch {
        return yield context.df.callActivity('after');
      }
      return 'no error';
    },
    async drive(host) {
      await finish(host, { failure: 'quick fails' }, 'quick');
      await finish(host, { failure: 'once' }, 'flaky');
    },
    expected: /^Q9: .*number 2 is the retry timer of 'flaky' for the engine and activity 'after' for the code/,
  },
  'Q9 both events in one batch': {
    *body(context) {
      try {
        yield context.df.Task.all([
          context.df.callActivity('quick'),
          context.df.callActivityWithRetry('flaky', retry, 1),
        ]);
      } catch {
        yield context.df.callActivity('after');
      }
    },
    async drive(host) {
      for (const activity of [...host.activities]) host.finish(activity, { failure: 'no' });
      await host.settle();
    },
    expected: /^Q9: /,
  },
  'Q10 Task.any in a loop over the tasks that are left': {
    *body(context) {
      const open = ['a', 'b', 'c'].map((name) => context.df.callActivity(name));
      while (open.length > 0) {
        const first = (yield context.df.Task.any(open)) as df.Task;
        open.splice(open.indexOf(first), 1);
      }
      return 'done';
    },
    drive: (host) => finish(host, { value: 1 }, 'a'),
    expected: /^Q10: .*'b' stands twice in the action list/,
  },
  'Q10 a task of an earlier Task.any in a later Task.all': {
    *body(context) {
      const slow = context.df.callActivity('slow', 1);
      yield context.df.Task.any([slow, context.df.callActivity('quick')]);
      return yield context.df.Task.all([slow, context.df.callActivity('next')]);
    },
    drive: (host) => finish(host, { value: 1 }, 'quick'),
    expected: /^Q10: .*'slow' stands twice/,
  },
  'I11 a timer of five days that joins a group opened two days before': {
    *body(context) {
      return yield* joining(context, 5 * DAY);
    },
    drive: (host) => joinLater(host, 2 * DAY),
    expected: /^Q10: .*timer 1 is due .*more than 6 days after.*\(I11\)/,
  },
  'I11 a timer of one second that joins, on day 8, a group opened on day 0': {
    *body(context) {
      return yield* joining(context, 1_000);
    },
    drive: (host) => joinLater(host, 8 * DAY),
    expected: /^Q10: .*timer 1 is due .*more than 6 days after.*\(I11\)/,
  },
  'Q10 a task that is waited for and stands in no action': {
    *body(context) {
      const hidden = context.df.callActivity('hidden');
      (hidden as unknown as { alreadyScheduled: boolean }).alreadyScheduled = true;
      return yield hidden;
    },
    drive: () => Promise.resolve(),
    expected: /^Q10: .*activity 'hidden' has number 0 and stands in no action/,
  },
};

/** What the durable binding does inside: a timer joins the listed WhenAny that holds a slow call. */
function* joining(context: df.OrchestrationContext, ms: number): Generator<unknown, unknown, unknown> {
  const slow = context.df.callActivity('slow');
  const wake = context.df.waitForExternalEvent('wake');
  const group = context.df.Task.any([slow]);
  const inside = group as unknown as { actionObj: { compoundActions: unknown[] }; children: unknown[] };
  const executor = (context.df as unknown as { taskOrchestratorExecutor: { addToActions(action: object): void } })
    .taskOrchestratorExecutor;
  executor.addToActions(inside.actionObj);
  const first = context.df.Task.any([slow, wake]) as df.Task & { alreadyScheduled: boolean };
  first.alreadyScheduled = true;
  yield first;
  const timer = context.df.createTimer(at(context, ms));
  inside.actionObj.compoundActions.push((timer as unknown as { actionObj: object }).actionObj);
  const second = context.df.Task.any([timer]) as df.Task & { alreadyScheduled: boolean };
  second.alreadyScheduled = true;
  yield second;
  return context.df.currentUtcDateTime.toISOString();
}
async function joinLater(host: HostModel, ms: number): Promise<void> {
  host.now += ms;
  host.raise('i', 'wake', 1);
  await host.settle();
}

async function play(item: Case, strict: boolean): Promise<ModelInstance> {
  const host = modelOf({ body: item.body }, { strict });
  const instance = host.start('body', 'i', null);
  await host.settle();
  await item.drive(host);
  return instance;
}

describe.each(Object.entries(CASES))('%s', (_name, item) => {
  it('is logged with its number and goes on as on the engine', async () => {
    const instance = await play(item, false);
    expect(instance.problems[0]).toMatch(item.expected);
    expect(instance.status).not.toBe('Failed');
  });

  it('fails a strict instance with the same text, and nothing more is started', async () => {
    const instance = await play(item, true);
    expect(instance.status).toBe('Failed');
    expect(instance.output).toMatch(/^Orchestrator function 'body' failed: (Q9|Q10): this pattern gives wrong results/);
  });
});

describe('what the drift detector is for', () => {
  it('Q9 left alone, the next activity is reported as done before it ran', async () => {
    const item = CASES['Q9 a failing branch beside a retrying branch in Task.all'];
    if (item === undefined) throw new Error('no such case');
    const host = modelOf({ body: item.body });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await item.drive(host);
    await fireNext(host);
    // The code has taken the retry's timer for its own activity: it has returned, and 'after' never ran.
    expect(host.activities.map((a) => a.name)).toEqual(['flaky']);
    await finish(host, { value: 1 }, 'flaky');
    expect(host.activities.map((a) => a.name)).toEqual(['after']);
    expect(instance.status).toBe('Running');
    expect(instance.notices.at(-1)).toMatch(/^Q17: .*activity \d 'after'/);
  });

  it('Q10 a 30-day timer cancelled on day 4 ends as non-deterministic in both modes, with its number in the log', async () => {
    for (const strict of [false, true]) {
      const host = modelOf(
        {
          *body(context) {
            const timer = context.df.createTimer(at(context, 30 * DAY));
            yield context.df.Task.any([timer, context.df.waitForExternalEvent('stop')]);
            timer.cancel();
            return 'stopped';
          },
        },
        { strict },
      );
      const instance = host.start('body', 'i', null);
      await host.settle();
      await fireNext(host);
      host.now += DAY;
      host.raise('i', 'stop', 1);
      await host.settle();
      expect(instance).toMatchObject({
        status: 'Failed',
        output: expect.stringMatching(/^Non-Deterministic workflow/),
      });
      expect(instance.problems.at(-1)).toMatch(/^Q10: a timer .*I11/);
    }
  });

  it('numbers that the engine has not reached yet are no drift: a failing Task.all without retries', async () => {
    const host = modelOf(
      {
        *body(context) {
          try {
            yield context.df.Task.all([context.df.callActivity('fast'), context.df.callActivity('slow')]);
          } catch {
            return yield context.df.callActivity('after');
          }
          return 'no error';
        },
      },
      { strict: true },
    );
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finish(host, { failure: 'no' }, 'fast');
    await finish(host, { value: 1 }, 'slow');
    await finish(host, { value: 2 }, 'after');
    expect(instance).toMatchObject({ status: 'Completed', output: '2', problems: [] });
  });
});
