/** Orchestrators that are not deterministic, each kind on purpose: refused with the engine's text, or by name. */
import type * as df from 'durable-functions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HostModel, ModelInstance } from '../../../support/hostModel/model.ts';
import { finish, modelOf } from '../../../support/hostModel/drive.ts';
import type { Body } from '../../../support/hostModel/sdk.ts';

type Context = df.OrchestrationContext;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs `body` until its first call has ended, with `change` in between: what happens when the code is replayed. */
async function replayed(body: Body, change: () => void, strict = false): Promise<ModelInstance> {
  const host = modelOf({ body, other: body }, { strict });
  const instance = host.start('body', 'i', null);
  await host.settle();
  change();
  await endOne(host);
  return instance;
}

async function endOne(host: HostModel): Promise<void> {
  if (host.activities.length > 0) await finish(host);
  else {
    host.raise('i', 'go', 1);
    await host.settle();
  }
}

/** Old code until `change`, new code afterwards: a release in the middle of an instance. */
function release(old: Body, next: Body): { body: Body; change: () => void } {
  let current = old;
  return { body: (context) => current(context), change: () => (current = next) };
}

/** Calls these activities one after another. */
const calls = (...names: string[]): Body =>
  function* (context) {
    for (const name of names) yield context.df.callActivity(name);
  };

interface Kind {
  readonly body: Body;
  readonly change: () => void;
  readonly expected: RegExp;
}

let counter = 0;

const KINDS: Readonly<Record<string, () => Kind>> = {
  'the clock decides': () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000);
    return {
      body: (context) => calls(Date.now() < 2_000 ? 'early' : 'late')(context),
      change: () => clock.mockReturnValue(3_000),
      expected: /number 0 named 'early', but .* scheduled an activity task named 'late'/,
    };
  },
  'chance decides': () => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0.1);
    return {
      body: (context) => calls(Math.random() < 0.5 ? 'heads' : 'tails')(context),
      change: () => chance.mockReturnValue(0.9),
      expected: /named 'heads', but .* named 'tails'/,
    };
  },
  'the environment decides': () => {
    vi.stubEnv('GEOAGENT_TEST_MODE', 'one');
    return {
      body: (context) => calls(process.env['GEOAGENT_TEST_MODE'] ?? '')(context),
      change: () => vi.stubEnv('GEOAGENT_TEST_MODE', 'two'),
      expected: /named 'one', but .* named 'two'/,
    };
  },
  'a counter of the module decides': () => ({
    *body(context: Context) {
      counter += 1;
      yield context.df.callActivity(counter % 2 === 1 ? 'odd' : 'even');
    },
    change: () => undefined,
    expected: /named '(odd|even)', but .* named '(odd|even)'/,
  }),
  'the order of a set from outside decides': () => {
    const outside = new Set(['first', 'second']);
    return {
      body: (context) => calls(...outside)(context),
      change: () => {
        outside.delete('first');
        outside.add('first');
      },
      expected: /named 'first', but .* named 'second'/,
    };
  },
  'a release renames an activity': () => ({
    ...release(calls('a', 'b'), calls('renamed', 'b')),
    expected: /named 'a', but .* named 'renamed'/,
  }),
  'a release adds a step in front': () => ({
    ...release(calls('a'), calls('added', 'a')),
    expected: /named 'a', but .* named 'added'/,
  }),
  'a release removes the step that is open': () => ({
    ...release(calls('a'), calls()),
    expected: /sequence ID 0 and name 'a' .* hasn't \(yet\?\) scheduled this task/,
  }),
  'a release makes a child of an activity': () => ({
    ...release(calls('other'), function* (context) {
      yield context.df.callSubOrchestrator('other');
    }),
    expected: /named 'other', but .* produced a CreateSubOrchestrationAction action/,
  }),
  'a release makes a timer of an activity': () => ({
    ...release(calls('a'), function* (context) {
      yield context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 1_000));
    }),
    expected: /named 'a', but .* produced a CreateTimerOrchestratorAction action/,
  }),
  'a release changes the order inside Task.all': () => ({
    ...release(
      function* (context) {
        yield context.df.Task.all([context.df.callActivity('a'), context.df.callActivity('b')]);
      },
      function* (context) {
        yield context.df.Task.all([context.df.callActivity('b'), context.df.callActivity('a')]);
      },
    ),
    expected: /named 'a', but .* named 'b'/,
  }),
};

