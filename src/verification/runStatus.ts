/**
 * The terminal status of a run: a pure function of what the ledger holds (I10). `finish` recomputes it and nothing else
 * decides it; the orchestrator's own opinion is only recorded.
 */
export interface NodeFacts {
  readonly nodeId: string;
  /** State of the node's operation; null = it never started. */
  readonly operation: 'completed' | 'failed' | 'unknown' | 'open' | null;
  /** Recorded decision not to run it; null = none. */
  readonly skipped: 'condition' | 'failure' | null;
  /** `onFailure: continue`: its failure is tolerated. */
  readonly soft: boolean;
  /** Items of a `forEach` node that failed or whose end nobody knows; 0 for any other node. */
  readonly failedItems: number;
}

export interface RunFacts {
  readonly control: 'none' | 'suspend' | 'cancel';
  /** A terminal failure was recorded, after which nothing started (I7). */
  readonly stopping: boolean;
  /** No warrant: planning or validation said no. */
  readonly warranted: boolean;
  /** Planning or validation refused the plan (as against a store that failed). */
  readonly refused: boolean;
  readonly nodes: readonly NodeFacts[];
  /** Declared outputs, without a default, that are not there. */
  readonly missingOutputs: readonly string[];
  /** Result of the verification step; null = it did not run. */
  readonly verification: 'passed' | 'failed' | null;
}

export type TerminalStatus = 'succeeded' | 'rejected' | 'failed' | 'cancelled' | 'unverified';

export function terminalStatus(facts: RunFacts): TerminalStatus {
  const well = endedWell(facts);
  // A cancel that came when everything was done and verified changes nothing any more.
  if (facts.control === 'cancel' && !(well && facts.verification !== null)) return 'cancelled';
  if (!facts.warranted) return facts.refused ? 'rejected' : 'failed';
  if (facts.stopping || !well) return 'failed';
  return facts.verification === 'passed' ? 'succeeded' : 'unverified';
}

/** Every node did what the plan asks for, or is one the plan can do without; every declared output is there. */
function endedWell({ nodes, missingOutputs }: RunFacts): boolean {
  const tolerated = nodes.some((node) => node.soft && (failed(node) || node.failedItems > 0));
  return nodes.length > 0 && missingOutputs.length === 0 && nodes.every((node) => nodeEndedWell(node, tolerated));
}

function nodeEndedWell(node: NodeFacts, tolerated: boolean): boolean {
  if (node.failedItems > 0 && !node.soft) return false;
  switch (node.operation) {
    case 'completed':
      return true;
    case 'failed':
    case 'unknown':
      return node.soft;
    case 'open':
      return false;
    case null:
      // Skipped because of a failure counts only where there is a failure that the plan tolerates.
      return node.skipped === 'condition' || (node.skipped === 'failure' && tolerated);
  }
}

const failed = ({ operation }: NodeFacts): boolean => operation === 'failed' || operation === 'unknown';
