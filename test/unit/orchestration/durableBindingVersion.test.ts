import { readFileSync } from 'node:fs';
import type { OrchestrationContext } from 'durable-functions';
import { describe, expect, it } from 'vitest';
import { durableVerbs } from '../../../src/orchestration/durableBinding.ts';
import type { Body } from './sdkReplay.ts';
import { replay } from './sdkReplay.ts';

/** The SDK's context with one part exchanged. */
const damaged = (change: (df: Record<string, unknown>) => Record<string, unknown>): Body =>
  function* (_verbs, context) {
    const df = context.df as unknown as Record<string, unknown>;
    const copy = Object.assign(Object.create(Object.getPrototypeOf(df) as object) as Record<string, unknown>, df);
    const verbs = durableVerbs({ ...context, df: Object.assign(copy, change(df)) } as unknown as OrchestrationContext);
    yield* verbs.firstOf([verbs.activity('a', null)]);
    return null;
  };

describe('another SDK fails loudly instead of scheduling wrongly', () => {
  it.each<[string, (df: Record<string, unknown>) => Record<string, unknown>]>([
    ['executor', () => ({ taskOrchestratorExecutor: {} })],
    ['Task.any', () => ({ Task: {} })],
    [
      'compoundActions',
      () => ({
        Task: {
          any: () => ({
            alreadyScheduled: false,
            hasResult: false,
            actionObj: {},
            setValue: () => undefined,
            children: [],
          }),
        },
      }),
    ],
    ['the activity task lacks', () => ({ callActivity: () => ({ isCompleted: false }) })],
  ])('%s', async (part, change) => {
    const failure = replay(damaged(change));
    await expect(failure).rejects.toThrow('not the version this binding was written for');
    await expect(failure).rejects.toThrow(part);
  });

  it('the undamaged copy works, so the test above tests the damage', async () => {
    expect((await replay(damaged(() => ({})))).isDone).toBe(false);
  });

  it('the package is pinned to exactly the version of the proof', () => {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    expect((JSON.parse(text) as { dependencies: Record<string, string> }).dependencies['durable-functions']).toBe(
      '3.5.0',
    );
  });

  it('one execution has one binding, because the listing rule has one state', async () => {
    let same = false;
    const body: Body = function* (verbs, context) {
      same = durableVerbs(context) === verbs;
      yield* verbs.firstOf([verbs.event('e')]);
      return null;
    };
    await replay(body);
    expect(same).toBe(true);
  });
});
