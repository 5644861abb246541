/**
 * The four verbs an orchestrator speaks: call, event, time, first-of.
 * An orchestrator that wants to begin again with a fresh history (I11) ends with `again(input)`; the registration then
 * continues as new. Nothing may be open then.
 * Two bindings implement them: `durableBinding.ts` (durable-functions, production and the embedded host) and the
 * hand-driven one in `test/support/handDriven.ts`. Everything above this file is a pure generator.
 */

/** Any value that JSON carries unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Something the orchestrator has started or waits for. The same object is passed to every later wait (O-02). */
export interface Pending {
  readonly kind: 'activity' | 'child' | 'event' | 'time';
  /** What was called, or the event's name, or the due time as ISO text: for messages only. */
  readonly label: string;
  /** The result once it is there; undefined while open. */
  outcome(): Outcome | undefined;
}

export interface Timer extends Pending {
  readonly kind: 'time';
  /** Cancels an open timer; does nothing when it has fired or was cancelled (I11: every timer that lost is cancelled). */
  cancel(): void;
}

/** A generator step: yields what the binding wants yielded, ends with the task that settled first. */
export type Step<T> = Generator<unknown, T, unknown>;

export interface Verbs {
  /** Milliseconds since the epoch, from the history: equal on every replay. */
  now(): number;
  /** Starts an activity. One attempt = one call = one entry in the action list (I4). */
  activity(name: string, input: Json): Pending;
  /** Starts a child orchestration under an instance id that the ledger has recorded. */
  child(name: string, instanceId: string, input: Json): Pending;
  /** Waits for an event; the name is built by us and is never numeric (I6, I12). */
  event(name: string): Pending;
  /** A timer that fires at `at` (ms since the epoch); throws a RangeError where `reaches(at)` is false (I11). */
  time(at: number): Timer;
  /** Whether a timer may be set to `at`: at most 2 days ahead, and at most 5 days after the start of this execution. */
  reaches(at: number): boolean;
  /** Suspends until one of `open` is settled; returns one that is settled, in the order in which results arrived. */
  firstOf(open: readonly Pending[]): Step<Pending>;
  /** Custom status, JSON text below 4 096 UTF-16 units (I9). */
  status(value: Json): void;
}

/** The end of a generation: the registration continues as new with this input. */
export class Again {
  readonly input: Json;
  constructor(input: Json) {
    this.input = input;
  }
}
