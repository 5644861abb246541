import type { Board } from './board.ts';
import type { ResultError } from './messages.ts';
import type { OpenWork, Work, WorkKind } from './openWork.ts';
import type { Schedule } from './schedule.ts';
import type { Task } from './task.ts';
import type { Pending, Verbs } from './verbs.ts';

/** What the parts of the interpreter share. */
export interface Around {
  readonly verbs: Verbs;
  readonly schedule: Schedule;
  readonly board: Board;
  /** Who decides: the instance of the run or lane. */
  readonly by: string;
  readonly open: OpenWork;
}

/** What the interpreter has to do after something was settled. */
export type News =
  | { readonly is: 'nothing' }
  | { readonly is: 'stop'; readonly error: ResultError }
  /** Read the control flag; when it explains nothing, stop with `otherwise`. */
  | { readonly is: 'look'; readonly otherwise?: ResultError; readonly held?: true };

export const NOTHING: News = { is: 'nothing' };

/** Starts a child that the ledger has recorded. */
export function childOf({ verbs, schedule }: Around, name: string, instanceId: string): Pending {
  return verbs.child(name, instanceId, { version: 1, runId: schedule.runId, instanceId });
}

export function addWork(
  { board, open }: Around,
  pending: Pending,
  kind: WorkKind,
  task: Task,
  carried: Work['carried'] = [],
): void {
  open.add(pending, { kind, task, attempt: task.attempt, carried, label: board.label(task) });
}
