/** O-09: the same attempt is executed twice, at once or after a crash; what is counted are the tool's real executions. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/port.ts';
import { codeOf, prepare } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const PLAN = { nodes: [{ id: 'a', tool: 'test.count', args: { value: 1, ms: 20 } }] };
class Crash extends Error {}

/** Lets the next call of one ledger method happen, or not, and then dies as a process would. */
function crashAt(method: keyof Ledger, when: 'before' | 'after'): void {
  const ledger = services.ledger;
  let armed = true;
  Object.assign(services, {
    ledger: new Proxy(ledger, {
      get(target, name, receiver) {
        const found: unknown = Reflect.get(target, name, receiver);
        if (name !== method || !armed) return found;
        return async (...args: unknown[]) => {
          armed = false;
          if (when === 'after') await (found as (...all: unknown[]) => Promise<unknown>)(...args);
          // Nothing of this process is written any more.
          Object.assign(services, { ledger: new Proxy(ledger, { get: () => () => Promise.reject(new Crash()) }) });
          throw new Crash();
        };
      },
    }),
  });
}

describe('O-09 the same attempt twice', () => {
  it('at once: one execution, one row, equal answers', async () => {
    const run = await prepare(services, PLAN);
    const answers = await Promise.all([run.node('a'), run.node('a'), run.node('a')]);
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(journalLines()).toHaveLength(1);
  });

  it.each([
    ['reserve', 'before', 1],
    ['reserve', 'after', 1],
    ['complete', 'after', 1],
    // Without an effect the work is simply done again: its result is equal, and it counts once.
    ['complete', 'before', 2],
  ] as const)(
    'with a crash at %s, %s it was written: done, one row, %i executions',
    async (method, when, executions) => {
      const run = await prepare(services, PLAN);
      const real = services.ledger;
      crashAt(method, when);
      await run.node('a').catch(() => undefined);
      Object.assign(services, { ledger: real });
      services.clock += 10_000;
      expect(codeOf(await run.node('a'))).toBe('done');
      expect(codeOf(await run.node('a'))).toBe('done');
      expect(journalLines()).toHaveLength(executions);
      expect((await real.project(run.runId))?.operations).toMatchObject([{ state: 'completed', attempt: 1 }]);
      expect(await run.output('a', 'value')).toBe(1);
    },
  );
});
