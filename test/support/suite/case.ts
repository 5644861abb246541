import type { TestHost } from '../hosts/types.ts';

/** What a case saw, without times and ids: equal on both hosts, and equal to the golden file of the real engine. */
export type Observation = Readonly<Record<string, unknown>>;

export interface Case {
  readonly name: string;
  /** `clock`: the case moves time, so it runs on the embedded host only. */
  readonly needs?: 'clock';
  /** A host of its own, because the case kills it. */
  readonly own?: true;
  /** The embedded host does what the engine does, where it would refuse at once in strict mode. */
  readonly lenient?: true;
  readonly limitMs?: number;
  readonly run: (host: TestHost) => Promise<Observation>;
}
