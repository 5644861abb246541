import type { z } from 'zod';
import type { Calls } from './answer.ts';
import { controlResult } from './messages.ts';
import { ACTIVITY, CHILD, controlEvent } from './names.ts';
import type { Pending, Step, Verbs } from './verbs.ts';

type Answer = z.infer<typeof controlResult>;

export interface ControlIds {
  readonly runId: string;
  readonly instanceId: string;
  readonly warrant: string;
}

/**
 * What the run is told from outside. The event only wakes; the ledger's flag is read, and the next event awaited is the
 * one after the change that was read (I6). While the run is suspended a recorded `hold` child is open, a second way to
 * notice that it goes on.
 */
export class ControlWatch {
  readonly #verbs: Verbs;
  readonly #ids: ControlIds;
  readonly #holds = new Set<Pending>();
  readonly #begun = new Set<string>();
  #seq: number;
  #event: Pending;
  #suspended = false;

  constructor(verbs: Verbs, ids: ControlIds, seq: number) {
    this.#verbs = verbs;
    this.#ids = ids;
    this.#seq = seq;
    this.#event = verbs.event(controlEvent(ids.runId, seq + 1));
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  get event(): Pending {
    return this.#event;
  }

  get holds(): readonly Pending[] {
    return [...this.#holds];
  }

  /** Whether this pending asks to read the flag; a hold child that has ended is forgotten. */
  wakes(settled: Pending): boolean {
    return this.#holds.delete(settled) || settled === this.#event;
  }

  *read(calls: Calls): Step<Answer> {
    const { runId, instanceId, warrant } = this.#ids;
    const input = { version: 1, runId, by: instanceId, warrant };
    const answer = yield* calls.untilAnswered(ACTIVITY.control, input, controlResult);
    if (answer.seq !== this.#seq || this.#event.outcome() !== undefined) {
      this.#seq = answer.seq;
      this.#event = this.#verbs.event(controlEvent(runId, answer.seq + 1));
    }
    this.#suspended = answer.control === 'suspend';
    const hold = answer.hold?.instanceId;
    if (this.#suspended && hold !== undefined && !this.#begun.has(hold)) {
      this.#begun.add(hold);
      this.#holds.add(this.#verbs.child(CHILD.sleep, hold, { version: 1, runId, instanceId: hold }));
    }
    return answer;
  }
}
