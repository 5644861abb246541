/** What the cells run: small plans over the test tools, and what a user does meanwhile. */

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
}

const diamond: Scenario = {
  name: 'diamond',
  plan: {
    nodes: [
      { id: 'a', tool: 'test.count', args: { value: { n: 1 } } },
      { id: 'b', tool: 'test.flaky', dependsOn: ['a'], args: { times: 1, value: { ref: 'a.value.n', default: 1 } } },
      { id: 'c', tool: 'test.count', dependsOn: ['a'], args: { value: 3 } },
      { id: 'd', tool: 'test.count', args: { value: [{ ref: 'b.value' }, { ref: 'c.value' }] } },
    ],
  },
};

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

export const SCENARIOS: readonly Scenario[] = [diamond, cancel];
