import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { completion, failure, newRun, reservation, T0 } from '../../support/ledger/samples.ts';

/** What workers, clocks and people may do to one operation, in any order. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reserve' as const), attempt: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('complete' as const), token: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      token: fc.integer({ min: 1, max: 6 }),
      transient: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), token: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
);

describe('O-20 ownership of an operation', () => {
  it('whatever workers do: one owner at a time, tokens only grow, a result is final, a cancel starts nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const ledger = openSqliteLedger({ path: ':memory:' });
        await ledger.migrate();
        await ledger.createRun(newRun());
        let now = T0;
        let cancelled = false;
        let ownerUntil = 0;
        let newest = 0;
        let attempt = 0;
        let settled: 'completed' | 'permanent' | null = null;
        for (const action of steps) {
          const before = await ledger.getOperation('op1');
          switch (action.do) {
            case 'wait':
              now += action.ms;
              break;
            case 'cancel':
              await ledger.setControl('run1', 'cancel', 'alice', now);
              cancelled = true;
              break;
            case 'renew':
              expect(await ledger.renew('op1', action.token, now + 60_000)).toBe(
                before?.state === 'reserved' && action.token === newest,
              );
              break;
            case 'reserve': {
              const result = await ledger.reserve(reservation({ attempt: action.attempt, now }));
              if (result.outcome !== 'reserved') break;
              expect(cancelled).toBe(false);
              expect(settled).toBeNull();
              // Nobody else could still be at work.
              if (before?.state === 'reserved') expect(ownerUntil).toBeLessThanOrEqual(now);
              expect(result.fencingToken).toBe(newest + 1);
              expect(action.attempt).toBeGreaterThanOrEqual(attempt);
              newest = result.fencingToken;
              attempt = action.attempt;
              break;
            }
            case 'complete':
              if (await ledger.complete('op1', action.token, completion([], now))) {
                expect(action.token).toBe(newest);
                settled ??= 'completed';
                expect(settled).toBe('completed');
              }
              break;
            case 'fail':
              if (await ledger.fail('op1', action.token, failure(action.transient ? 'transient' : 'permanent', now))) {
                expect(action.token).toBe(newest);
                if (!action.transient) settled ??= 'permanent';
              }
              break;
          }
          const after = await ledger.getOperation('op1');
          ownerUntil = after?.ownerUntil ?? 0;
          if (before?.state === 'completed') expect(after).toEqual(before);
          expect(after?.fencingToken ?? 0).toBe(newest);
        }
        expect((await ledger.verifyAudit()).ok).toBe(true);
        await ledger.close();
      }),
      { numRuns: 150 },
    );
  });
});
