import { TERMINAL_STATUSES, type OperationState, type RunRow } from './rows.ts';

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

/** Nothing may start in this run any more: it has ended, was cancelled, or stops after a failure (I7, O-14). */
export function isStopped({ status, control, stopping }: Pick<RunRow, 'status' | 'control' | 'stopping'>): boolean {
  return TERMINAL_STATUSES.has(status) || control === 'cancel' || stopping !== null;
}
