import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TERMINAL_STATUSES, type Ledger, type NewInstance, type RunControl } from '../../../src/ledger/port.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { completion, failure, newRun, reservation, T0 } from '../../support/ledger/samples.ts';

const OPERATIONS = ['op0', 'op1', 'op2'];
const which = fc.integer({ min: 0, max: 2 });
/** What people, schedulers, workers and followers of jobs may do to one run, in any order. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('control' as const),
      to: fc.constantFrom<RunControl>('none', 'suspend', 'cancel'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'stop' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'finish' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('held' as const), to: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      which,
      attempt: fc.integer({ min: 1, max: 3 }),
      child: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('follow' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('submit' as const), which, token: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      which,
      token: fc.integer({ min: 1, max: 4 }),
      as: fc.constantFrom('completed' as const, 'transient' as const, 'unknown' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const childOf = (index: number, attempt: number): NewInstance => ({
  instanceId: `run1-child${String(index)}${String(attempt)}`,
  runId: 'run1',
  kind: 'job',
  revision: 1,
  nodeId: `n${String(index)}`,
  item: -1,
  attempt,
  until: null,
  to: null,
});

function act(ledger: Ledger, action: Step, now: number): Promise<unknown> {
  switch (action.do) {
    case 'control':
      return ledger.setControl('run1', action.to, 'alice', now);
    case 'stop':
      return ledger.stopRun('run1', { code: 'TOOL_FAILED', by: 'run1', decisions: [], now });
    case 'finish': {
      const end = { headline: null, error: null, now, by: 'run1', decisions: [] };
      return ledger.finishRun('run1', { ...end, status: 'failed' });
    }
    case 'held':
      return ledger.setHeld('run1', action.to, now);
    case 'reserve':
      return ledger.reserve(
        reservation({
          operationKey: OPERATIONS[action.which] ?? '',
          nodeId: `n${String(action.which)}`,
          attempt: action.attempt,
          now,
          ...(action.child ? { ownerMs: 0, child: childOf(action.which, action.attempt) } : {}),
        }),
      );
    case 'follow':
      // A row that is not there is a mistake of the caller.
      return ledger.follow(OPERATIONS[action.which] ?? '', now, 5_000).catch(() => undefined);
    case 'submit':
      return ledger.submitted(OPERATIONS[action.which] ?? '', action.token, 'job-1', now);
    case 'settle': {
      const key = OPERATIONS[action.which] ?? '';
      if (action.as === 'completed') return ledger.complete(key, action.token, completion([], now));
      return ledger.fail(key, action.token, failure(action.as, now));
    }
    case 'wait':
      return Promise.resolve();
  }
}

const opened = async (run: (ledger: Ledger) => Promise<void>): Promise<void> => {
  const ledger = openSqliteLedger({ path: ':memory:' });
  await ledger.migrate();
  await ledger.createRun(newRun());
  await run(ledger);
  expect((await ledger.verifyAudit()).ok).toBe(true);
  await ledger.close();
};

describe('control of a run', () => {
  it('whatever happens: changes are counted one by one, nothing starts while held or stopped, ends are final', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
        opened(async (ledger) => {
          let now = T0;
          for (const action of steps) {
            if (action.do === 'wait') now += action.ms;
            const before = await ledger.getRun('run1');
            const rowBefore = 'which' in action ? await ledger.getOperation(OPERATIONS[action.which] ?? '') : undefined;
            const answer = await act(ledger, action, now);
            const after = await ledger.getRun('run1');
            if (before === undefined || after === undefined) throw new Error('the run is gone');

            const changed = before.control !== after.control || before.stopping !== after.stopping;
            expect(after.controlSeq - before.controlSeq).toBe(changed ? 1 : 0);
            if (before.control === 'cancel') expect(after.control).toBe('cancel');
            if (before.stopping !== null) expect(after.stopping).toBe(before.stopping);
            const ended = TERMINAL_STATUSES.has(before.status);
            if (ended) expect(after).toEqual(before);

            if (action.do !== 'reserve') continue;
            const rowAfter = await ledger.getOperation(OPERATIONS[action.which] ?? '');
            const began = rowBefore === undefined || rowBefore.state === 'failed';
            if (rowAfter?.state === 'reserved' && began) {
              expect([before.control, before.stopping, ended]).toEqual(['none', null, false]);
              expect(answer).toMatchObject({ outcome: 'reserved', again: false });
            }
            const { outcome } = answer as { outcome: string };
            if (outcome === 'held' || outcome === 'stopped') expect(rowAfter).toEqual(rowBefore);
            if (outcome === 'reserved' && action.child)
              expect(answer).toMatchObject({ child: childOf(action.which, action.attempt) });
            if (outcome === 'reserved' && !began) expect(answer).toMatchObject({ again: true });
          }
        }),
      ),
      { numRuns: 80 },
    );
  });

  it('the same when they come at once: the events tell a course that could have happened one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 }), (bursts) =>
        opened(async (ledger) => {
          let now = T0;
          for (const burst of bursts) {
            now += 30_000;
            await Promise.all(burst.map((action) => act(ledger, action, now)));
          }
          const events = await ledger.events('run1', 0, 10_000);
          let control: unknown = 'none';
          let stopping = false;
          let ended = false;
          let changes = 0;
          for (const { type, data } of events) {
            // An owner that was at work when the run ended may still say what came of it; nothing else happens.
            if (ended) expect(type).toMatch(/^operation\.(?:submitted|completed|failed)$/);
            if (type === 'run.control') {
              expect(data['from']).toBe(control);
              expect(control).not.toBe('cancel');
              control = data['to'];
              changes += 1;
            } else if (type === 'run.stopping') {
              expect(stopping).toBe(false);
              stopping = true;
              changes += 1;
            } else if (type === 'run.finished') ended = true;
            else if (type === 'operation.reserved' && data['reason'] !== 'takeover')
              expect([control, stopping]).toEqual(['none', false]);
          }
          expect(await ledger.getRun('run1')).toMatchObject({ control, controlSeq: changes });
          const children = await ledger.instancesOf('run1');
          const planned = events.filter(({ type }) => type === 'instance.planned');
          expect(children).toHaveLength(planned.length);
        }),
      ),
      { numRuns: 80 },
    );
  });
});
