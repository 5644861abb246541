/**
 * The run: begin → plan → validate → interpret → verify → finish. It gets ids only and ends at once unless the ledger
 * expects this instance. What it returns is for operators; the status people see is the ledger's.
 */
import { z } from 'zod';
import { Calls } from './answer.ts';
import { errorJson, interpret } from './interpreter.ts';
import {
  beginResult,
  finishResult,
  stepResult,
  validateResult,
  verifyResult,
  type Decision,
  type ResultError,
} from './messages.ts';
import { ACTIVITY } from './names.ts';
import type { Schedule } from './schedule.ts';
import { customStatus } from './status.ts';
import type { Json, Step, Verbs } from './verbs.ts';

export const runInput = z.strictObject({
  version: z.literal(1),
  runId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
});

export interface RunEnd {
  readonly runId: string;
  readonly status: string;
}

const unknownError: ResultError = {
  code: 'STATE_INVALID',
  class: 'unexpected',
  message: 'an activity answered without a reason',
};

/** @param instanceId the durable instance that executes this generator; the ledger must expect it. */
export function* runOrchestration(verbs: Verbs, input: unknown, instanceId: string): Step<RunEnd> {
  const { runId } = runInput.parse(input);
  const ids = { version: 1, runId } as const;
  const calls = new Calls(verbs, { runId, instanceId });

  const begun = yield* calls.untilAnswered(ACTIVITY.begin, { ...ids, instanceId }, beginResult);
  if (!begun.go) return { runId, status: begun.reason };

  verbs.status(customStatus('planning'));
  const planned = yield* calls.untilAnswered(ACTIVITY.plan, ids, stepResult);
  if (!planned.ok) return yield* finish(verbs, calls, runId, [], planned.error ?? unknownError);

  verbs.status(customStatus('validating'));
  const validated = yield* calls.untilAnswered(ACTIVITY.validate, ids, validateResult);
  if (!validated.ok || validated.schedule === undefined)
    return yield* finish(verbs, calls, runId, [], validated.error ?? unknownError);
  const schedule: Schedule = validated.schedule;

  const controlSeq = validated.controlSeq ?? 0;
  const { error, decisions, holds } = yield* interpret(verbs, schedule, controlSeq, calls);
  if (error === null) {
    verbs.status(customStatus('verifying'));
    const verify = { ...ids, warrant: schedule.warrant, by: runId, decisions: asJson(decisions) };
    yield* calls.untilAnswered(ACTIVITY.verify, verify, verifyResult);
  }
  const end = yield* finish(verbs, calls, runId, error === null ? [] : decisions, error);
  // No instance outlives its parent; these end once the run has (its last work was done while it was suspended).
  for (const hold of holds) yield* verbs.firstOf([hold]);
  return end;
}

function* finish(
  verbs: Verbs,
  calls: Calls,
  runId: string,
  decisions: readonly Decision[],
  error: ResultError | null,
): Step<RunEnd> {
  const input: Json = {
    version: 1,
    runId,
    by: runId,
    decisions: asJson(decisions),
    error: error === null ? null : errorJson(error),
  };
  const { status } = yield* calls.untilAnswered(ACTIVITY.finish, input, finishResult);
  verbs.status(customStatus(status));
  return { runId, status };
}

function asJson(decisions: readonly Decision[]): Json[] {
  return decisions.map((decision) => ({ ...decision }));
}
