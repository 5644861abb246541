/**
 * The interpreter: executes a compiled schedule over the four verbs. A pure generator; nothing here waits for real.
 *
 * I3  a ready node starts at once; the window counts open activities only, a node in a retry wait holds no slot.
 * I4  one attempt = one call; each result names its node and is checked against the awaited one.
 * I5  an activity gets ids and the decisions since the last call, never data.
 * I6  an event only wakes: what happened is read from the ledger by `control1`.
 * I7  after the first terminal failure (or cancel, or deadline) nothing new starts; waits end, activities are awaited.
 * I11 every timer that lost is cancelled; no timer reaches beyond the deadline, which is at most 2 days away.
 */
import { Board } from './board.ts';
import { asError, callUntilAnswered } from './answer.ts';
import { controlResult, nodeResult, type Decision, type ResultError } from './messages.ts';
import { ACTIVITY, controlEvent } from './names.ts';
import { mayRetry, retryDelay } from './retry.ts';
import type { Schedule } from './schedule.ts';
import { customStatus } from './status.ts';
import type { Pending, Step, Timer, Verbs } from './verbs.ts';

/** Times the platform may lose an answer of one node before that counts as a failure of the node. */
const LOST_ANSWERS = 4;

export interface Interpretation {
  /** Null when every node succeeded. The status itself is recomputed from the ledger by `finish` (I10). */
  readonly error: ResultError | null;
  /** Decisions that no activity has carried yet. */
  readonly decisions: readonly Decision[];
}

interface Open {
  readonly index: number;
  readonly attempt: number;
}

class Interpreter {
  readonly #verbs: Verbs;
  readonly #schedule: Schedule;
  readonly #board: Board;
  readonly #activities = new Map<Pending, Open>();
  readonly #waits = new Map<Pending, Open>();
  readonly #attempts: number[];
  readonly #lost: number[];
  readonly #deadline: Timer;
  #control: Pending;
  #round = 0;
  #stopped: ResultError | null = null;

  constructor(verbs: Verbs, schedule: Schedule) {
    this.#verbs = verbs;
    this.#schedule = schedule;
    this.#board = new Board(schedule);
    this.#attempts = schedule.nodes.map(() => 0);
    this.#lost = schedule.nodes.map(() => 0);
    this.#deadline = verbs.time(schedule.deadlineAt);
    this.#control = verbs.event(controlEvent(schedule.runId, 0));
  }

