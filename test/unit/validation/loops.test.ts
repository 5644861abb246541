import { describe, expect, it } from 'vitest';
import { accepted as accept, brief, refused as refuse } from '../../support/catalog/context.ts';
import { loopCatalog } from '../../support/catalog/loopTools.ts';
import type { ValidationContext } from '../../../src/validation/context.ts';

const withLoops = (changes: Partial<ValidationContext> = {}) => ({ catalog: loopCatalog, ...changes });
const accepted = (nodes: unknown[], more: object = {}, changes: Partial<ValidationContext> = {}) =>
  accept({ nodes, ...more }, withLoops(changes));
const refused = (nodes: unknown[], more: object = {}, changes: Partial<ValidationContext> = {}) =>
  refuse({ nodes, ...more }, withLoops(changes));
const list = { id: 'list', tool: 'test.items' };
const over = (items: unknown, maxItems = 10) => ({ forEach: { items, maxItems } });
const value = (id: string, args: object, more: object = {}) => ({ id, tool: 'test.value', args, ...more });
const fromList = over({ ref: 'list.items' });

describe('what a loop runs over', () => {
  it.each([
    [[1, 2]],
    [[]],
    [{ ref: '$inputs.list' }],
    [{ ref: '$inputs.deep.list' }],
    [{ ref: 'list.items' }],
    [{ ref: 'open.out' }],
    [{ ref: 'open.out.rows.0' }],
    [{ literal: [{ ref: 'list.items' }] }],
  ])('takes %j', (items) => {
    const nodes = [list, value('open', { n: 1 }), value('a', { n: 1 }, over(items))];
    const { findings } = accepted(nodes, { inputs: { list: [1], deep: { list: [1] } } });
    expect(findings.filter(({ code }) => code !== 'UNDECLARED_DEPENDENCY')).toEqual([]);
  });

  it.each<[unknown, string]>([
    [5, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    ['text', 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [null, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ a: 1 }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: '$inputs.x' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: '$inputs.declared' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: '$inputs.deep.gone' }, 'UNKNOWN_OUTPUT_PATH /nodes/2/forEach/items/ref'],
    [{ ref: 'list.total' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: 'list.refs' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: 'list.items.0' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: 't.raster' }, 'TYPE_MISMATCH /nodes/2/forEach/items'],
    [{ ref: 'list.itms' }, 'UNKNOWN_OUTPUT /nodes/2/forEach/items/ref'],
    [{ ref: 'a.out' }, 'SELF_DEPENDENCY /nodes/2/forEach/items/ref'],
    [{ ref: '$item' }, 'ITEM_OUTSIDE_FOREACH /nodes/2/forEach/items/ref'],
    [{ ref: '$output.out' }, 'INVALID_ARGUMENT /nodes/2/forEach/items/ref'],
    [[{ ref: '$index' }], 'ITEM_OUTSIDE_FOREACH /nodes/2/forEach/items/0/ref'],
  ])('refuses %j', (items, finding) => {
    const nodes = [list, { id: 't', tool: 'gis.loadTerrain' }, value('a', { n: 1 }, over(items))];
    const inputs = { x: 5, declared: { type: 'number' }, deep: {} };
    const errors = refused(nodes, { inputs }).filter(({ severity }) => severity === 'error');
    expect(brief(errors)).toEqual([finding]);
  });

  it('bounds one loop, known arrays, and all loops together', () => {
    expect(brief(refused([value('a', { n: 1 }, over([], 10_001))]))).toEqual([
      'FANOUT_LIMIT /nodes/0/forEach/maxItems',
    ]);
    expect(brief(refused([value('a', { n: 1 }, over([1, 2, 3], 2))]))).toEqual(['FANOUT_LIMIT /nodes/0/forEach/items']);
    const many = { inputs: { list: [1, 2, 3] } };
    expect(brief(refused([value('a', { n: 1 }, over({ ref: '$inputs.list' }, 2))], many))).toEqual([
      'FANOUT_LIMIT /nodes/0/forEach/items',
    ]);
    const loops = (n: number) => [
      list,
      ...Array.from({ length: n }, (_, i) =>
        value(`a${i}`, { n: 1 }, { ...over({ ref: 'list.items' }, 10_000), dependsOn: ['list'] }),
      ),
    ];
    const limits = { maxNodes: 200, maxParallelNodes: 8, maxDeadlineSeconds: 1e6, maxCostCents: 1e6 };
    expect(accepted(loops(2), {}, { limits }).ok).toBe(true);
    const errors = refused(loops(3), {}, { limits }).filter(({ severity }) => severity === 'error');
    expect(brief(errors)).toEqual(['FANOUT_LIMIT /nodes']);
  });

  it('takes the items of the request before those of the plan', () => {
    const nodes = [value('a', { n: { ref: '$item' } }, over({ ref: '$inputs.list' }, 2))];
    const more = { inputs: { list: [1] } };
    expect(accepted(nodes, more, { inputs: { list: [5, 6] } }).ok).toBe(true);
    expect(brief(refused(nodes, more, { inputs: { list: [1, 2, 3] } }))).toEqual([
      'FANOUT_LIMIT /nodes/0/forEach/items',
    ]);
    expect(brief(refused(nodes, more, { inputs: { list: ['x'] } }))).toEqual(['INVALID_ARGUMENT /nodes/0/args/n']);
  });
});

