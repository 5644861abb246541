/**
 * Starts tasks and reads their answers. It says what the interpreter has to do next; it never waits.
 *
 * I4  one attempt = one call; each result names its node, item and attempt and is checked against the awaited ones.
 */
import { addWork, childOf, NOTHING, type Around, type News } from './around.ts';
import { awaited } from './awaited.ts';
import { LATE } from './deadline.ts';
import { Failures } from './failures.ts';
import { InlineBudget } from './inlineBudget.ts';
import { childStepResult, endReason, expandResult, laneResult, nodeResult, type NodeResult } from './messages.ts';
import { CHILD } from './names.ts';
import type { Work } from './openWork.ts';
import { laneChild, taskCall, type Caller } from './taskCall.ts';
import type { Task } from './task.ts';
import type { Outcome } from './verbs.ts';

/** Most attempts of our own activities around a `forEach` node. */
const OWN_ATTEMPTS = 4;
/** A wait that its activity found too early by the ledger's clock looks again no sooner than this. */
const LOOK_AGAIN_MS = 1_000;

export class TaskRunner {
  readonly #around: Around;
  readonly #caller: Caller;
  readonly #failures: Failures;
  readonly #inline = new InlineBudget();

  constructor(around: Around) {
    this.#around = around;
    this.#failures = new Failures(around);
    this.#caller = { schedule: around.schedule, by: around.by };
  }

  start(task: Task): void {
    const { verbs, board } = this.#around;
    if (task.phase === 'do') task.attempt += 1;
    if (task.kind === 'lane' && task.attempt === 1) {
      this.#startLane(task);
      return;
    }
    const carried = board.decisions.take();
    const group = this.#around.schedule.groups?.[this.#around.schedule.nodes[task.node]?.group ?? -1];
    const inlineLeft = task.kind === 'expand' && group !== undefined ? this.#inline.grant(task, group) : 0;
    const { name, input } = taskCall(this.#caller, task, carried, inlineLeft);
    addWork(this.#around, verbs.activity(name, input), task.kind === 'lane' ? 'record' : 'call', task, carried);
  }

  /** @param stopped whether nothing may start any more: then an answer that would go on ends with a decision (I7). */
  settle(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board } = this.#around;
    switch (work.kind) {
      case 'call':
        if (!outcome.ok) board.decisions.giveBack(work.carried);
        return work.task.kind === 'expand'
          ? this.#expandAnswered(work, outcome, stopped)
          : this.#nodeAnswered(work, outcome, stopped);
      case 'record':
        return this.#recorded(work, outcome, stopped);
      case 'lane':
        return this.#laneEnded(work, outcome, stopped);
      case 'job':
        return this.#jobEnded(work, outcome, stopped);
      case 'sleep':
      case 'backoff':
        return this.#slept(work, outcome, stopped);
    }
  }

  #nodeAnswered(work: Work, outcome: Outcome, stopped: boolean): News {
    const read = awaited(outcome, nodeResult, this.#wanted(work));
    if (read.is === 'lost') return this.#failures.lost(work, read.message, stopped);
    if (read.is === 'violation') return this.#failures.violation(work.task, read.message);
    return this.#nodeIs(work, read.value, stopped);
  }

  #nodeIs(work: Work, result: NodeResult, stopped: boolean): News {
    const { board } = this.#around;
    const { task } = work;
    switch (result.state) {
      case 'done':
        board.done(task);
        return NOTHING;
      case 'skipped':
        board.decisions.giveBack(work.carried);
        board.skipped(task);
        return NOTHING;
      case 'failed':
        board.decisions.giveBack(work.carried);
        return this.#failures.failed(work, result.error, stopped, this.#mostAttempts(task), result.backoff);
      case 'held':
        return this.#held(work, stopped);
      case 'wait':
        if (task.phase === 'end') board.decisions.giveBack(work.carried);
        if (!stopped) return this.#sleep(work, result.until, result.instanceId);
        board.closeLate(task);
        return NOTHING;
      case 'job':
        if (stopped) board.closeLate(task);
        else {
          task.state = 'following';
          addWork(this.#around, childOf(this.#around, CHILD.job, result.instanceId), 'job', task);
        }
        return NOTHING;
    }
  }

  #held(work: Work, stopped: boolean): News {
    const { board } = this.#around;
    const { task } = work;
    board.decisions.giveBack(work.carried);
    if (task.phase === 'do') task.attempt -= 1;
    if (stopped) {
      board.closeLate(task);
      return NOTHING;
    }
    board.hold(task);
    return { is: 'look', held: true };
  }

