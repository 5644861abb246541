import { describe, expect, it } from 'vitest';
import { gatheredType, isValueKind } from '../../../src/catalog/gathered.ts';
import {
  evaluateWhen,
  ownValuesOfExpect,
  unmetExpectation,
  valuesOfItems,
  valuesOfWhen,
} from '../../../src/plan/conditions.ts';
import { refusedItem } from '../../../src/plan/expansion.ts';
import { forEachGroups, resolveItems } from '../../../src/plan/forEach.ts';
import { buildGraph } from '../../../src/plan/graph.ts';
import { isItemWise, itemsKey } from '../../../src/plan/itemWise.ts';
import { resolveArguments, valuesNeeded } from '../../../src/plan/resolveArguments.ts';
import { forItem, scopeOf } from '../../../src/plan/resolveReference.ts';
import type { JsonValue, PlanNode } from '../../../src/plan/types.ts';
import { loopCatalog } from '../../support/catalog/loopTools.ts';

const ref = (text: string, more: object = {}): JsonValue => ({ ref: text, ...more });
const loop = (
  id: string,
  items: JsonValue,
  args: Record<string, JsonValue> = {},
  more: Partial<PlanNode> = {},
): PlanNode => ({
  id,
  tool: 'test.value',
  dependsOn: [],
  args,
  forEach: { items, maxItems: 5 },
  ...more,
});
const tool = (name: string) => {
  const found = loopCatalog.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};
const value = tool('test.value');
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (error) {
    const { code, class: kind } = error as { code: string; class: string };
    return `${code} ${kind}`;
  }
};

describe('the same items', () => {
  it('are canonically equal items, of two different loops', () => {
    const a = loop('a', [{ x: 1, y: 2 }]);
    expect(isItemWise(loop('b', [{ y: 2, x: 1 }]), a)).toBe(true);
    expect(isItemWise(loop('b', [{ y: 2, x: 2 }]), a)).toBe(false);
    expect(isItemWise(a, a)).toBe(false);
    const { forEach: _none, ...plain } = loop('p', []);
    expect(isItemWise(plain, plain)).toBe(false);
    expect(itemsKey(plain)).toBeUndefined();
    expect(isItemWise(loop('b', ref('l.items')), loop('c', ref('l.items', { default: [] })))).toBe(false);
  });
});

describe('groups', () => {
  const groups = (nodes: PlanNode[], edges: [string, string][]) =>
    forEachGroups(
      nodes,
      buildGraph(
        nodes.map(({ id }) => id),
        edges.map(([node, after]) => ({ node, after })),
      ),
    ).map(({ members }) => members.join(' '));
  const [a, b, c] = [loop('a', [1]), loop('b', [1]), loop('c', [1])];
  const x: PlanNode = { id: 'x', tool: 'test.value', dependsOn: [], args: {} };

  it('follow a chain and a diamond, whatever is implied by the chain', () => {
    expect(groups([a, b, c], [['b', 'a'], ['c', 'b'], ['c', 'a']])).toEqual(['a b c']); // prettier-ignore
    expect(groups([a, b, c, loop('d', [1])], [['b', 'a'], ['c', 'a'], ['d', 'b'], ['d', 'c']])).toEqual(['a b c d']); // prettier-ignore
    // The list of items is an edge of every member, and implied for all but the head.
    expect(groups([x, a, b], [['a', 'x'], ['b', 'x'], ['b', 'a']])).toEqual(['a b']); // prettier-ignore
  });

  it('end at any node from outside, at other items, and at nodes without edges', () => {
    expect(groups([a, b, x], [['b', 'a'], ['b', 'x']])).toEqual(['a', 'b']); // prettier-ignore
    expect(groups([a, x, b], [['x', 'a'], ['b', 'x'], ['b', 'a']])).toEqual(['a', 'b']); // prettier-ignore
    expect(groups([a, loop('b', [2])], [['b', 'a']])).toEqual(['a', 'b']);
    expect(groups([a, b], [])).toEqual(['a', 'b']);
    // Two heads over the same items do not become one group behind both.
    expect(groups([a, b, c], [['c', 'a'], ['c', 'b']])).toEqual(['a', 'b', 'c']); // prettier-ignore
  });

  it('take the smallest maxItems', () => {
    const wide = loop('b', [1], {}, { forEach: { items: [1], maxItems: 3 } });
    const graph = buildGraph(['a', 'b'], [{ node: 'b', after: 'a' }]);
    expect(forEachGroups([a, wide], graph)).toEqual([{ members: ['a', 'b'], maxItems: 3 }]);
  });
});

