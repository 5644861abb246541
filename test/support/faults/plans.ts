/** Plans that cells and walks share; `test.count`, `test.flaky` and `test.job` mean the same in both. */

const count = (id: string, more: object = {}, value: unknown = id): object => ({
  id,
  tool: 'test.count',
  args: { value },
  ...more,
});
const ref = (name: string): object => ({ ref: name });

export const DIAMOND = {
  nodes: [
    count('a', {}, { n: 1 }),
    { id: 'b', tool: 'test.flaky', dependsOn: ['a'], args: { times: 1, value: { ref: 'a.value.n', default: 1 } } },
    count('c', { dependsOn: ['a'] }),
    count('d', {}, [ref('b.value'), ref('c.value')]),
  ],
};

const loop = (items: number): { nodes: object[] } => {
  const forEach = { items: ref('list.items'), maxItems: 100 };
  return {
    nodes: [
      { id: 'list', tool: 'test.items', args: { count: items } },
      count('p', { forEach }, ref('$item')),
      count('q', { forEach }, [ref('p.value'), ref('$index')]),
      count('sum', {}, ref('q.value')),
    ],
  };
};

/** A loop with a chain, inside the run's own history. */
export const INLINE = loop(3);

/** The same, too long for it: in lanes. */
export const LANES = loop(26);

/** A wait that outlasts a process; a condition that is false, and what needs it; a failure that is tolerated. */
export const waits = (ms: number): { nodes: object[]; limits: object } => ({
  limits: { deadlineSeconds: Math.ceil(ms / 1000) + 1_800 },
  nodes: [
    count('a', {}, { go: false }),
    { id: 'w', tool: 'test.wait', dependsOn: ['a'], args: { ms } },
    count('no', { when: { op: 'eq', left: ref('a.value.go'), right: true } }),
    count('after', { dependsOn: ['no'] }),
    {
      id: 'soft',
      tool: 'test.noop',
      dependsOn: ['a'],
      onFailure: 'continue',
      args: { fail: { code: 'EMPTY_RESULT', class: 'permanent' } },
    },
    count('needs', {}, ref('soft.value')),
    count('end', { dependsOn: ['w', 'needs', 'after'] }),
  ],
});

/** A remote job between two nodes. */
export const JOB = {
  nodes: [
    count('a'),
    { id: 'j', tool: 'test.job', dependsOn: ['a'], args: { polls: 2, afterMs: 250, value: 'made remotely' } },
    count('z', {}, ref('j.value')),
  ],
};

/** A chain: long enough to be suspended in. */
export const CHAIN = {
  nodes: [count('a'), count('b', {}, ref('a.value')), count('c', {}, ref('b.value')), count('d', {}, ref('c.value'))],
};
