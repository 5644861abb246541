import type { z } from 'zod';
import { childInstanceId } from '../plan/operationKey.ts';
import { CHILD } from './names.ts';
import { retryDelay } from './retry.ts';
import type { Json, Outcome, Step, Verbs } from './verbs.ts';

/** Most tries for an activity of the run itself (begin, validate, finish …) when the platform loses its answer. */
const MOST_TRIES = 8;

/** The orchestrator cannot go on: the instance fails, the ledger row stays as it is, the janitor finds it. */
export class OrchestrationBroken extends Error {
  override readonly name = 'OrchestrationBroken';
}

/** The orchestrator's own calls: activities that are asked until they answer, and pauses between the questions. */
export class Calls {
  readonly #verbs: Verbs;
  readonly #runId: string;
  readonly #instanceId: string;
  #pauses = 0;

  constructor(verbs: Verbs, ids: { readonly runId: string; readonly instanceId: string }) {
    this.#verbs = verbs;
    this.#runId = ids.runId;
    this.#instanceId = ids.instanceId;
  }

  /**
   * Calls an activity until it answers. These are idempotent; a thrown activity means a store that is away or a lost
   * worker, and an answer in an unknown shape may be a forged event, so it is asked again with back-off (O-11: never SDK
   * retries). Throws `OrchestrationBroken` after 8 tries.
   */
  *untilAnswered<T>(name: string, input: Json, schema: z.ZodType<T>): Step<T> {
    let last = 'no answer';
    for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
      const outcome = yield* this.once(name, input);
      const parsed = outcome.ok ? schema.safeParse(outcome.value) : undefined;
      if (parsed?.success === true) return parsed.data;
      last = outcome.ok ? 'STATE_INVALID: an answer in an unknown shape' : outcome.message;
      if (attempt < MOST_TRIES) yield* this.pause(name, attempt);
    }
    throw new OrchestrationBroken(`${name} did not answer ${String(MOST_TRIES)} times: ${last.slice(0, 500)}`);
  }

  *once(name: string, input: Json): Step<Outcome> {
    const call = this.#verbs.activity(name, input);
    yield* this.#verbs.firstOf([call]);
    return call.outcome() ?? { ok: false, message: 'no answer' };
  }

  /**
   * Waits before the next try. Where no timer can reach any more (I11), a sleep child takes its place: the ledger does not
   * know its id, so it ends at once when the store answers, and backs off in its own fresh history while it does not.
   */
  *pause(name: string, attempt: number): Step<void> {
    const at = this.#verbs.now() + retryDelay(name, attempt, { code: 'TOOL_FAILED', class: 'transient', message: '' });
    if (this.#verbs.reaches(at)) {
      yield* this.#verbs.firstOf([this.#verbs.time(at)]);
      return;
    }
    this.#pauses += 1;
    const instanceId = childInstanceId(this.#runId, {
      nodeId: `$pause:${this.#instanceId}:${name}`,
      item: this.#pauses,
      revision: 0,
      attempt,
    });
    yield* this.#verbs.firstOf([
      this.#verbs.child(CHILD.sleep, instanceId, { version: 1, runId: this.#runId, instanceId }),
    ]);
  }
}

/** Reads what one of our own activities answered; throws `OrchestrationBroken` on a shape we do not know. */
export function parsedAnswer<T>(name: string, value: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OrchestrationBroken(`STATE_INVALID: ${name} answered in an unknown shape`);
}
