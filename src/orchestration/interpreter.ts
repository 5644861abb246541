/**
 * The interpreter: executes a compiled schedule over the four verbs. A pure generator; nothing here waits for real.
 *
 * I3  a ready task starts at once; the window counts open activities and lanes, nothing that waits.
 * I5  an activity gets ids and the decisions since the last call, never data.
 * I6  an event only wakes: what happened is read from the ledger by `control1`.
 * I7  after the first terminal failure (or cancel, or deadline) nothing new starts; waits end, activities and children
 *     are awaited.
 * I11 every timer that lost is cancelled; all children are awaited before the end.
 */
import type { Board } from './board.ts';
import { Calls } from './answer.ts';
import { ControlWatch, type Control } from './controlWatch.ts';
import { Deadline, LATE } from './deadline.ts';
import { stopResult, type Decision, type ResultError } from './messages.ts';
import { ACTIVITY } from './names.ts';
import { OpenWork } from './openWork.ts';
import { RunBoard } from './runBoard.ts';
import type { Schedule } from './schedule.ts';
import { boardStatus } from './status.ts';
import { TaskRunner } from './taskRunner.ts';
import type { Json, Pending, Step, Verbs } from './verbs.ts';

export interface Interpretation {
  /** Null when nothing stopped the run. The status itself is recomputed from the ledger by `finish` (I10). */
  readonly error: ResultError | null;
  /** Decisions that no activity has carried yet. */
  readonly decisions: readonly Decision[];
  /** `hold` children of a run whose work was done while it was suspended: to be awaited after its end. */
  readonly holds: readonly Pending[];
}

export interface Interpreted {
  readonly schedule: Schedule;
  readonly board: Board;
  /** Who decides: the instance of the run or lane. */
  readonly by: string;
  /** Changes of control seen so far. */
  readonly controlSeq: number;
}

class Interpreter {
  readonly #verbs: Verbs;
  readonly #what: Interpreted;
  readonly #calls: Calls;
  readonly #open = new OpenWork();
  readonly #deadline: Deadline;
  readonly #control: ControlWatch;
  readonly #runner: TaskRunner;
  #stopped: ResultError | null = null;
  /** Why the run stops when the flag that is being read explains nothing. */
  #otherwise: ResultError | null = null;
  /** Stopped by what another instance has told the ledger: that one's own answer, when it comes, says more. */
  #hearsay = false;

  constructor(verbs: Verbs, what: Interpreted, calls: Calls) {
    const { schedule, board, by } = what;
    this.#verbs = verbs;
    this.#what = what;
    this.#calls = calls;
    const ids = { runId: schedule.runId, instanceId: by, warrant: schedule.warrant };
    this.#control = new ControlWatch(verbs, calls, ids, what.controlSeq);
    this.#deadline = new Deadline(verbs, schedule.deadlineAt);
    this.#runner = new TaskRunner({ verbs, schedule, board, by, open: this.#open });
  }

  *run(): Step<Interpretation> {
    try {
      return yield* this.#loop();
    } finally {
      // Also when it throws: an instance with an open timer would not end before that fires.
      this.#deadline.cancel();
      this.#open.cancelTimers();
      this.#control.stop();
    }
  }

