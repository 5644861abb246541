import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDigest } from '../../../src/plan/digest.ts';
import {
  ancestors,
  buildGraph,
  criticalPath,
  findCycle,
  topologicalOrder,
  transitiveReduction,
  type Graph,
} from '../../../src/plan/graph.ts';
import { applyPatch } from '../../../src/plan/patch.ts';
import { parsePlan } from '../../../src/plan/schema.ts';
import type { JsonValue, Plan } from '../../../src/plan/types.ts';

/** Acyclic graphs: edges only from a later to an earlier node of a random order. */
const acyclic = fc
  .tuple(
    fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/), { minLength: 1, maxLength: 25 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 80 }),
  )
  .map(([ids, pairs]) => ({
    ids,
    edges: pairs.flatMap(([a, b]) => {
      const [low, high] = [Math.min(a % ids.length, b % ids.length), Math.max(a % ids.length, b % ids.length)];
      return low === high ? [] : [{ node: ids[high] ?? '', after: ids[low] ?? '' }];
    }),
  }));

const any = fc
  .tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 11 })), { maxLength: 30 }),
  )
  .map(([size, pairs]) =>
    buildGraph(
      Array.from({ length: size }, (_, i) => `n${i}`),
      pairs.filter(([a, b]) => a !== b).map(([a, b]) => ({ node: `n${a}`, after: `n${b}` })),
    ),
  );

const reach = (graph: Graph): Map<string, string[]> =>
  new Map([...graph.keys()].sort().map((id) => [id, [...ancestors(graph, id)].sort()]));

describe('graphs', () => {
  it('every node comes after all its dependencies', () => {
    fc.assert(
      fc.property(acyclic, ({ ids, edges }) => {
        const order = topologicalOrder(buildGraph(ids, edges));
        expect([...order].sort()).toEqual([...ids].sort());
        const at = new Map(order.map((id, i) => [id, i]));
        expect(edges.every(({ node, after }) => (at.get(node) ?? 0) > (at.get(after) ?? 0))).toBe(true);
      }),
    );
  });

  it('the order of input never shows', () => {
    fc.assert(
      fc.property(
        acyclic.chain((g) =>
          fc.tuple(
            fc.constant(g),
            fc.shuffledSubarray(g.ids, { minLength: g.ids.length }),
            fc.shuffledSubarray(g.edges, { minLength: g.edges.length }),
          ),
        ),
        ([g, ids, edges]) => {
          const [one, other] = [buildGraph(g.ids, g.edges), buildGraph(ids, edges)];
          expect(topologicalOrder(other)).toEqual(topologicalOrder(one));
          expect(criticalPath(other, (id) => id.length)).toEqual(criticalPath(one, (id) => id.length));
          expect([...transitiveReduction(other)].sort()).toEqual([...transitiveReduction(one)].sort());
        },
      ),
    );
  });

  it('a cycle is a cycle, and there is one exactly when the order is incomplete', () => {
    fc.assert(
      fc.property(any, (graph) => {
        const cycle = findCycle(graph);
        expect(cycle === undefined).toBe(topologicalOrder(graph).length === graph.size);
        if (cycle === undefined) return;
        expect(cycle[0]).toBe(cycle.at(-1));
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        for (let i = 0; i + 1 < cycle.length; i += 1)
          expect(graph.get(cycle[i] ?? '')?.has(cycle[i + 1] ?? '')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('a reduction reaches the same with edges none of which can go', () => {
    fc.assert(
      fc.property(acyclic, ({ ids, edges }) => {
        const graph = buildGraph(ids, edges);
        const reduced = new Map([...transitiveReduction(graph)].map(([id, after]) => [id, new Set(after)]));
        expect(reach(reduced)).toEqual(reach(graph));
        for (const [id, after] of reduced) {
          for (const one of after) {
            const without = new Map(reduced).set(id, new Set([...after].filter((other) => other !== one)));
            expect(ancestors(without, id).has(one)).toBe(false);
          }
        }
      }),
    );
  });

  it('adding an edge never shortens the critical path', () => {
    fc.assert(
      fc.property(acyclic, ({ ids, edges }) => {
        const weight = (id: string): number => id.charCodeAt(0);
        const some = criticalPath(buildGraph(ids, edges.slice(0, edges.length / 2)), weight).length;
        expect(criticalPath(buildGraph(ids, edges), weight).length).toBeGreaterThanOrEqual(some);
      }),
    );
  });
});

describe('digest and patch', () => {
  const planOf = (nodes: unknown[]): Plan => {
    const parsed = parsePlan({ nodes });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
    return parsed.plan;
  };

  it('shuffling nodes and dependencies changes nothing', () => {
    const shuffled = acyclic.chain(({ ids, edges }) => {
      const nodes = ids.map((id) => ({
        id,
        tool: 't.t',
        dependsOn: edges.filter(({ node }) => node === id).map(({ after }) => after),
      }));
      return fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length }));
    });
    fc.assert(
      fc.property(shuffled, ([nodes, other]) => {
        const turned = other.map((node) => ({ ...node, dependsOn: [...node.dependsOn, ...node.dependsOn].reverse() }));
        expect(planDigest(planOf(turned))).toBe(planDigest(planOf(nodes)));
      }),
    );
  });

  it('a patch changes the copy alone, and adding then removing is nothing', () => {
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(
        object,
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue({ maxDepth: 2 }),
        (document, key, value) => {
          fc.pre(!Object.hasOwn(document, key));
          const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          const before = JSON.stringify(document);
          const result = applyPatch(document as JsonValue, [
            { op: 'add', path, value: value as JsonValue },
            { op: 'remove', path },
          ]);
          expect(result).toEqual({ ok: true, value: document });
          expect(JSON.stringify(document)).toBe(before);
        },
      ),
    );
  });
});
