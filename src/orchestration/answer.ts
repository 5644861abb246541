import type { z } from 'zod';
import { childInstanceId } from '../plan/operationKey.ts';
import { CHILD } from './names.ts';
import { retryDelay } from './retry.ts';
import type { Json, Pending, Step, Verbs } from './verbs.ts';

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
    for (let attempt = 1; ; attempt += 1) {
      const call = this.#verbs.activity(name, input);
      yield* this.#verbs.firstOf([call]);
      const read = readAnswer(call, schema);
      if (read.ok) return read.value;
      notTooOften(name, attempt, read.message);
      yield* this.#verbs.firstOf([this.pause(name, attempt)]);
    }
  }

  /**
   * The wait before the next try. Where no timer can reach any more (I11), a sleep child takes its place: the ledger does
   * not know its id, so it ends at once when the store answers, and backs off in its own fresh history while it does not.
   */
  pause(name: string, attempt: number): Pending {
    const at = this.#verbs.now() + retryDelay(name, attempt, { code: 'TOOL_FAILED', class: 'transient', message: '' });
    if (this.#verbs.reaches(at)) return this.#verbs.time(at);
    this.#pauses += 1;
    const instanceId = childInstanceId(this.#runId, {
      nodeId: `$pause:${this.#instanceId}:${name}`,
      item: this.#pauses,
      revision: 0,
      attempt,
    });
    return this.#verbs.child(CHILD.sleep, instanceId, { version: 1, runId: this.#runId, instanceId });
  }
}

/** Throws `OrchestrationBroken` when an activity was asked in vain too often. */
export function notTooOften(name: string, tries: number, last: string): void {
  if (tries < MOST_TRIES) return;
  throw new OrchestrationBroken(`${name} did not answer ${String(MOST_TRIES)} times: ${last.slice(0, 500)}`);
}

/** What one of our own activities answered; not ok when it threw, or answered in a shape we do not know. */
export function readAnswer<T>(
  call: Pending,
  schema: z.ZodType<T>,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string } {
  const outcome = call.outcome();
  if (outcome?.ok !== true) return { ok: false, message: outcome?.message ?? 'no answer' };
  const parsed = schema.safeParse(outcome.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: 'STATE_INVALID: an answer in an unknown shape' };
}