  #sleep(work: Work, until: number, instanceId: string): News {
    const { verbs } = this.#around;
    const { task } = work;
    const again = task.phase === 'end';
    const at = again ? Math.max(until, verbs.now() + LOOK_AGAIN_MS) : until;
    task.phase = 'end';
    task.state = 'waiting';
    if (verbs.reaches(at)) addWork(this.#around, verbs.time(at), 'sleep', task);
    else if (!again) addWork(this.#around, childOf(this.#around, CHILD.sleep, instanceId), 'sleep', task);
    // Its child, whose id is used up, has ended too early, or the last timer did: the next attempt records another.
    else return this.#failures.lost(work, 'the wait ended before its time', false);
    return NOTHING;
  }

  #slept(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board } = this.#around;
    const { task, kind } = work;
    if (stopped) return NOTHING;
    const reason = endReason(outcome);
    // Deadlines are the ledger's: a wait that was cut off by it has not come to its end.
    if (reason === 'deadline') return { is: 'stop', error: LATE };
    if (reason === 'stopped') {
      // It slept for a run that is over; if the run goes on all the same, so does the task.
      board.ready(task);
      return { is: 'look' };
    }
    if (kind === 'sleep' && !outcome.ok) return this.#failures.lost(work, `no answer: ${outcome.message}`, stopped);
    if (kind === 'sleep' && reason === 'unexpected')
      return this.#failures.lost(work, 'the ledger did not expect the sleep child', stopped);
    board.ready(task);
    return NOTHING;
  }

  #jobEnded(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board } = this.#around;
    if (!outcome.ok) return this.#failures.lost(work, `no answer: ${outcome.message}`, stopped);
    const end = childStepResult.safeParse(outcome.value);
    if (!end.success || end.data.state !== 'end')
      return this.#failures.violation(
        work.task,
        `I4: the job of ${board.label(work.task)} answered in an unknown shape`,
      );
    if (end.data.result === undefined) {
      if (!stopped) return this.#failures.lost(work, `the job's follower ended: ${end.data.reason}`, stopped);
      board.closeLate(work.task);
      return NOTHING;
    }
    return this.#nodeAnswered(work, { ok: true, value: end.data.result }, stopped);
  }

  #expandAnswered(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board, schedule } = this.#around;
    const { task } = work;
    const read = awaited(outcome, expandResult, this.#wanted(work));
    if (read.is === 'lost') return this.#failures.lost(work, read.message, stopped);
    if (read.is === 'violation') return this.#failures.violation(task, read.message);
    const result = read.value;
    if (result.state === 'held') return this.#held(work, stopped);
    if (result.state === 'expanded') {
      const members = schedule.groups?.[schedule.nodes[task.node]?.group ?? -1]?.members.length ?? 1;
      this.#inline.settle(task, result.mode === 'inline' ? result.count * members : 0);
      board.expanded(task, result.count, result.mode);
      return NOTHING;
    }
    board.decisions.giveBack(work.carried);
    if (result.state === 'failed') return this.#failures.failed(work, result.error, stopped, OWN_ATTEMPTS);
    board.skipped(task);
    return NOTHING;
  }

  #startLane(task: Task): void {
    const { name, instanceId, input } = laneChild(this.#caller, task);
    addWork(this.#around, this.#around.verbs.child(name, instanceId, input), 'lane', task);
  }

  #recorded(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board } = this.#around;
    const { task } = work;
    const read = awaited(outcome, expandResult, { ...this.#wanted(work), item: -1 });
    if (read.is === 'violation') return this.#failures.violation(task, read.message);
    if (read.is !== 'answer' || read.value.state !== 'expanded') board.decisions.giveBack(work.carried);
    if (read.is === 'lost') return this.#failures.lost(work, read.message, stopped);
    if (read.value.state === 'held') return this.#held(work, stopped);
    if (read.value.state === 'failed') return this.#failures.failed(work, read.value.error, stopped, OWN_ATTEMPTS);
    if (stopped) board.closeLate(task);
    else this.#startLane(task);
    return NOTHING;
  }

  #laneEnded(work: Work, outcome: Outcome, stopped: boolean): News {
    const { board } = this.#around;
    const { task } = work;
    if (!outcome.ok) return this.#failures.lost(work, `no answer: ${outcome.message}`, stopped);
    const read = laneResult.safeParse(outcome.value);
    const named = read.success && read.data.from === task.item && read.data.to === task.to;
    // A lane that was not let in knows no items.
    const refused = read.success && !read.data.ok && read.data.from === -1;
    if (!read.success || !(named || refused)) {
      const wanted = `items ${String(task.item)} to ${String(task.to)} of ${board.id(task)}`;
      return this.#failures.violation(task, `I4: waited for ${wanted}, got other items or an unknown shape`);
    }
    for (const { nodeId, item, kind, attempt, reason } of read.data.decisions ?? [])
      board.decisions.add({ nodeId, item, kind, attempt, reason });
    if (read.data.ok) {
      board.done(task);
      return NOTHING;
    }
    board.failed(task);
    const { error } = read.data;
    return error.code === 'CANCELLED' ? { is: 'look', otherwise: error } : { is: 'stop', error };
  }

  #wanted(work: Work): { nodeId: string; item: number; attempt: number } {
    return { nodeId: this.#around.board.id(work.task), item: work.task.item, attempt: work.attempt };
  }

  #mostAttempts(task: Task): number {
    const { board, schedule } = this.#around;
    return task.kind === 'node' ? board.firstAttempt - 1 + (schedule.nodes[task.node]?.attempts ?? 1) : OWN_ATTEMPTS;
  }
}
