/**
 * The scheduler's board: where each task stands. Pure bookkeeping, no waiting; the interpreter moves the pieces. What the
 * board of a run and that of a lane share; they differ in what a settled task makes ready.
 *
 * I1  a task becomes ready only when every edge into it is settled.
 * I2  the order of starts depends on the schedule and the order of completions alone.
 * I3  no waves: a task is ready the moment its last edge is settled.
 */
import { DecisionLog } from './decisionLog.ts';
import type { Decision } from './messages.ts';
import { byPriority } from './ready.ts';
import type { Schedule } from './schedule.ts';
import { isSettled, taskLabel, type Settlement, type SkipKind, type Task } from './task.ts';
import { TaskQueue } from './taskQueue.ts';

export interface Close {
  readonly kind: 'skippedByFailure' | 'cancelled';
  readonly reason: string;
}

/** Counts for people; numbers of items are those this board has seen. */
export interface BoardCounts {
  readonly nodes: Readonly<Record<'pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'cancelled', number>>;
  readonly items: { readonly all: number; readonly settled: number };
}

export abstract class Board {
  readonly decisions = new DecisionLog();
  /** Number of the first attempt of a node or item. */
  readonly firstAttempt: number;
  protected readonly schedule: Schedule;
  protected closed: Close | null = null;
  readonly #queue: TaskQueue;
  readonly #failed: string[] = [];
  #held: Task[] = [];

  constructor(schedule: Schedule, first: 'path' | 'item', firstAttempt = 1) {
    this.schedule = schedule;
    this.firstAttempt = firstAttempt;
    this.#queue = new TaskQueue(byPriority(schedule, first));
  }

  id(task: Task): string {
    return this.schedule.nodes[task.node]?.id ?? '';
  }

  label(task: Task): string {
    return taskLabel(this.id(task), task.item);
  }

  /** Whether its terminal failure is tolerated (`onFailure: continue`). */
  isSoft(task: Task): boolean {
    return this.schedule.nodes[task.node]?.soft === true;
  }

  /** The most urgent ready task, marked as running; while the run is suspended only waits whose time has come. */
  take(suspended: boolean): Task | undefined {
    const task = this.#queue.take((candidate) => !suspended || candidate.phase === 'end');
    if (task !== undefined) task.state = 'running';
    return task;
  }

  ready(task: Task): void {
    task.state = 'ready';
    this.#queue.push(task);
  }

  /** A suspended run gave it back: nothing was started. */
  hold(task: Task): void {
    task.state = 'held';
    this.#held.push(task);
  }

  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const task of held) if (task.state === 'held') this.ready(task);
  }

  /** Its wait for the next attempt is written with the next activity (I5). */
  retryLater(task: Task, attempt: number, reason: string): void {
    task.state = 'retrying';
    this.decide(task, 'retryWait', attempt, reason);
  }

  done(task: Task): void {
    task.state = 'done';
    this.settled(task, 'done');
  }

  /** Its own condition was false: the activity has recorded it. */
  skipped(task: Task): void {
    task.state = 'skipped';
    this.settled(task, 'skippedByCondition');
  }

  /** A failure that does not stop the run. */
  failedSoftly(task: Task): void {
    this.#fail(task);
    this.settled(task, 'failed');
  }

  failed(task: Task): void {
    this.#fail(task);
    this.failedHard(task);
  }

  /** The ledger refused to start it because the run is over: the stop that follows closes it. */
  refused(task: Task): void {
    if (this.closed === null) this.hold(task);
    else this.closeLate(task);
  }

  /** Closes what has not started, and what only waits: nothing starts any more (I7). */
  close(close: Close): void {
    if (this.closed !== null) return;
    this.closed = close;
    this.#queue.clear();
    this.#held = [];
    this.closeAll(close);
  }

  /** An answer that came after the end and would have made the task go on: it ends with a decision. */
  closeLate(task: Task): void {
    if (this.closed === null || isSettled(task)) return;
    this.closeTask(task, this.closed, true);
  }

  /** Labels of the first failed tasks. */
  failures(most: number): readonly string[] {
    return this.#failed.slice(0, most);
  }

  /** A `forEach` group whose items are known. */
  abstract expanded(task: Task, count: number, mode: 'inline' | 'lanes'): void;
  /** Nothing is left to start or to wait for. */
  abstract finished(): boolean;
  /** Ids that are neither settled nor closed, for SCHEDULER_STALLED. */
  abstract unfinished(): readonly string[];
  abstract counts(): BoardCounts;

  protected abstract settled(task: Task, settlement: Settlement): void;
  protected abstract failedHard(task: Task): void;
  protected abstract closeAll(close: Close): void;

  protected closeTask(task: Task, close: Close, say: boolean): void {
    task.state = close.kind === 'cancelled' ? 'cancelled' : 'skipped';
    if (say) this.decide(task, close.kind, task.attempt, close.reason);
  }

  /** Waited for its next attempt: the ledger knows of the failed one, unless the answer was lost. */
  protected giveUp(task: Task, close: Close): void {
    if (task.lost > 0) this.closeTask(task, close, true);
    else task.state = 'failed';
  }

  protected skip(task: Task, kind: SkipKind, reason: string): void {
    task.state = 'skipped';
    this.decide(task, kind, 0, reason);
  }

  protected decide(task: Pick<Task, 'node' | 'item'>, kind: Decision['kind'], attempt: number, reason: string): void {
    const nodeId = this.schedule.nodes[task.node]?.id ?? '';
    this.decisions.add({ nodeId, item: task.item, kind, attempt, reason });
  }

  #fail(task: Task): void {
    task.state = 'failed';
    this.#failed.push(this.label(task));
  }
}
