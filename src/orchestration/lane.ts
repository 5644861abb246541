/**
 * A lane: a chunk of `forEach` items in a history of its own (I9), item by item with window 1. The ledger says whether
 * this instance is expected and which items are its own; results of the items stand in the ledger.
 */
import { Calls } from './answer.ts';
import { errorJson, interpretBoard } from './interpreter.ts';
import { LaneBoard } from './laneBoard.ts';
import { childInput, lanePartResult, type ResultError } from './messages.ts';
import { ACTIVITY } from './names.ts';
import { ownInput } from './ownInput.ts';
import type { Json, Step, Verbs } from './verbs.ts';

/** More than any item of one lane can use: its own attempts and those of lost answers. */
const ATTEMPTS_A_LANE = 100;

/** Answers a `laneResult`. Throws `OrchestrationBroken` when it was given anything but its own ids. */
export function* laneOrchestration(verbs: Verbs, input: unknown, instanceId: string): Step<Json> {
  const ids = ownInput(childInput, input, instanceId);
  const calls = new Calls(verbs, ids);
  const part = yield* calls.untilAnswered(ACTIVITY.lanePart, { ...ids }, lanePartResult);
  if (!part.go) {
    const error: ResultError = {
      code: 'CANCELLED',
      class: 'permanent',
      message: `The lane may not run: ${part.reason}`,
    };
    return { version: 1, ok: false, from: -1, to: -1, error: errorJson(error) };
  }
  const { schedule, from, to, controlSeq, attempt = 1 } = part;
  // A lane that was lost may have left children behind: attempts, and with them their ids, are never used twice.
  const firstAttempt = (attempt - 1) * ATTEMPTS_A_LANE + 1;
  const { error, decisions, holds } = yield* interpretBoard(
    verbs,
    { schedule, board: new LaneBoard(schedule, { from, to, firstAttempt }), by: instanceId, controlSeq },
    calls,
  );
  for (const hold of holds) yield* verbs.firstOf([hold]);
  const left = decisions.length === 0 ? {} : { decisions: decisions.map((decision) => ({ ...decision })) };
  if (error !== null) return { version: 1, ok: false, from, to, error: errorJson(error), ...left };
  return { version: 1, ok: true, from, to, ...left };
}
