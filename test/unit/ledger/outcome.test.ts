import { expect, it } from 'vitest';
import { outcomeOf } from '../../../src/ledger/outcome.ts';

it.each([
  ['reserved', 'open'],
  ['submitted', 'open'],
  // A job that a person adopted is followed to its end like any other: nothing of it is there yet.
  ['adopted', 'open'],
  ['resubmitted', 'open'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['needsDecision', 'unknown'],
] as const)('an operation that is %s counts as %s', (state, outcome) => {
  expect(outcomeOf(state)).toBe(outcome);
});
