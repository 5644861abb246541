import { describe, expect, it } from 'vitest';
import {
  ancestors,
  buildGraph,
  criticalPath,
  findCycle,
  topologicalOrder,
  transitiveReduction,
} from '../../../src/plan/graph.ts';

/** `a<b,c` = a waits for b and c. */
function graph(text: string): Map<string, Set<string>> {
  const parts = text.split(' ').map((part) => part.split('<'));
  const ids = parts.map(([id = '']) => id);
  const edges = parts.flatMap(([node = '', after = '']) =>
    after
      .split(',')
      .filter(Boolean)
      .map((one) => ({ node, after: one })),
  );
  return buildGraph(ids, edges);
}

describe('order', () => {
  it('puts dependencies first and the smallest ready id next', () => {
    expect(topologicalOrder(graph('d<b,c c<a b<a a'))).toEqual(['a', 'b', 'c', 'd']);
    expect(topologicalOrder(graph('z a<z m'))).toEqual(['m', 'z', 'a']);
  });

  it('O-34 keeps nodes called like built-in properties', () => {
    expect(topologicalOrder(graph('valueOf<toString toString<constructor constructor'))).toEqual([
      'constructor',
      'toString',
      'valueOf',
    ]);
  });

  it('leaves out what lies on or behind a cycle', () => {
    expect(topologicalOrder(graph('a b<c c<b d<c e<a'))).toEqual(['a', 'e']);
  });
});

describe('cycles', () => {
  it.each([
    ['a<b b<a', ['a', 'b', 'a']],
    ['x a<b b<c c<a d<a', ['a', 'b', 'c', 'a']],
    ['c<d d<c a<b b<a', ['a', 'b', 'a']],
    // Two ways round: the shorter one is shown.
    ['a<b,e b<c c<d d<a e<a', ['a', 'e', 'a']],
  ])('shows the whole path in %s', (text, path) => {
    expect(findCycle(graph(text))).toEqual(path);
  });

  it('does not blame a node that only waits for the cycle', () => {
    expect(findCycle(graph('a<m m<n n<m'))).toEqual(['m', 'n', 'm']);
  });

  it('finds none in a diamond ladder of 12 levels', () => {
    const rungs = Array.from({ length: 12 }, (_, i) => {
      const [from, to] = [`s${i}`, `s${i + 1}`];
      return `l${i}<${from} r${i}<${from} ${to}<l${i},r${i}`;
    });
    const ladder = graph(['s0', ...rungs].join(' '));
    expect(findCycle(ladder)).toBeUndefined();
    expect(ancestors(ladder, 's12').size).toBe(36);
  });
});

describe('reduction and critical path', () => {
  it('drops edges that others imply and no more', () => {
    const reduced = transitiveReduction(graph('a b<a c<a,b d<a,b,c e<a'));
    expect(Object.fromEntries(reduced)).toEqual({ a: [], b: ['a'], c: ['b'], d: ['c'], e: ['a'] });
  });

  it('adds weights along the longest chain', () => {
    const weights: Record<string, number> = { a: 1, b: 5, c: 2, d: 1 };
    expect(criticalPath(graph('a b<a c<a d<b,c'), (id) => weights[id] ?? 0)).toEqual({
      length: 7,
      ids: ['a', 'b', 'd'],
    });
    expect(criticalPath(graph('a'), () => 3)).toEqual({ length: 3, ids: ['a'] });
    expect(criticalPath(new Map(), () => 1)).toEqual({ length: 0, ids: [] });
  });

  it('does not recurse: a chain of 50 000 nodes', () => {
    const ids = Array.from({ length: 50_000 }, (_, i) => `n${i}`);
    const edges = ids.slice(1).map((node, i) => ({ node, after: `n${i}` }));
    const chain = buildGraph(ids, edges);
    expect(topologicalOrder(chain)).toHaveLength(50_000);
    expect(ancestors(chain, 'n49999').size).toBe(49_999);
    expect(criticalPath(chain, () => 1).length).toBe(50_000);
  });

  it('ignores edges to ids that do not exist', () => {
    expect([
      ...(buildGraph(
        ['a'],
        [
          { node: 'a', after: 'ghost' },
          { node: 'ghost', after: 'a' },
        ],
      ).get('a') ?? []),
    ]).toEqual([]);
  });
});