describe('the item', () => {
  it('outside a loop has no meaning, wherever it stands', () => {
    const errors = refused(
      [
        value(
          'a',
          { n: { ref: '$item' }, any: { ref: '$index' } },
          { when: { op: 'eq', left: { ref: '$item.x' }, right: 1 } },
        ),
      ],
      {
        outputs: { x: { ref: '$item' } },
      },
    );
    expect(brief(errors)).toEqual([
      'ITEM_OUTSIDE_FOREACH /nodes/0/args/any/ref',
      'ITEM_OUTSIDE_FOREACH /nodes/0/args/n/ref',
      'ITEM_OUTSIDE_FOREACH /nodes/0/when/left/ref',
      'ITEM_OUTSIDE_FOREACH /outputs/x/ref',
    ]);
  });

  it('has the type of the elements: a path goes through the schema of the node that lists them', () => {
    const dep = { ...fromList, dependsOn: ['list'] };
    const good = value('a', { n: { ref: '$item.n' }, label: { ref: '$item.id' }, any: { ref: '$item.deep.mm' } }, dep);
    expect(accepted([list, good]).findings).toEqual([]);
    expect(brief(refused([list, value('a', { n: { ref: '$item.id' } }, dep)]))).toEqual([
      'TYPE_MISMATCH /nodes/1/args/n',
    ]);
    expect(brief(refused([list, value('a', { n: { ref: '$item.m' } }, dep)]))).toEqual([
      'UNKNOWN_OUTPUT_PATH /nodes/1/args/n/ref',
    ]);
    expect(brief(refused([list, value('a', { n: { ref: '$item.deep.cm' } }, dep)]))).toEqual([
      'UNKNOWN_OUTPUT_PATH /nodes/1/args/n/ref',
    ]);
    expect(brief(refused([list, value('a', { n: 1, label: { ref: '$index' } }, dep)]))).toEqual([
      'TYPE_MISMATCH /nodes/1/args/label',
    ]);
  });

  it('known items are held against the tool one by one, and the first at fault is named', () => {
    const items = [{ n: 1 }, { n: 2000 }, { n: 'x' }];
    const [finding, ...others] = refused([value('a', { n: { ref: '$item.n' } }, over(items))]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'INVALID_ARGUMENT', path: '/nodes/0/args/n' });
    expect(finding?.message).toMatch(/^item 1: /);
    expect(brief(refused([value('a', { n: { ref: '$item.n' } }, over([{ n: 1 }, {}]))]))).toEqual([
      'UNKNOWN_OUTPUT_PATH /nodes/0/args/n/ref',
    ]);
    expect(accepted([value('a', { n: { ref: '$item.n', default: 3 } }, over([{ n: 1 }, {}]))]).ok).toBe(true);
    expect(brief(refused([value('a', { n: { ref: '$item.n', default: 'x' } }, over([{ n: 1 }, {}]))]))).toEqual([
      'INVALID_ARGUMENT /nodes/0/args/n',
    ]);
  });

  it('names a source only where the plan says all items', () => {
    const sha = 'a'.repeat(64);
    const uploads = new Map([[sha, { mediaType: 'text/csv', name: 'x.csv' }]]);
    const read = (items: unknown) => ({
      id: 'r',
      tool: 'gis.readRainfall',
      args: { source: { upload: { ref: '$item.sha' } } },
      dependsOn: ['list'],
      ...over(items),
    });
    expect(accepted([list, read([{ sha }])], {}, { uploads }).ok).toBe(true);
    const foreign = refused([list, read([{ sha }, { sha: 'b'.repeat(64) }])], {}, { uploads });
    expect(brief(foreign)).toEqual(['INVALID_ARGUMENT /nodes/1/args/source']);
    expect(foreign[0]?.message).toContain('item 1: there is no upload');
    const hidden = { ...read({ ref: 'list.items' }), args: { source: { ref: '$item.id' } } };
    expect(brief(refused([list, hidden]))).toEqual(['INVALID_ARGUMENT /nodes/1/args/source']);
    expect(
      brief(refused([list, { ...read([{ sha: 'http://evil' }]), args: { source: { ref: '$item.sha' } } }])),
    ).toContain('ENDPOINT_IN_PLAN /nodes/1/forEach/items/0/sha');
  });

  it('is no output: a port refuses it', () => {
    const slope = { id: 's', tool: 'gis.slope', args: { terrain: { ref: '$item' } }, ...over([1]) };
    expect(brief(refused([slope]))).toEqual(['TYPE_MISMATCH /nodes/0/args/terrain']);
  });
});