describe('items', () => {
  const items = (from: JsonValue, lookup?: JsonValue, inputs: Record<string, JsonValue> = {}) =>
    resolveItems(scopeOf({ inputs, nodes: [] }, loop('a', from), () => lookup));

  it('are a literal, an input, an output, or a list made of them', () => {
    expect(items([1, 2])).toEqual([1, 2]);
    expect(items(ref('$inputs.list'), undefined, { list: [3] })).toEqual([3]);
    expect(items(ref('l.out.rows'), { rows: [{ ref: 'data.stays' }] })).toEqual([{ ref: 'data.stays' }]);
    expect(items([ref('l.out.rows'), 5], { rows: 4 })).toEqual([4, 5]);
    expect(items(ref('l.out.gone', { default: [] }), {})).toEqual([]);
  });

  it.each<[JsonValue, JsonValue | undefined, string]>([
    [ref('l.out'), { length: 3 }, 'INVALID_ARGUMENT unexpected'],
    [ref('l.out'), null, 'INVALID_ARGUMENT unexpected'],
    [ref('l.out'), 'abc', 'INVALID_ARGUMENT unexpected'],
    [ref('l.out'), [1, 2, 3, 4, 5, 6], 'INVALID_ARGUMENT unexpected'],
    [ref('l.out.rows'), {}, 'INVALID_ARGUMENT unexpected'],
    [ref('l.out'), undefined, 'UPSTREAM_NOT_COMPLETED permanent'],
    [ref('$item'), [1], 'STATE_INVALID permanent'],
  ])('%j of %j: %s', (from, lookup, code) => {
    expect(codeOf(() => items(from, lookup))).toBe(code);
  });
});

describe('references of an item', () => {
  const a = loop('a', [10, 20]);
  const b = loop('b', [10, 20], {
    n: ref('a.value'),
    any: [ref('$item'), ref('$index'), ref('other.value'), ref('plain.out.x')],
  });
  const other = loop('other', [1, 2]);
  const plan = { inputs: {}, nodes: [a, b, other] };

  it('mean the same item of a loop over the same items, and the whole of anything else', () => {
    expect(valuesNeeded(b, value, { nodes: plan.nodes, index: 1 })).toEqual([
      { nodeId: 'a', output: 'value', item: 1 },
      { nodeId: 'other', output: 'value' },
      { nodeId: 'plain', output: 'out' },
    ]);
    const lookup = (nodeId: string, output: string, item?: number): JsonValue | undefined =>
      new Map<string, JsonValue>([
        ['a.value.1', 7],
        ['other.value.', [1, null]],
        ['plain.out.', { x: 'y' }],
      ]).get(`${nodeId}.${output}.${item ?? ''}`);
    const { args } = resolveArguments(plan, b, value, lookup, { index: 1, value: 20 });
    expect(args).toEqual({ n: 7, any: [20, 1, [1, null], 'y'] });
    expect(codeOf(() => resolveArguments(plan, b, value, lookup, { index: 0, value: 10 }))).toBe(
      'UPSTREAM_NOT_COMPLETED permanent',
    );
  });

  it('at ports carry the item too; an optional port may be left open', () => {
    const terrain = { ...loop('t', [1]), tool: 'gis.loadTerrain' };
    const slope = { ...loop('s', [1], { terrain: ref('t.raster') }), tool: 'gis.slope' };
    const nodes = [terrain, slope];
    const { ports } = resolveArguments({ inputs: {}, nodes }, slope, tool('gis.slope'), () => undefined, {
      index: 0,
      value: 1,
    });
    expect(ports).toEqual(new Map([['terrain', { nodeId: 't', output: 'raster', item: 0 }]]));
    const args = { observations: ref('r.observations'), targets: ref('z.features', { default: null }) };
    const interpolate: PlanNode = { id: 'i', tool: 'gis.interpolate', dependsOn: [], args };
    const open = resolveArguments({ inputs: {}, nodes: [] }, interpolate, tool('gis.interpolate'), () => undefined);
    expect(open.ports.get('targets')).toEqual({ nodeId: 'z', output: 'features', optional: true });
    expect(open.ports.get('observations')).toEqual({ nodeId: 'r', output: 'observations' });
  });

  it('in conditions are named beforehand, with the item', () => {
    const when = { all: [{ op: 'gt', left: ref('a.value'), right: ref('other.value.0') } as const] };
    const node = { ...b, when, forEach: { items: ref('list.items'), maxItems: 5 } };
    const nodes = new Map([a, other].map((one) => [one.id, one]));
    expect(valuesOfWhen({ ...node, forEach: { items: [10, 20], maxItems: 2 } }, nodes, 1)).toEqual([
      { nodeId: 'a', output: 'value', item: 1 },
      { nodeId: 'other', output: 'value' },
    ]);
    expect(valuesOfItems(node)).toEqual([{ nodeId: 'list', output: 'items' }]);
    expect(evaluateWhen(scopeOf(plan, { ...node, when }, () => undefined)).outcome).toBe('absent');
    expect(evaluateWhen(scopeOf(plan, b, () => undefined)).outcome).toBe('holds');
  });
});

