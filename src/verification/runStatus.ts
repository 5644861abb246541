/**
 * The terminal status of a run: a pure function of what the ledger holds (I10). `finish` recomputes it and nothing else
 * decides it; the orchestrator's own opinion is only recorded.
 */
export interface NodeFacts {
  readonly nodeId: string;
  /** State of the node's operation; null = it never started. */
  readonly operation: 'completed' | 'failed' | 'unknown' | 'open' | null;
}

export interface RunFacts {
  readonly control: 'none' | 'suspend' | 'cancel';
  /** No warrant: planning or validation said no. */
  readonly warranted: boolean;
  /** Planning or validation refused the plan (as against a store that failed). */
  readonly refused: boolean;
  readonly nodes: readonly NodeFacts[];
  /** Result of the verification step; null = it did not run. */
  readonly verification: 'passed' | 'failed' | null;
}

export type TerminalStatus = 'succeeded' | 'rejected' | 'failed' | 'cancelled' | 'unverified';

export function terminalStatus(facts: RunFacts): TerminalStatus {
  const allCompleted = facts.nodes.length > 0 && facts.nodes.every((node) => node.operation === 'completed');
  // A cancel that came when everything was done and verified changes nothing any more.
  if (facts.control === 'cancel' && !(allCompleted && facts.verification !== null)) return 'cancelled';
  if (!facts.warranted) return facts.refused ? 'rejected' : 'failed';
  if (!allCompleted) return 'failed';
  return facts.verification === 'passed' ? 'succeeded' : 'unverified';
}