  *#loop(): Step<Interpretation> {
    const { board } = this.#what;
    for (;;) {
      if (this.#stopped === null && this.#deadline.passed() && !board.finished()) yield* this.#stop(LATE);
      if (this.#stopped === null) this.#start();
      this.#verbs.status(boardStatus(this.#phase(), board, this.#open.labels()));
      if (this.#atEnd()) break;
      const settled = yield* this.#verbs.firstOf(this.#pending());
      yield* this.#handle(settled);
    }
    return {
      error: this.#stopped ?? this.#stalled(),
      decisions: board.decisions.take(),
      holds: this.#control.holds,
    };
  }

  #phase(): string {
    if (this.#stopped !== null) return 'stopping';
    return this.#control.suspended ? 'suspended' : 'running';
  }

  #start(): void {
    while (this.#open.slots < this.#what.schedule.window) {
      const task = this.#what.board.take(this.#control.suspended);
      if (task === undefined) return;
      this.#runner.start(task);
    }
  }

  /** A suspended run with work left waits for its control event; otherwise nothing open means the end. */
  #atEnd(): boolean {
    if (this.#open.size > 0 || this.#control.asking) return false;
    return this.#stopped !== null || this.#what.board.finished() || !this.#control.suspended;
  }

  /** Work first, so that a result that is already there is never overtaken by a timer. */
  #pending(): Pending[] {
    const work = [...this.#open.pendings(), ...this.#control.question];
    return this.#stopped !== null ? work : [...work, ...this.#control.wakers, ...this.#deadline.pending];
  }

  *#handle(settled: Pending): Step<void> {
    const work = this.#open.close(settled);
    if (work === undefined) {
      if (this.#deadline.settled(settled)) return;
      const answer = this.#control.settled(settled, this.#stopped !== null);
      if (this.#control.late) yield* this.#stop(LATE);
      else if (answer !== null) yield* this.#told(answer);
      return;
    }
    const outcome = settled.outcome();
    if (outcome === undefined) return;
    const news = this.#runner.settle(work, outcome, this.#stopped !== null);
    if (news.is === 'stop') yield* this.#stop(news.error);
    else if (news.is === 'look' && this.#stopped === null) {
      this.#otherwise ??= news.otherwise ?? null;
      if (news.held === true) this.#control.heldBack();
      else this.#control.ask();
    }
  }

  *#told(answer: Control): Step<void> {
    if (answer.control === 'cancel') yield* this.#stop(cancelled, 'ledger');
    else if (answer.stopping !== undefined) yield* this.#stop(stoppedBy(answer.stopping), 'ledger');
    else if (this.#otherwise !== null && !this.#control.asking) yield* this.#stop(this.#otherwise, 'guess');
    else if (answer.control === 'none') this.#what.board.release();
  }

  /** @param from whose word it is: a task's own, the ledger's, or a guess that a task's own answer may replace */
  *#stop(error: ResultError, from: 'task' | 'ledger' | 'guess' = 'task'): Step<void> {
    const hearsay = from !== 'task';
    if (this.#stopped !== null) {
      if (this.#hearsay && !hearsay) this.#stopped = error;
      this.#hearsay &&= hearsay;
      return;
    }
    this.#stopped = error;
    this.#hearsay = hearsay;
    this.#deadline.cancel();
    this.#open.cancelTimers();
    this.#control.stop();
    const { board, schedule, by } = this.#what;
    board.close({
      kind: error === cancelled ? 'cancelled' : 'skippedByFailure',
      reason: `${error.code}: ${error.message}`,
    });
    // Whoever cancelled, or told the ledger of the failure, has woken everybody.
    if (from === 'ledger') return;
    const { runId, warrant } = schedule;
    const decisions = board.decisions.take().map((decision) => ({ ...decision }));
    const input: Json = { version: 1, runId, warrant, error: errorJson(error), by, decisions };
    yield* this.#calls.untilAnswered(ACTIVITY.stop, input, stopResult);
  }

  /** Nothing is open and nothing is ready, yet nodes remain: a fault of ours that must not look like success (O-03). */
  #stalled(): ResultError | null {
    const left = this.#what.board.unfinished();
    if (left.length === 0) return null;
    return {
      code: 'SCHEDULER_STALLED',
      class: 'unexpected',
      message: `never started: ${left.slice(0, 20).join(', ')}`,
    };
  }
}

const cancelled: ResultError = { code: 'CANCELLED', class: 'permanent', message: 'The run was cancelled.' };

function stoppedBy(code: string): ResultError {
  return { code, class: 'unexpected', message: `The run was stopped by a failure (${code}).` };
}

/** An error as JSON carries it: no key without a value. */
export function errorJson({ code, class: errorClass, message, retryAfterMs }: ResultError): Json {
  const base = { code, class: errorClass, message };
  return retryAfterMs === undefined ? base : { ...base, retryAfterMs };
}

/** Executes a board to its end: every task settled or closed with a decision, no timer and no work left open. */
export function* interpretBoard(verbs: Verbs, what: Interpreted, calls: Calls): Step<Interpretation> {
  return yield* new Interpreter(verbs, what, calls).run();
}

/** Executes the schedule of a run, which is its own instance. @param controlSeq changes of control seen so far. */
export function* interpret(
  verbs: Verbs,
  schedule: Schedule,
  controlSeq = 0,
  calls = new Calls(verbs, { runId: schedule.runId, instanceId: schedule.runId }),
): Step<Interpretation> {
  const what = { schedule, board: new RunBoard(schedule), by: schedule.runId, controlSeq };
  return yield* interpretBoard(verbs, what, calls);
}
