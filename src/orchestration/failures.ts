/**
 * What follows from a failure: another attempt after a back-off, a tolerated failure, or the end of the run (I7).
 *
 * I9  from the third failed attempt on, the back-off sleeps in a child that the activity has recorded.
 */
import type { ResultError } from './messages.ts';
import { CHILD } from './names.ts';
import type { Work } from './openWork.ts';
import { mayRetry, NOT_THE_NODES, retryDelay, retryKey } from './retry.ts';
import type { Task } from './task.ts';
import { addWork, childOf, NOTHING, type Around, type News } from './around.ts';

/** Times the platform may lose an answer of one task before that counts as its failure. */
const LOST_ANSWERS = 4;

export class Failures {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** The platform lost the answer: asked again as a new attempt, a few times. */
  lost(work: Work, message: string, stopped: boolean): News {
    const { task } = work;
    if (stopped) {
      // Nobody knows whether it had begun: a row of its own says more than this decision.
      this.#around.board.closeLate(task);
      return NOTHING;
    }
    task.lost += 1;
    const error: ResultError = { code: 'TOOL_FAILED', class: 'transient', message: message.slice(0, 2000) };
    const most = task.lost <= LOST_ANSWERS ? work.attempt + 1 : work.attempt;
    return this.failed(work, error, stopped, most, undefined, true);
  }

  /** @param most attempts this task may have; `backoff`: the recorded child to sleep in; `lost`: nobody answered. */
  failed(
    work: Work,
    error: ResultError,
    stopped: boolean,
    most: number,
    backoff?: { readonly instanceId: string; readonly until: number },
    lost = false,
  ): News {
    const { verbs, schedule, board } = this.#around;
    const { task, attempt } = work;
    if (error.code === 'CANCELLED') {
      // Refused because the run is over, or a job given up for it: the flag tells whether by a person (I6).
      if (error.class === 'unknown') board.failed(task);
      else board.refused(task);
      return { is: 'look', otherwise: error };
    }
    const nodeId = board.id(task);
    const delay = retryDelay(retryKey(schedule.runId, nodeId, task.item), attempt, error);
    const due = backoff?.until ?? verbs.now() + delay;
    if (!stopped && mayRetry(error) && attempt < most && due < schedule.deadlineAt) {
      const seconds = Math.max(0, Math.round((due - verbs.now()) / 1000));
      board.retryLater(task, attempt, `${error.code}; next attempt in ${String(seconds)} s`);
      task.phase = 'do';
      if (backoff !== undefined)
        addWork(this.#around, childOf(this.#around, CHILD.sleep, backoff.instanceId), 'backoff', task);
      else if (verbs.reaches(due)) addWork(this.#around, verbs.time(due), 'backoff', task);
      else board.ready(task);
      return NOTHING;
    }
    const tolerated = board.isSoft(task) && task.kind !== 'lane' && !NOT_THE_NODES.has(error.code);
    if (!stopped && !lost && tolerated) {
      board.failedSoftly(task);
      return NOTHING;
    }
    board.failed(task);
    return { is: 'stop', error: { ...error, message: `${board.label(task)}: ${error.message}`.slice(0, 2000) } };
  }

  /** An answer for something else (I4). */
  violation(task: Task, message: string): News {
    this.#around.board.failed(task);
    return { is: 'stop', error: { code: 'DETERMINISM_VIOLATION', class: 'unexpected', message } };
  }
}