  *run(): Step<Interpretation> {
    for (;;) {
      if (this.#stopped === null) this.#startReady();
      this.#verbs.status(customStatus(this.#stopped === null ? 'running' : 'stopping', this.#board));
      if (this.#activities.size === 0 && this.#waits.size === 0) break;
      const settled = yield* this.#verbs.firstOf(this.#open());
      yield* this.#handle(settled);
    }
    this.#deadline.cancel();
    return { error: this.#stopped ?? this.#stalled(), decisions: this.#board.takeDecisions() };
  }

  #startReady(): void {
    while (this.#activities.size < this.#schedule.window) {
      const index = this.#board.take();
      if (index === undefined) return;
      const attempt = (this.#attempts[index] ?? 0) + 1;
      this.#attempts[index] = attempt;
      const { runId, revision, warrant } = this.#schedule;
      const decisions = this.#board.takeDecisions();
      const input = {
        version: 1,
        runId,
        revision,
        warrant,
        nodeId: this.#board.id(index),
        item: -1,
        attempt,
        phase: 'do',
        by: runId,
        decisions,
      };
      this.#activities.set(this.#verbs.activity(ACTIVITY.node, input), { index, attempt });
    }
  }

  /** Activities first, so that a result that is already there is never overtaken by a timer. */
  #open(): Pending[] {
    const open = [...this.#activities.keys(), ...this.#waits.keys()];
    return this.#stopped === null ? [...open, this.#control, this.#deadline] : open;
  }

  *#handle(settled: Pending): Step<void> {
    const activity = this.#activities.get(settled);
    const wait = this.#waits.get(settled);
    if (activity !== undefined) {
      this.#activities.delete(settled);
      this.#settle(activity, settled);
    } else if (wait !== undefined) {
      this.#waits.delete(settled);
      this.#board.ready(wait.index);
    } else if (settled === this.#deadline) {
      this.#stop({ code: 'DEADLINE_EXCEEDED', class: 'permanent', message: 'The deadline of the run has passed.' });
    } else {
      yield* this.#readControl();
    }
  }

  #settle(open: Open, settled: Pending): void {
    const outcome = settled.outcome();
    if (outcome?.ok !== true) {
      this.#lostAnswer(open, outcome?.message ?? 'no result');
      return;
    }
    const result = nodeResult.safeParse(outcome.value);
    if (!result.success || result.data.nodeId !== this.#board.id(open.index) || result.data.attempt !== open.attempt) {
      this.#board.fail(open.index);
      const got = result.success
        ? `node ${result.data.nodeId}, attempt ${String(result.data.attempt)}`
        : 'an unknown shape';
      const want = `node ${this.#board.id(open.index)}, attempt ${String(open.attempt)}`;
      this.#stop({ code: 'DETERMINISM_VIOLATION', class: 'unexpected', message: `I4: waited for ${want}, got ${got}` });
    } else if (result.data.state === 'done') {
      this.#board.succeed(open.index);
    } else if (result.data.state === 'failed') {
      this.#failed(open, asError(result.data.error), this.#schedule.nodes[open.index]?.attempts ?? 1);
    }
  }

  /** The activity threw: a worker or store was lost, not the tool's own failure. */
  #lostAnswer(open: Open, message: string): void {
    const lost = (this.#lost[open.index] ?? 0) + 1;
    this.#lost[open.index] = lost;
    const error: ResultError = {
      code: 'TOOL_FAILED',
      class: 'transient',
      message: `no answer: ${message}`.slice(0, 2000),
    };
    this.#failed(open, error, lost <= LOST_ANSWERS ? open.attempt + 1 : open.attempt);
  }

  #failed(open: Open, error: ResultError, most: number): void {
    const due =
      this.#verbs.now() + retryDelay(`${this.#schedule.runId}:${this.#board.id(open.index)}`, open.attempt, error);
    const again = this.#stopped === null && mayRetry(error) && open.attempt < most && due < this.#schedule.deadlineAt;
    if (!again) {
      this.#board.fail(open.index);
      this.#stop({ ...error, message: `${this.#board.id(open.index)}: ${error.message}`.slice(0, 2000) });
      return;
    }
    const seconds = Math.round((due - this.#verbs.now()) / 1000);
    this.#board.retryLater(open.index, open.attempt, `${error.code}; next attempt in ${String(seconds)} s`);
    this.#waits.set(this.#verbs.time(due), open);
  }

  *#readControl(): Step<void> {
    const { runId, warrant } = this.#schedule;
    const answer = yield* callUntilAnswered(
      this.#verbs,
      ACTIVITY.control,
      { version: 1, runId, by: runId, warrant },
      controlResult,
    );
    this.#round += 1;
    this.#control = this.#verbs.event(controlEvent(runId, this.#round));
    if (answer.control === 'cancel')
      this.#stop({ code: 'CANCELLED', class: 'permanent', message: 'The run was cancelled.' });
  }

  #stop(error: ResultError): void {
    if (this.#stopped !== null) return;
    this.#stopped = error;
    this.#deadline.cancel();
    for (const [timer, open] of this.#waits) {
      if (timer.kind === 'time') (timer as Timer).cancel();
      this.#board.fail(open.index);
    }
    this.#waits.clear();
    const kind = error.code === 'CANCELLED' ? 'cancelled' : 'skippedByFailure';
    this.#board.closeUnstarted(kind, `${error.code}: ${error.message}`);
  }

  /** Nothing is open and nothing is ready, yet nodes remain: a fault of ours that must not look like success (O-03). */
  #stalled(): ResultError | null {
    const left = this.#board.idsIn('pending', 'ready', 'retrying');
    if (left.length === 0) return null;
    return {
      code: 'SCHEDULER_STALLED',
      class: 'unexpected',
      message: `never started: ${left.slice(0, 20).join(', ')}`,
    };
  }
}

/** Executes the schedule to its end: every node settled, skipped or cancelled, and no timer left open. */
export function* interpret(verbs: Verbs, schedule: Schedule): Step<Interpretation> {
  return yield* new Interpreter(verbs, schedule).run();
}
