import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terminalStatus, type RunFacts } from '../../../src/verification/runStatus.ts';

const facts: fc.Arbitrary<RunFacts> = fc.record({
  control: fc.constantFrom('none' as const, 'suspend' as const, 'cancel' as const),
  stopping: fc.boolean(),
  missingOutputs: fc.array(fc.string(), { maxLength: 1 }),
  warranted: fc.boolean(),
  refused: fc.boolean(),
  nodes: fc.array(
    fc.record({
      nodeId: fc.string(),
      operation: fc.constantFrom('completed' as const, 'failed' as const, 'unknown' as const, 'open' as const, null),
      skipped: fc.constantFrom('condition' as const, 'failure' as const, null),
      soft: fc.boolean(),
      failedItems: fc.nat(2),
    }),
    { maxLength: 6 },
  ),
  verification: fc.constantFrom('passed' as const, 'failed' as const, null),
});

const hard = (operation: 'unknown' | 'open'): RunFacts['nodes'][number] => ({
  nodeId: 'x',
  operation,
  skipped: 'condition',
  soft: false,
  failedItems: 0,
});

describe('terminal status (I10)', () => {
  it('is success only when nothing stopped it, no hard node or item failed, and the verification passed', () => {
    fc.assert(
      fc.property(facts, (one) => {
        if (terminalStatus(one) !== 'succeeded') return;
        expect(one.warranted && !one.stopping && one.verification === 'passed').toBe(true);
        expect(one.missingOutputs).toEqual([]);
        expect(one.nodes.length).toBeGreaterThan(0);
        for (const node of one.nodes) {
          expect(node.operation).not.toBe('open');
          const bad = node.operation === 'failed' || node.operation === 'unknown' || node.failedItems > 0;
          expect(bad && !node.soft).toBe(false);
        }
      }),
    );
  });

  it('a plan that tolerates nothing and skips nothing succeeds exactly when every node completed', () => {
    fc.assert(
      fc.property(facts, (one) => {
        const nodes = one.nodes.map((node) => ({ ...node, soft: false, skipped: null, failedItems: 0 }));
        const good =
          one.warranted &&
          !one.stopping &&
          one.missingOutputs.length === 0 &&
          nodes.length > 0 &&
          nodes.every((node) => node.operation === 'completed') &&
          one.verification === 'passed';
        expect(terminalStatus({ ...one, nodes }) === 'succeeded').toBe(good);
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

  it('never calls a run succeeded that has an open node, or an unknown one that it does not tolerate', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('unknown' as const, 'open' as const), (one, operation) => {
        expect(terminalStatus({ ...one, nodes: [...one.nodes, hard(operation)] })).not.toBe('succeeded');
      }),
    );
  });
});
