import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../src/viewer/app/patch.ts';

const plan = { nodes: [{ id: 'a', args: { x: 1 } }, { id: 'b' }] };

describe('applying a fix to the plan', () => {
  it('inserts a step and rewires a reference, and leaves the given plan alone', () => {
    const fixed = applyPatch(plan, [
      { op: 'test', path: '/nodes/0/id', value: 'a' },
      { op: 'add', path: '/nodes/1', value: { id: 'between' } },
      { op: 'replace', path: '/nodes/0/args/x', value: { ref: 'between.features' } },
    ]);
    expect(fixed).toEqual({
      nodes: [{ id: 'a', args: { x: { ref: 'between.features' } } }, { id: 'between' }, { id: 'b' }],
    });
    expect(plan.nodes).toHaveLength(2);
  });

  it('adds at the end with "-", removes, moves and copies', () => {
    const fixed = applyPatch(plan, [
      { op: 'add', path: '/nodes/-', value: { id: 'c' } },
      { op: 'copy', from: '/nodes/0/id', path: '/goal' },
      { op: 'move', from: '/nodes/1', path: '/nodes/0' },
      { op: 'remove', path: '/nodes/1/args' },
    ]);
    expect(fixed).toEqual({ nodes: [{ id: 'b' }, { id: 'a' }, { id: 'c' }], goal: 'a' });
  });

  it('reads escaped tokens', () => {
    expect(applyPatch({ 'a/b': { '~': 1 } }, [{ op: 'replace', path: '/a~1b/~0', value: 2 }])).toEqual({
      'a/b': { '~': 2 },
    });
  });

  it('refuses a place that is not there and a plan that has changed', () => {
    expect(() => applyPatch(plan, [{ op: 'remove', path: '/nodes/0/missing' }])).toThrow('/nodes/0/missing');
    expect(() => applyPatch(plan, [{ op: 'add', path: '/no/where/x', value: 1 }])).toThrow('/no/where/x');
    expect(() => applyPatch(plan, [{ op: 'test', path: '/nodes/0/id', value: 'z' }])).toThrow('changed');
    expect(() => applyPatch(plan, [{ op: 'evil', path: '/nodes' }])).toThrow('evil');
  });

  it('does not touch the prototype of anything', () => {
    const fixed = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]) as object;
    expect(Object.getPrototypeOf(fixed)).toBe(Object.prototype);
    expect(() => applyPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: true }])).toThrow();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
