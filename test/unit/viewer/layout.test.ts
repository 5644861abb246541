import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutSteps, type Step } from '../../../src/viewer/app/layout.ts';

const step = (id: string, ...dependsOn: string[]): Step => ({ id, dependsOn });

/** Random acyclic plans: each step may need any earlier one. */
const plans = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 })
  .map((needs) => needs.map((list, i) => step(`n${i}`, ...list.filter((j) => j < i).map((j) => `n${j}`))));

describe('layout of the plan drawing', () => {
  it('puts a source beside the step that needs it, not at the far left', () => {
    const { places } = layoutSteps([step('rain'), step('valid', 'rain'), step('surface', 'valid'), step('assets'), step('over', 'surface', 'assets')]); // prettier-ignore
    expect(places.get('assets')?.layer).toBe(2);
    expect(places.get('rain')?.layer).toBe(0);
    expect(places.get('over')?.layer).toBe(3);
  });

  it('draws every arrow from left to right and gives every step its own place', () => {
    fc.assert(
      fc.property(plans, (steps) => {
        const { places, edges, rows, layers } = layoutSteps(steps);
        expect(places.size).toBe(steps.length);
        for (const { from, to } of edges) expect(places.get(from)!.layer).toBeLessThan(places.get(to)!.layer);
        expect(new Set([...places.values()].map(({ layer, row }) => `${layer}/${row}`)).size).toBe(steps.length);
        for (const { layer, row } of places.values()) {
          expect(layer).toBeLessThan(layers);
          expect(row).toBeLessThan(rows);
        }
      }),
    );
  });

  it('gives the same drawing whatever the order of the list', () => {
    fc.assert(
      fc.property(plans, (steps) => {
        const sorted = (list: readonly Step[]): unknown => [...layoutSteps(list).places.values()].sort((a, b) => (a.id < b.id ? -1 : 1)); // prettier-ignore
        expect(sorted([...steps].reverse())).toEqual(sorted(steps));
      }),
    );
  });

  it('ends on a cycle, on unknown steps and on names of object members', () => {
    const { places, edges } = layoutSteps([step('a', 'b'), step('b', 'a'), step('constructor', 'missing'), step('__proto__', 'constructor')]); // prettier-ignore
    expect([...places.keys()].sort()).toEqual(['__proto__', 'a', 'b', 'constructor']);
    expect(edges).toContainEqual({ from: 'constructor', to: '__proto__' });
    expect(edges.some(({ from }) => from === 'missing')).toBe(false);
  });

  it('draws nothing for an empty plan', () => {
    expect(layoutSteps([])).toMatchObject({ layers: 0, rows: 0, edges: [] });
  });
});
