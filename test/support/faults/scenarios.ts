/** What the cells run: small plans over the test tools, and what a user does meanwhile. */
import { CHAIN, DIAMOND, INLINE, JOB, LANES, waits } from './plans.ts';

export interface User {
  /** Sends a request until it is answered with something else than 5xx; answers the status. */
  post(path: string): Promise<number>;
  /** Resolves when a journal line of this run is there. */
  noted(what: string, nodeId: string): Promise<void>;
  /** Resolves when the run's row is so. */
  row(predicate: (run: { readonly status: string; readonly held: boolean }) => boolean): Promise<void>;
}

export interface Scenario {
  readonly name: string;
  readonly plan: unknown;
  /** What happens between start and end; resolves when the user has nothing left to do. */
  readonly act?: (user: User) => Promise<void>;
  /** Nodes that the user cuts short: how often they ran depends on when, at most once is what counts. */
  readonly cut?: readonly string[];
  /** Nodes whose result says when it was made: it must be there, its digest differs. */
  readonly timed?: readonly string[];
}

const cancel: Scenario = {
  name: 'cancel',
  plan: {
    nodes: [
      { id: 'a', tool: 'test.count', args: { value: 1 } },
      { id: 's', tool: 'test.slow', dependsOn: ['a'], args: { ms: 60_000, value: 2 } },
      { id: 'z', tool: 'test.count', dependsOn: ['s'], args: { value: 3 } },
    ],
  },
  cut: ['s'],
  act: async (user) => {
    await user.noted('slow.begin', 's');
    await user.post('cancel');
  },
};

/** Suspended while `s` is at work: it ends, nothing after it starts until the run is resumed. */
const suspend: Scenario = {
  name: 'suspend',
  plan: {
    nodes: [
      { id: 's', tool: 'test.slow', args: { ms: 1_600, value: 2 } },
      ...CHAIN.nodes.map((node, i) => (i === 0 ? { ...node, dependsOn: ['s'] } : node)),
    ],
  },
  act: async (user) => {
    await user.noted('slow.begin', 's');
    await user.post('suspend');
    await user.row((run) => run.held);
    await user.post('resume');
  },
};

export const SCENARIOS: readonly Scenario[] = [
  { name: 'diamond', plan: DIAMOND },
  cancel,
  { name: 'inline', plan: INLINE },
  { name: 'lanes', plan: LANES },
  { name: 'waits', plan: waits(1_500), timed: ['w'] },
  { name: 'job', plan: JOB },
  suspend,
];
