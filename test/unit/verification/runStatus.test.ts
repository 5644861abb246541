import { describe, expect, it } from 'vitest';
import { terminalStatus, type NodeFacts, type RunFacts } from '../../../src/verification/runStatus.ts';

const node = (more: Partial<NodeFacts> = {}): NodeFacts => ({
  nodeId: 'n',
  operation: 'completed',
  skipped: null,
  soft: false,
  failedItems: 0,
  ...more,
});
const facts = (more: Partial<RunFacts> = {}): RunFacts => ({
  control: 'none',
  stopping: false,
  warranted: true,
  refused: false,
  nodes: [node()],
  missingOutputs: [],
  verification: 'passed',
  ...more,
});

const OPERATIONS = ['completed', 'failed', 'unknown', 'open', null] as const;
const SKIPS = ['condition', 'failure', null] as const;

describe('terminal status, every combination of one node and the run', () => {
  const one = OPERATIONS.flatMap((operation) =>
    SKIPS.flatMap((skipped) =>
      [false, true].flatMap((soft) => [0, 1].map((failedItems) => node({ operation, skipped, soft, failedItems }))),
    ),
  );
  const wellAlone = ({ operation, skipped, soft, failedItems }: NodeFacts): boolean => {
    if (failedItems > 0 && !soft) return false;
    if (operation === 'completed') return true;
    if (operation === 'failed' || operation === 'unknown') return soft;
    if (operation === 'open') return false;
    // Its own tolerated item failures are a failure that the plan tolerates.
    return skipped === 'condition' || (skipped === 'failure' && soft && failedItems > 0);
  };

  it.each(one)('$operation, skipped $skipped, soft $soft, $failedItems failed items', (only) => {
    for (const control of ['none', 'suspend', 'cancel'] as const)
      for (const stopping of [false, true])
        for (const verification of ['passed', 'failed', null] as const) {
          const status = terminalStatus(facts({ nodes: [only], control, stopping, verification }));
          const well = wellAlone(only);
          let wanted = verification === 'passed' ? 'succeeded' : 'unverified';
          if (stopping || !well) wanted = 'failed';
          if (control === 'cancel' && !(well && verification !== null)) wanted = 'cancelled';
          expect(status, JSON.stringify({ control, stopping, verification })).toBe(wanted);
        }
  });
});

describe('terminal status', () => {
  it('a tolerated failure with the skips it causes does not fail the run', () => {
    const nodes = [node({ operation: 'failed', soft: true }), node({ operation: null, skipped: 'failure' }), node()];
    expect(terminalStatus(facts({ nodes }))).toBe('succeeded');
  });
  it('a skip by failure that no tolerated failure explains fails it', () => {
    expect(terminalStatus(facts({ nodes: [node(), node({ operation: null, skipped: 'failure' })] }))).toBe('failed');
  });
  it('a neutral skip does not fail it, a node that is neither settled nor skipped does', () => {
    expect(terminalStatus(facts({ nodes: [node({ operation: null, skipped: 'condition' })] }))).toBe('succeeded');
    expect(terminalStatus(facts({ nodes: [node(), node({ operation: null })] }))).toBe('failed');
  });
  it('a failed item fails it unless its node is tolerated', () => {
    expect(terminalStatus(facts({ nodes: [node({ failedItems: 1 })] }))).toBe('failed');
    expect(terminalStatus(facts({ nodes: [node({ failedItems: 1, soft: true })] }))).toBe('succeeded');
  });
  it('a declared output that is missing in the end fails it', () => {
    expect(terminalStatus(facts({ missingOutputs: ['map'] }))).toBe('failed');
  });
  it('without a warrant it is rejected when it was refused, failed otherwise', () => {
    const none = { warranted: false, nodes: [], verification: null } as const;
    expect(terminalStatus(facts({ ...none, refused: true }))).toBe('rejected');
    expect(terminalStatus(facts(none))).toBe('failed');
  });
  it('a cancel after everything was done and verified changes nothing', () => {
    expect(terminalStatus(facts({ control: 'cancel' }))).toBe('succeeded');
    expect(terminalStatus(facts({ control: 'cancel', verification: 'failed' }))).toBe('unverified');
    expect(terminalStatus(facts({ control: 'cancel', verification: null }))).toBe('cancelled');
  });
});
