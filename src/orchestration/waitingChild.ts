/**
 * The children that wait: `sleep` (until a time) and `job` (for a remote job). One generator for both; the activity of a
 * round reads the ledger's flag first, does what is due and says when to look again.
 *
 * I6  the event after the last change that was seen only wakes.
 * I11 no timer is longer than 2 days; after 50 rounds, and before a timer would fire later than 5 days after the start of
 *     this generation, it begins again with a fresh history, with nothing open; all that counts stands in the ledger.
 */
import { z } from 'zod';
import { OrchestrationBroken, readAnswer } from './answer.ts';
import { childInput, childStepResult } from './messages.ts';
import { ACTIVITY, controlEvent } from './names.ts';
import { ownInput } from './ownInput.ts';
import { retryDelay } from './retry.ts';
import { Again, type Json, type Pending, type Step, type Verbs } from './verbs.ts';

const ROUNDS = 50;
const LONGEST_MS = 2 * 86_400_000;
const SHORTEST_MS = 1_000;
/** Rounds in a row without an answer (about eight hours at one a minute): then it fails, and its parent decides. */
const MOST_LOST = 500;

/** The ids, and what has to be known across generations. */
const waitingInput = childInput.extend({ lost: z.number().int().min(0).optional() });

/** `sleep1`: ends when it is due, the run is resumed, stopped or past its deadline. */
export function sleepOrchestration(verbs: Verbs, input: unknown, instanceId: string): Step<Json | Again> {
  return waitingChild(verbs, ACTIVITY.sleepStep, input, instanceId);
}

/** `job1`: follows one remote job to its end; answers with the node's result. */
export function jobOrchestration(verbs: Verbs, input: unknown, instanceId: string): Step<Json | Again> {
  return waitingChild(verbs, ACTIVITY.jobStep, input, instanceId);
}

function* waitingChild(verbs: Verbs, step: string, input: unknown, instanceId: string): Step<Json | Again> {
  const own = ownInput(waitingInput, input, instanceId);
  const { runId } = own;
  const ids = { version: 1, runId, instanceId } as const;
  let lost = own.lost ?? 0;
  let event: Pending | null = null;
  for (let round = 1; ; round += 1) {
    const call = verbs.activity(step, ids);
    yield* verbs.firstOf([call]);
    const read = readAnswer(call, childStepResult);
    let at: number;
    if (read.ok) {
      lost = 0;
      const answer = read.value;
      if (answer.state === 'end') return answer as Json;
      const name = controlEvent(runId, answer.seq + 1);
      if (event?.label !== name || event.outcome() !== undefined) event = verbs.event(name);
      const now = verbs.now();
      at = Math.min(Math.max(answer.until, now + SHORTEST_MS), now + LONGEST_MS);
    } else {
      lost += 1;
      if (lost > MOST_LOST) throw new OrchestrationBroken(`${step} did not answer ${String(MOST_LOST)} times in a row`);
      at = verbs.now() + retryDelay(`${instanceId}:${step}`, lost, { code: '', class: 'transient', message: '' });
    }
    if (round >= ROUNDS || !verbs.reaches(at)) return new Again(lost === 0 ? ids : { ...ids, lost });
    const timer = verbs.time(at);
    yield* verbs.firstOf(event === null ? [timer] : [timer, event]);
    timer.cancel();
  }
}
