/**
 * The scheduler's board: where each node stands. Pure bookkeeping, no waiting; the interpreter moves the pieces.
 *
 * I1  a node becomes ready only when every edge into it is settled with success.
 * I2  the order of starts depends on the schedule and the order of completions alone.
 * I3  no waves: a node is ready the moment its last predecessor succeeds.
 */
import type { Decision } from './messages.ts';
import { byPriority, remainingSeconds } from './ready.ts';
import type { Schedule } from './schedule.ts';

export type BoardState =
  'pending' | 'ready' | 'running' | 'retrying' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';

export class Board {
  readonly #schedule: Schedule;
  readonly #states: BoardState[];
  readonly #missing: number[];
  readonly #followers: number[][];
  readonly #compare: (a: number, b: number) => number;
  #ready: number[];
  #decisions: Decision[] = [];
  #seq = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#compare = byPriority(schedule, remainingSeconds(schedule));
    this.#missing = schedule.nodes.map((node) => node.after.length);
    this.#followers = schedule.nodes.map(() => []);
    schedule.nodes.forEach((node, index) => {
      for (const before of node.after) this.#followers[before]?.push(index);
    });
    this.#states = schedule.nodes.map((node) => (node.after.length === 0 ? 'ready' : 'pending'));
    this.#ready = schedule.nodes.flatMap((node, index) => (node.after.length === 0 ? [index] : []));
    this.#ready.sort(this.#compare);
  }

  id(index: number): string {
    return this.#schedule.nodes[index]?.id ?? '';
  }

  state(index: number): BoardState {
    return this.#states[index] ?? 'pending';
  }

  /** Takes the most urgent ready node, or nothing. */
  take(): number | undefined {
    const next = this.#ready.shift();
    if (next !== undefined) this.#states[next] = 'running';
    return next;
  }

  succeed(index: number): void {
    this.#states[index] = 'succeeded';
    for (const next of this.#followers[index] ?? []) {
      const left = (this.#missing[next] ?? 0) - 1;
      this.#missing[next] = left;
      if (left === 0 && this.#states[next] === 'pending') {
        this.#states[next] = 'ready';
        this.#insert(next);
      }
    }
  }

  fail(index: number): void {
    this.#states[index] = 'failed';
  }

  /** The node waits for its next attempt; the wait is written with the next activity (I5). */
  retryLater(index: number, attempt: number, reason: string): void {
    this.#states[index] = 'retrying';
    this.#decide(index, 'retryWait', attempt, reason);
  }

  /** The wait is over: the node goes back among the ready ones. */
  ready(index: number): void {
    this.#states[index] = 'ready';
    this.#insert(index);
  }

  /** Everything that has not started never will: says so once per node (I7). */
  closeUnstarted(kind: 'skippedByFailure' | 'cancelled', reason: string): void {
    this.#ready = [];
    this.#states.forEach((state, index) => {
      if (state !== 'pending' && state !== 'ready') return;
      this.#states[index] = kind === 'cancelled' ? 'cancelled' : 'skipped';
      this.#decide(index, kind, 0, reason);
    });
  }

  /** Decisions since the last call: they ride in the next activity's input and are written in its transaction. */
  takeDecisions(): Decision[] {
    const taken = this.#decisions;
    this.#decisions = [];
    return taken;
  }

  /** Ids of nodes in a state, in schedule order. */
  idsIn(...states: readonly BoardState[]): string[] {
    return this.#states.flatMap((state, index) => (states.includes(state) ? [this.id(index)] : []));
  }

  counts(): Readonly<Record<BoardState, number>> {
    const counts = { pending: 0, ready: 0, running: 0, retrying: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
    for (const state of this.#states) counts[state] += 1;
    return counts;
  }

  #insert(index: number): void {
    const at = this.#ready.findIndex((other) => this.#compare(index, other) < 0);
    if (at < 0) this.#ready.push(index);
    else this.#ready.splice(at, 0, index);
  }

  #decide(index: number, kind: Decision['kind'], attempt: number, reason: string): void {
    this.#seq += 1;
    this.#decisions.push({
      seq: this.#seq,
      nodeId: this.id(index),
      item: -1,
      kind,
      attempt,
      reason: reason.slice(0, 200),
    });
  }
}
