/**
 * The unit of scheduling: what takes a place in the queue and, while its call is open, a slot of the window (I3).
 *
 * `node`    one attempt chain of one tool: a whole node (item -1) or one item of a `forEach` node
 * `expand`  resolves and checks the items of a `forEach` group, named by its head
 * `gather`  joins the outputs of all items of one `forEach` node
 * `lane`    one chunk of items in a child orchestration; `item` is its first item, `to` its end (exclusive)
 */
export type TaskKind = 'node' | 'expand' | 'gather' | 'lane';

export type TaskState =
  /** Edges are open. */
  | 'pending'
  | 'ready'
  /** Given back by a suspended run; ready again when the run goes on. */
  | 'held'
  /** Its call is open. */
  | 'running'
  /** Sleeps until its time: ends at once when the run stops (I7). */
  | 'waiting'
  /** A remote job that a child follows, also after the run has stopped (I7). */
  | 'following'
  /** Waits for its next attempt. */
  | 'retrying'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled';

export interface Task {
  readonly kind: TaskKind;
  /** Index into the schedule's nodes. */
  readonly node: number;
  readonly item: number;
  readonly to: number;
  state: TaskState;
  /** Attempts started so far. */
  attempt: number;
  /** Answers of this task that the platform has lost. */
  lost: number;
  /** `end`: a wait whose time has come; the same attempt goes on. */
  phase: 'do' | 'end';
}

/** How a task or node ended, seen from those that depend on it. `failed` is a tolerated (soft) failure. */
export type Settlement = 'done' | 'failed' | 'skippedByCondition' | 'skippedByFailure';

export type SkipKind = 'skippedByCondition' | 'skippedByFailure';

export function newTask(kind: TaskKind, node: number, item = -1, to = -1): Task {
  return { kind, node, item, to, state: 'pending', attempt: 0, lost: 0, phase: 'do' };
}

export function isSettled({ state }: Task): boolean {
  return state === 'done' || state === 'failed' || state === 'skipped' || state === 'cancelled';
}

/** `id` for a whole node, `id[item]` for an item: for messages and status. */
export function taskLabel(id: string, item: number): string {
  return item < 0 ? id : `${id}[${String(item)}]`;
}