describe('an expansion is checked whole', () => {
  const check = (args: Record<string, JsonValue>, item: JsonValue, known: Record<string, JsonValue> = {}) => {
    const node = loop('b', ref('l.items'), args);
    const before = loop('a', ref('l.items'));
    const scope = scopeOf({ inputs: { n: 3 }, nodes: [before, node] }, node, (id, output) => known[`${id}.${output}`]);
    return refusedItem(forItem(scope, { index: 4, value: item }), value);
  };

  it('a bad item is refused with its index and argument', () => {
    expect(check({ n: ref('$item.n') }, { n: 1 })).toBeUndefined();
    expect(check({ n: ref('$item.n') }, { n: 'x' })?.message).toMatch(
      /^item 4 of b: the argument n is not what test.value takes/,
    );
    expect(check({ n: ref('$item.n') }, { n: 1001 })).toMatchObject({ code: 'INVALID_ARGUMENT', class: 'unexpected' });
    expect(check({ n: ref('$item.n') }, {})?.message).toContain('$item.n has no value');
    expect(check({ n: ref('$item.n', { default: 2 }) }, {})).toBeUndefined();
  });

  it('what only the chain will bring is left open, and the rest is still checked', () => {
    expect(check({ n: ref('a.value') }, 1)).toBeUndefined();
    // Its default is for the case that it never comes.
    expect(check({ n: ref('a.value', { default: 'x' }) }, 1)).toBeUndefined();
    expect(check({ n: ref('a.value'), label: ref('$item') }, 1)?.message).toContain('the argument label');
    expect(check({ n: ref('out.value') }, 1, { 'out.value': 'x' })?.message).toContain('the argument n');
    expect(check({ n: ref('out.value.gone') }, 1, { 'out.value': 1 })?.message).toContain('has no value');
  });

  it('of 10 000 items takes a moment', () => {
    const node = loop('b', ref('l.items'), { n: ref('$item.n'), label: 'x' });
    const scope = scopeOf({ inputs: {}, nodes: [node] }, node, () => undefined);
    const started = performance.now();
    for (let index = 0; index < 10_000; index += 1)
      expect(refusedItem(forItem(scope, { index, value: { n: 1 } }), value)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('expectations', () => {
  const node: PlanNode = {
    ...loop('a', [1]),
    expect: [
      { op: 'exists', left: ref('$output.value') },
      { op: 'lt', left: ref('$output.value'), right: ref('$item') },
    ],
  };
  const scope = forItem(
    scopeOf({ inputs: {}, nodes: [node] }, node, () => undefined),
    { index: 0, value: 5 },
  );
  const unmet = (own: Record<string, JsonValue>) => unmetExpectation(scope, new Map(Object.entries(own)));

  it('name the first that is not met, with the values', () => {
    expect(ownValuesOfExpect(node)).toEqual(['value']);
    expect(unmet({ value: 4 })).toBeUndefined();
    expect(unmet({ value: 5 })).toMatchObject({
      code: 'CHECK_FAILED',
      class: 'unexpected',
      message: 'expect[1] is not met: not so: $output.value (5) is below $item (5)',
    });
    expect(unmet({})?.message).toBe('expect[0] is not met: $output.value has no value');
    expect(unmet({ value: 'x' })?.message).toContain('two numbers or two texts');
  });
});

describe('gathered types', () => {
  it('carry values of JSON kinds and references to all others', () => {
    expect(gatheredType({ kind: 'number', unit: 'mm' })).toEqual({
      kind: 'json',
      schema: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
    });
    expect(['json', 'number', 'time'].every((kind) => isValueKind({ kind } as never))).toBe(true);
    expect(isValueKind({ kind: 'report' })).toBe(false);
  });
});
