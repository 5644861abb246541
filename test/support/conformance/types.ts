/** What a conformance case is, and what its run leaves. */
import type { Talk } from './talk.ts';

/** An answer of the management API, normalised. */
export interface Answer {
  readonly request: string;
  readonly status: number;
  /** Those that a client acts on. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or text when it is none; null when empty. */
  readonly body: unknown;
}

/** What an orchestrator was given in its last episode, normalised and without the markers of episodes. */
export interface LastPayload {
  readonly history: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

export interface Recording {
  readonly title: string;
  readonly answers: readonly Answer[];
  readonly payloads: Readonly<Record<string, LastPayload>>;
}

export interface ConformanceCase {
  /** Name of its golden file; begins every instance id of the case. */
  readonly name: string;
  /** What holds, as a sentence. */
  readonly title: string;
  /** Runs when all others have ended: it counts or removes instances of others. */
  readonly alone?: boolean;
  run(talk: Talk): Promise<void>;
}

/** The host that a case talks to. */
export interface Target {
  /** With a slash at its end. */
  readonly rpcBaseUrl: string;
  /** Folder where the app leaves payloads. */
  readonly payloads: string;
  /** Longest wait for a state, ms. */
  readonly limitMs: number;
}
