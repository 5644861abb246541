import type { RunNode } from './api.ts';

/** Words, tone and sign of every run status and node state; no state is told by colour alone. */

export type Tone = 'good' | 'bad' | 'busy' | 'wait' | 'idle';

export interface StateLook {
  readonly word: string;
  readonly tone: Tone;
  readonly sign: string;
}

const look = (word: string, tone: Tone, sign: string): StateLook => ({ word, tone, sign });

const NODE = new Map<string, StateLook>([
  ['pending', look('waiting for earlier steps', 'idle', '○')],
  ['ready', look('ready', 'idle', '◔')],
  ['waitingForResource', look('waiting for a free slot', 'wait', '◷')],
  ['waitingForApproval', look('waiting for approval', 'wait', '◷')],
  ['running', look('running', 'busy', '▶')],
  ['polling', look('remote job running', 'busy', '▶')],
  ['succeeded', look('done', 'good', '✓')],
  ['failed', look('failed', 'bad', '✕')],
  ['unknown', look('outcome unknown', 'bad', '?')],
  ['skippedByCondition', look('skipped', 'idle', '–')],
  ['skippedByFailure', look('skipped: an earlier step failed', 'idle', '–')],
  ['cancelled', look('cancelled', 'idle', '■')],
  ['compensated', look('undone', 'wait', '↶')],
]);

const RUN = new Map<string, StateLook>([
  ['accepted', look('accepted', 'busy', '▶')],
  ['planning', look('planning', 'busy', '▶')],
  ['validating', look('checking the plan', 'busy', '▶')],
  ['awaitingApproval', look('waiting for approval', 'wait', '◷')],
  ['queued', look('queued', 'wait', '◷')],
  ['running', look('running', 'busy', '▶')],
  ['waitingForData', look('waiting for data', 'wait', '◷')],
  ['waitingForDecision', look('waiting for a decision', 'wait', '◷')],
  ['waitingForBudget', look('waiting for budget', 'wait', '◷')],
  ['replanning', look('replanning', 'busy', '▶')],
  ['compensating', look('undoing', 'busy', '▶')],
  ['verifying', look('verifying the results', 'busy', '▶')],
  ['succeeded', look('succeeded and verified', 'good', '✓')],
  ['readyForReview', look('ready for review', 'wait', '◷')],
  ['blocked', look('blocked', 'bad', '✕')],
  ['rejected', look('plan refused', 'bad', '✕')],
  ['failed', look('failed', 'bad', '✕')],
  ['compensated', look('failed and undone', 'bad', '↶')],
  ['compensationFailed', look('undoing failed', 'bad', '✕')],
  ['cancelled', look('cancelled', 'idle', '■')],
  ['unverified', look('finished, not verified', 'bad', '?')],
]);

const TERMINAL = new Set([
  'succeeded',
  'readyForReview',
  'blocked',
  'rejected',
  'failed',
  'compensated',
  'compensationFailed',
  'cancelled',
  'unverified',
]);

/** Whether a run status never changes any more. */
export const isTerminal = (status: string): boolean => TERMINAL.has(status);
/** Look of a node state; an unknown one is shown by its own name. */
export const nodeLook = (state: string): StateLook => NODE.get(state) ?? look(state, 'idle', '•');
/** Look of a step: one that waits for a time or a remote job does not look as if it worked. */
export function stepLook({ state, waitingFor, tolerated }: RunNode): StateLook {
  if (state === 'running' && waitingFor?.kind === 'wait') return look('waiting', 'wait', '◷');
  if (state === 'pending' && waitingFor) return look('waiting to try again', 'wait', '◷');
  if (tolerated === true) return look(`${nodeLook(state).word}, the run goes on`, 'wait', '✕');
  return nodeLook(state);
}
/** What a person has asked of a run that is not over, as far as it shows: null when nothing. */
export function controlLook(control: string, held: boolean): StateLook | null {
  if (control === 'cancel') return look('cancelling', 'wait', '■');
  if (held) return look('suspended: nothing new starts', 'wait', '‖');
  return control === 'suspend' ? look('suspending', 'wait', '‖') : null;
}
/** Look of a run status; an unknown one is shown by its own name. */
export const runLook = (status: string): StateLook => RUN.get(status) ?? look(status, 'idle', '•');

const ADVICE = new Map<string, string>([
  ['TOO_FEW_STATIONS', 'Give more gauges, a larger area, or lower minStations.'],
  ['EMPTY_RESULT', 'Check that the data lie in the area and the window of the plan.'],
  ['COVERAGE_TOO_LOW', 'Give data that cover more of the area, or lower minCoverage.'],
  ['CHECK_FAILED', 'A result did not pass its own check. Look at the inputs of this step; do not use its result.'],
  ['NODE_TIMEOUT', 'Raise timeoutSeconds within the limit of the tool, or give less data.'],
  ['UPLOAD_INVALID', 'Correct the file as the message says, upload it again, and start a new run.'],
  ['SOURCE_REQUIRED', 'Name a source in the plan: an upload or a configured connection.'],
  ['CRS_MISMATCH', 'State the right coordinate system, or insert gis.reproject before this step.'],
  ['CRS_NOT_PROJECTED', 'Insert gis.reproject to a system in metres (for example EPSG:32632) before this step.'],
  ['UNIT_MISMATCH', 'State the unit of the values in the schema of the source.'],
  ['EXTENT_DISJOINT', 'The inputs do not overlap: check their coordinate systems and areas.'],
  ['WINDOW_MISMATCH', 'The inputs are for different times: use one window for all of them.'],
  ['STORE_UNAVAILABLE', 'A store does not answer. Wait a moment and start the run again.'],
  ['RESULT_TOO_LARGE', 'Choose a coarser resolution or a smaller area.'],
  ['INVALID_ARGUMENT', 'Correct the argument named in the message and start a new run.'],
  ['JOB_FAILED', 'Correct what the remote job says, then retry.'],
  ['JOB_TIMED_OUT', 'Retry later, or give less data.'],
  ['SUBMIT_UNKNOWN', 'Look in the remote service whether the job was accepted before you retry.'],
  ['FANOUT_LIMIT', 'Raise maxItems within the limit, or select fewer items.'],
  ['CANCELLED', 'Retry it when wanted: finished steps are taken over.'],
  ['DEADLINE_EXCEEDED', 'Raise deadlineSeconds in the limits of the plan, or ask for less.'],
]);

/** What a person can do about an error code. */
export const adviceFor = (code: string): string =>
  ADVICE.get(code) ?? 'See the paragraph for this code in docs/errors.md; the run can be started again as it is.';