describe('between loops', () => {
  const chain = (items: unknown, other: unknown = items) => [
    list,
    value('a', { n: 1 }, { ...over(items), dependsOn: ['list'] }),
    value('b', { n: { ref: 'a.value' } }, { ...over(other), dependsOn: ['list', 'a'] }),
  ];

  it('over the same items a reference means the same item, from anywhere else an array', () => {
    expect(accepted(chain({ ref: 'list.items' })).findings).toEqual([]);
    expect(accepted(chain([1, { a: 1, b: 2 }], [1, { b: 2, a: 1 }])).ok).toBe(true);
    expect(brief(refused(chain([1], [2])))).toEqual(['TYPE_MISMATCH /nodes/2/args/n']);
    const outside = value('c', { n: 1, any: { ref: 'a.value.0' } }, { dependsOn: ['a'] });
    expect(accepted([...chain([1]), outside]).ok).toBe(true);
    const wrong = value('c', { n: { ref: 'a.value' } }, { dependsOn: ['a'] });
    expect(brief(refused([...chain([1]), wrong]))).toEqual(['TYPE_MISMATCH /nodes/3/args/n']);
  });

  it('gathered outputs are arrays with null, and their schema keeps its inner references', () => {
    const look = (ref: string) => value('c', { n: 1, any: { ref } }, { dependsOn: ['a'] });
    for (const ref of ['a.refs', 'a.refs.0', 'a.refs.3.inner', 'a.refs.3.inner.x'])
      expect(accepted([...chain([1]), look(ref)]).ok, ref).toBe(true);
    for (const ref of ['a.refs.inner', 'a.refs.0.outer', 'a.refs.0.inner.y', 'a.value.x'])
      expect(brief(refused([...chain([1]), look(ref)])), ref).toEqual(['UNKNOWN_OUTPUT_PATH /nodes/3/args/any/ref']);
    const sum = { id: 's', tool: 'core.aggregate', args: { items: { ref: 'a.value' }, op: 'sum' }, dependsOn: ['a'] };
    expect(accepted([...chain([1]), sum]).ok).toBe(true);
  });

  it('rasters of a loop are gathered as references to artifacts, in plan outputs too', () => {
    const terrain = { id: 't', tool: 'gis.loadTerrain', ...over([1]) };
    const look = (ref: string) => value('c', { n: 1, any: { ref } }, { dependsOn: ['t'] });
    expect(accepted([terrain, look('t.raster.0.sha256')], { outputs: { all: { ref: 't.raster' } } }).ok).toBe(true);
    expect(brief(refused([terrain, look('t.raster.0.blob')]))).toEqual(['UNKNOWN_OUTPUT_PATH /nodes/1/args/any/ref']);
  });

  it('ports are bound item by item inside a chain, and never to a gathered array unasked', () => {
    const terrain = { id: 't', tool: 'gis.loadTerrain', ...over([1, 2]) };
    const inside = { id: 's', tool: 'gis.slope', dependsOn: ['t'], ...over([1, 2]) };
    expect(accepted([terrain, inside]).bindings).toEqual([
      { nodeId: 's', port: 'terrain', ref: 't.raster', how: 'bound' },
    ]);
    const { forEach: _loop, ...outside } = inside;
    const [finding] = refused([terrain, outside]);
    expect(finding).toMatchObject({ code: 'MISSING_ARGUMENT', path: '/nodes/1/args/terrain' });
    expect(finding?.hint).toBeUndefined();
    const given = { ...outside, args: { terrain: { ref: 't.raster' } } };
    expect(brief(refused([terrain, given]))).toEqual(['TYPE_MISMATCH /nodes/1/args/terrain']);
  });

  it('what normalisation puts into a chain runs for each item too', () => {
    const rain = { id: 'rain', tool: 'gis.readRainfall', args: { hours: { ref: '$item' } }, ...over([6, 24]) };
    const surface = { id: 'surface', tool: 'gis.interpolate', dependsOn: ['rain'], ...over([6, 24]) };
    const { plan } = accepted([rain, surface]);
    expect(plan.nodes.find(({ id }) => id === 'rain-validated')).toMatchObject({
      insertedBy: 'normalise',
      dependsOn: ['rain'],
      forEach: { items: [6, 24], maxItems: 10 },
    });
  });

  it('costs count for every instance', () => {
    const { totals } = accepted([value('a', { n: 1 }, over(Array(20).fill(1), 100)), value('b', { n: 1 })]);
    expect(totals.estimatedCents).toBe(21);
    // 20 instances of 5 s by 8 at a time.
    expect(totals.criticalPathSeconds).toBe(15);
    expect(
      accepted([list, value('a', { n: 1 }, { ...over({ ref: 'list.items' }, 100), dependsOn: ['list'] })]).totals
        .estimatedCents,
    ).toBe(101);
  });
});

describe('hostile loops', () => {
  it('two hundred loops that each ask for thousands of known items twenty times are answered soon', () => {
    const items = Array.from({ length: 9000 }, (_, i) => i % 7);
    const nodes = Array.from({ length: 200 }, (_, i) =>
      value(
        `n${i}`,
        { n: { ref: '$item' }, any: Array(20).fill({ ref: '$item' }) },
        over({ ref: '$inputs.list' }, 10_000),
      ),
    );
    const started = performance.now();
    expect(brief(refused(nodes, { inputs: { list: items } }))).toContain('FANOUT_LIMIT /nodes');
    // Half a minute when every reference walks through all items; about one second now.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('no member of an item comes from a prototype', () => {
    for (const path of ['constructor', '__proto__', 'toString', 'length'])
      expect(
        brief(refused([value('a', { n: 1, any: { ref: `$item.${path}` } }, over([{ n: 1 }, [1]]))])),
        path,
      ).toEqual(['UNKNOWN_OUTPUT_PATH /nodes/0/args/any/ref']);
  });
});
