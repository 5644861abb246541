import type { OperationState } from './port.ts';

/** What a state of an operation means for whoever asks how a node stands. */
export type Outcome = 'completed' | 'failed' | 'unknown' | 'open';

/** The one reading of operation states: the run's status and what people see both follow from it. */
export function outcomeOf(state: OperationState): Outcome {
  switch (state) {
    case 'completed':
      return 'completed';
    case 'failed':
      return 'failed';
    case 'unknown':
    case 'needsDecision':
      return 'unknown';
    case 'reserved':
    case 'submitted':
    case 'adopted':
    case 'resubmitted':
      return 'open';
  }
}
