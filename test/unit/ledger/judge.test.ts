import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/ledger/judge.ts';
import {
  OPERATION_STATES,
  RUN_STATUSES,
  TERMINAL_STATUSES,
  type OperationRow,
  type OperationState,
  type RunRow,
} from '../../../src/ledger/port.ts';
import { digest, reservation, T0 } from '../../support/ledger/samples.ts';

const run = (changes: Partial<RunRow> = {}): RunRow => ({
  runId: 'run1',
  tenant: 'local',
  requester: 'alice',
  status: 'running',
  control: 'none',
  held: false,
  goal: '',
  locale: 'en',
  request: '{}',
  requestDigest: digest('a'),
  idempotencyKey: null,
  roles: [],
  instanceId: 'run1',
  planDigest: null,
  warrantDigest: null,
  policyVersion: null,
  headline: null,
  error: null,
  createdAt: T0,
  startedAt: null,
  endedAt: null,
  deadlineAt: null,
  controlSeq: 0,
  stopping: null,
  retryOf: null,
  asOf: T0,
  rowVersion: 1,
  ...changes,
});

const row = (state: OperationState, changes: Partial<OperationRow> = {}): OperationRow => ({
  ...reservation(),
  state,
  attempt: 2,
  fencingToken: 2,
  ownerUntil: T0 + 60_000,
  externalJobId: null,
  resultUri: null,
  resultDigest: null,
  errorCode: null,
  errorClass: null,
  errorMessage: null,
  checks: [],
  createdAt: T0,
  updatedAt: T0,
  rowVersion: 1,
  ...changes,
});

const LATER = T0 + 60_000;
const starts = (verdict: ReturnType<typeof judge>): boolean => verdict.do === 'insert' || verdict.do === 'take';

describe('what a reservation meets', () => {
  it.each([...TERMINAL_STATUSES])('O-14 in a run that is %s nothing starts, from no state of the row', (status) => {
    const rows = [undefined, ...OPERATION_STATES.map((state) => row(state, { errorClass: 'transient' }))];
    for (const given of rows) {
      for (const attempt of [1, 2, 3]) {
        expect(starts(judge(reservation({ attempt, now: LATER }), run({ status }), given))).toBe(false);
      }
    }
  });

  it('O-14 nor in a cancelled one, whatever its status', () => {
    for (const status of RUN_STATUSES) {
      for (const given of [undefined, row('reserved'), row('failed', { errorClass: 'throttled' })]) {
        const verdict = judge(reservation({ attempt: 3, now: LATER }), run({ status, control: 'cancel' }), given);
        expect(verdict).toEqual({ do: 'answer', outcome: 'stopped' });
      }
    }
  });

  it('in any other run a node without row starts', () => {
    for (const status of RUN_STATUSES.filter((name) => !TERMINAL_STATUSES.has(name))) {
      expect(judge(reservation(), run({ status }), undefined)).toEqual({ do: 'insert' });
    }
  });

  it.each([
    ['attempt 1 before the lease ends', 1, LATER - 1, { do: 'wait', ownerUntil: LATER }],
    ['attempt 2 before the lease ends', 2, LATER - 1, { do: 'wait', ownerUntil: LATER }],
    ['attempt 3 before the lease ends', 3, LATER - 1, { do: 'wait', ownerUntil: LATER }],
    ['attempt 1 at its end', 1, LATER, { do: 'wait', ownerUntil: LATER + 1_000 }],
    ['attempt 2 at its end', 2, LATER, { do: 'take', attempt: 2, reopened: false }],
    ['attempt 3 at its end', 3, LATER, { do: 'take', attempt: 3, reopened: false }],
  ])('O-20 a reserved row of attempt 2: %s', (_what, attempt, now, verdict) => {
    expect(judge(reservation({ attempt, now }), run(), row('reserved'))).toEqual(verdict);
  });

  it.each([
    ['transient', 3, true],
    ['throttled', 3, true],
    ['throttled', 2, false],
    ['transient', 1, false],
    ['permanent', 3, false],
    ['denied', 3, false],
    ['unexpected', 3, false],
    ['unknown', 3, false],
    [null, 3, false],
  ])('a row that failed as %s, asked by attempt %d, reopens: %s', (errorClass, attempt, reopens) => {
    const verdict = judge(reservation({ attempt, now: T0 }), run(), row('failed', { errorClass }));
    expect(verdict).toEqual(reopens ? { do: 'take', attempt, reopened: true } : { do: 'answer', outcome: 'failed' });
  });

  it.each(['submitted', 'adopted', 'resubmitted'] as const)(
    'a remote job (%s) is never started again, however late',
    (state) => {
      const verdict = judge(reservation({ attempt: 9, now: LATER * 2 }), run(), row(state));
      expect(verdict).toEqual({ do: 'wait', ownerUntil: LATER * 2 + 1_000 });
    },
  );

  it.each(['unknown', 'needsDecision'] as const)('an effect that may have happened (%s) is not repeated', (state) => {
    const verdict = judge(reservation({ attempt: 9, now: LATER * 2 }), run(), row(state, { errorClass: 'transient' }));
    expect(verdict).toEqual({ do: 'answer', outcome: 'failed' });
  });

  it('another operation under the same key is a conflict before anything else', () => {
    for (const state of OPERATION_STATES) {
      const other = reservation({ argsDigest: digest('0'), now: LATER });
      for (const where of [run(), run({ status: 'failed' }), run({ control: 'cancel' })]) {
        expect(judge(other, where, row(state))).toEqual({ do: 'answer', outcome: 'conflict' });
      }
    }
  });
});
