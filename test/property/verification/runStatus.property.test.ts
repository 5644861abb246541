import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terminalStatus, type RunFacts } from '../../../src/verification/runStatus.ts';

const facts: fc.Arbitrary<RunFacts> = fc.record({
  control: fc.constantFrom('none' as const, 'suspend' as const, 'cancel' as const),
  warranted: fc.boolean(),
  refused: fc.boolean(),
  nodes: fc.array(
    fc.record({
      nodeId: fc.string(),
      operation: fc.constantFrom('completed' as const, 'failed' as const, 'unknown' as const, 'open' as const, null),
    }),
    { maxLength: 6 },
  ),
  verification: fc.constantFrom('passed' as const, 'failed' as const, null),
});

describe('terminal status (I10)', () => {
  it('is success only when every node completed and the verification passed', () => {
    fc.assert(
      fc.property(facts, (one) => {
        const good =
          one.warranted &&
          one.nodes.length > 0 &&
          one.nodes.every((node) => node.operation === 'completed') &&
          one.verification === 'passed';
        expect(terminalStatus(one) === 'succeeded').toBe(good);
      }),
    );
  });

  it('does not depend on the order of the nodes', () => {
    fc.assert(
      fc.property(facts, (one) => {
        expect(terminalStatus({ ...one, nodes: [...one.nodes].reverse() })).toBe(terminalStatus(one));
      }),
    );
  });

  it('a cancel before the verification is cancelled, whatever else happened', () => {
    fc.assert(
      fc.property(facts, (one) => {
        expect(terminalStatus({ ...one, control: 'cancel', verification: null })).toBe('cancelled');
      }),
    );
  });

  it('never calls a run succeeded that has an unknown or open node', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('unknown' as const, 'open' as const), (one, operation) => {
        expect(terminalStatus({ ...one, nodes: [...one.nodes, { nodeId: 'x', operation }] })).not.toBe('succeeded');
      }),
    );
  });
});
