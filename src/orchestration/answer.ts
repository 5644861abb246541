import type { z } from 'zod';
import { nodeErrorSchema, type ResultError } from './messages.ts';
import { retryDelay } from './retry.ts';
import type { Json, Step, Verbs } from './verbs.ts';

/** Most tries for an activity of the run itself (begin, validate, finish …) when the platform loses its answer. */
const MOST_TRIES = 8;

/** The orchestrator cannot go on: the instance fails, the ledger row stays as it is, the janitor finds it. */
export class OrchestrationBroken extends Error {
  override readonly name = 'OrchestrationBroken';
}

/**
 * Calls one of the run's own activities until it answers. These are idempotent by run; a thrown activity means a store
 * that is away or a lost worker, so it is tried again with back-off over durable timers (O-11: never SDK retries).
 */
export function* callUntilAnswered<T>(verbs: Verbs, name: string, input: Json, schema: z.ZodType<T>): Step<T> {
  let last = 'no answer';
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const call = verbs.activity(name, input);
    yield* verbs.firstOf([call]);
    const outcome = call.outcome();
    if (outcome?.ok === true) {
      const parsed = schema.safeParse(outcome.value);
      if (parsed.success) return parsed.data;
      throw new OrchestrationBroken(`STATE_INVALID: ${name} answered in an unknown shape`);
    }
    last = outcome?.message ?? last;
    if (attempt < MOST_TRIES) {
      const wait = retryDelay(name, attempt, { code: 'TOOL_FAILED', class: 'transient', message: '' });
      yield* verbs.firstOf([verbs.time(verbs.now() + wait)]);
    }
  }
  throw new OrchestrationBroken(`${name} did not answer ${String(MOST_TRIES)} times: ${last.slice(0, 500)}`);
}

/** Reads an error that an activity returned; a shape we do not know becomes `unexpected`. */
export function asError(value: unknown): ResultError {
  const parsed = nodeErrorSchema.safeParse(value);
  return parsed.success
    ? parsed.data
    : { code: 'STATE_INVALID', class: 'unexpected', message: 'error in an unknown shape' };
}