describe.each(Object.entries(KINDS))('%s', (_name, make) => {
  it.each([false, true])('fails the instance as non-deterministic (strict: %s)', async (strict) => {
    const { body, change, expected } = make();
    const instance = await replayed(body, change, strict);
    expect(instance.status).toBe('Failed');
    expect(instance.output).toMatch(/^Non-Deterministic workflow detected: /);
    expect(instance.output).toMatch(expected);
  });
});

describe('what the engine does not compare', () => {
  const byClock: Body = function* (context) {
    const timer = context.df.createTimer(new Date(Date.now() + 60_000));
    yield context.df.Task.any([timer, context.df.waitForExternalEvent('go')]);
    timer.cancel();
  };
  const byChance: Body = function* (context) {
    yield context.df.Task.any([
      context.df.callSubOrchestrator('wait', null, `child-${Math.random()}`),
      context.df.waitForExternalEvent('go'),
    ]);
  };

  it.each([
    ['the time of a timer', byClock, /timer 0 had the time .* now the code asks for/],
    ['the id of a child', byChance, /child 0 had the id child-.* now the code asks for child-/],
  ] as const)('%s: named in the log, refused in strict mode', async (_what, body, expected) => {
    for (const strict of [false, true]) {
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-05T10:00:00.000Z'));
      const host = modelOf(
        {
          body,
          *wait(context) {
            yield context.df.waitForExternalEvent('never');
          },
        },
        { strict },
      );
      const instance = host.start('body', 'i', null);
      await host.settle();
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-05T10:00:07.000Z'));
      host.raise('i', 'go', 1);
      await host.settle();
      expect(instance.problems[0]).toMatch(/^Non-deterministic, and not noticed in Azure: /);
      expect(instance.problems[0]).toMatch(expected);
      expect(instance.status === 'Failed').toBe(strict);
      vi.restoreAllMocks();
    }
  });

  it.each(['activity', 'child'] as const)('a stored input of %s that differs is named and refused', async (kind) => {
    for (const strict of [false, true]) {
      let input = 1;
      const host = modelOf(
        {
          *body(context) {
            const call =
              kind === 'activity'
                ? context.df.callActivity('a', input)
                : context.df.callSubOrchestrator('wait', input, 'c');
            yield context.df.Task.any([call, context.df.waitForExternalEvent('go')]);
          },
          *wait(context) {
            yield context.df.waitForExternalEvent('never');
          },
        },
        { strict, storeInputs: true },
      );
      const instance = host.start('body', 'i', null);
      await host.settle();
      input = 2;
      host.raise('i', 'go', 1);
      await host.settle();
      expect(instance.problems[0]).toMatch(/^Non-deterministic, .*had the input \[?1\]? when .* asks for \[?2\]?$/);
      expect(instance.status === 'Failed').toBe(strict);
    }
  });

  it('the input of an activity is in no history: replay alone cannot see it change', async () => {
    let input = 1;
    const instance = await replayed(
      function* (context) {
        yield context.df.callActivity('a', input);
        yield context.df.waitForExternalEvent('never');
      },
      () => (input = 2),
      true,
    );
    expect(instance).toMatchObject({ status: 'Running', problems: [] });
  });
});

/** Bodies that are no generator of tasks; the types forbid them, a JavaScript file does not. */
const INVALID: Readonly<Record<string, readonly [body: unknown, expected: RegExp]>> = {
  'yields a number': [
    function* () {
      yield 5;
    },
    /constraint violation: Orchestration yielded data of type number/,
  ],
  'yields nothing': [
    function* () {
      yield undefined;
    },
    /constraint violation: Orchestration yielded data of type undefined/,
  ],
  'yields a promise': [
    function* () {
      yield Promise.resolve(1);
    },
    /constraint violation: Orchestration yielded data of type object/,
  ],
  'is an async function': [async () => Promise.resolve('done'), /this\.generator\.next is not a function/],
  'is an async generator that awaits a foreign promise': [
    async function* (context: Context) {
      await Promise.resolve();
      yield context.df.callActivity('a');
    },
    /constraint violation: Orchestration yielded data of type undefined/,
  ],
};

describe.each(Object.entries(INVALID))('an orchestrator that %s', (_name, [body, expected]) => {
  it.each([false, true])('fails at once and starts nothing (strict: %s)', async (strict) => {
    const host = modelOf({ body: body as Body }, { strict });
    const instance = host.start('body', 'i', null);
    await host.settle();
    expect(instance).toMatchObject({ status: 'Failed', output: expect.stringMatching(expected) });
    expect(host.activities).toEqual([]);
  });
});
