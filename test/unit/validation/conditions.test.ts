import { describe, expect, it } from 'vitest';
import { accepted as accept, brief, refused as refuse } from '../../support/catalog/context.ts';
import { loopCatalog } from '../../support/catalog/loopTools.ts';

const errors = (nodes: unknown[], inputs: object = {}): string[] =>
  brief(
    refuse(
      { nodes, inputs },
      { catalog: loopCatalog, allow: { effects: ['none', 'notifies'], targets: [], egress: [] } },
    ).filter(({ severity }) => severity === 'error'),
  );
const accepted = (nodes: unknown[], inputs: object = {}) => accept({ nodes, inputs }, { catalog: loopCatalog });
const a = { id: 'a', tool: 'test.items' };
const terrain = { id: 't', tool: 'gis.loadTerrain' };
const b = (more: object) => ({ id: 'b', tool: 'test.value', args: { n: 1 }, dependsOn: ['a', 't'], ...more });
const when = (op: string, left: unknown, right?: unknown) =>
  b({ when: right === undefined ? { op, left } : { op, left, right } });
const ref = (text: string, more: object = {}) => ({ ref: text, ...more });

describe('when', () => {
  it.each([
    when('gt', ref('a.total'), 5),
    when('exists', ref('a.items.3.id')),
    when('eq', ref('a.items.0.id'), 'x'),
    when('eq', ref('a.total', { default: null }), null),
    when('in', ref('a.items.0.id'), ['x', 'y']),
    when('in', ref('a.total'), []),
    when('ge', ref('$inputs.limit'), 3),
    when('lt', ref('$inputs.open'), ref('a.total')),
    b({
      when: {
        not: {
          any: [
            { op: 'le', left: 1, right: 2 },
            { op: 'eq', left: [], right: [] },
          ],
        },
      },
    }),
  ])('accepts %j', (node) => {
    expect(accepted([a, terrain, node], { limit: 5, open: { type: 'number' } }).findings).toEqual([]);
  });

  it.each([
    [when('gt', ref('a.total'), '5'), 'TYPE_MISMATCH /nodes/2/when'],
    [when('eq', ref('a.total'), '5'), 'TYPE_MISMATCH /nodes/2/when'],
    [when('ne', ref('a.total'), null), 'TYPE_MISMATCH /nodes/2/when'],
    [when('lt', ref('a.items'), 1), 'TYPE_MISMATCH /nodes/2/when'],
    [when('lt', true, false), 'TYPE_MISMATCH /nodes/2/when'],
    [when('in', ref('a.total'), 5), 'TYPE_MISMATCH /nodes/2/when'],
    [when('in', ref('a.total'), ['1']), 'TYPE_MISMATCH /nodes/2/when'],
    [when('gt', ref('$inputs.limit'), 'x'), 'TYPE_MISMATCH /nodes/2/when'],
    [when('exists', ref('t.raster')), 'TYPE_MISMATCH /nodes/2/when/left'],
    [when('eq', ref('t.raster'), ref('t.raster')), 'TYPE_MISMATCH /nodes/2/when/left'],
    [when('gt', ref('a.items.0.m'), 1), 'UNKNOWN_OUTPUT_PATH /nodes/2/when/left/ref'],
    [when('gt', ref('c.x'), 1), 'UNKNOWN_NODE /nodes/2/when/left/ref'],
    [when('gt', ref('$inputs.none'), 1), 'UNKNOWN_INPUT /nodes/2/when/left/ref'],
    [when('gt', ref('b.value'), 1), 'SELF_DEPENDENCY /nodes/2/when/left/ref'],
    [when('gt', ref('$output.value'), 1), 'INVALID_ARGUMENT /nodes/2/when/left/ref'],
    [when('gt', ref('$item'), 1), 'ITEM_OUTSIDE_FOREACH /nodes/2/when/left/ref'],
    [when('eq', { ref: 'a.total', extra: 1 }, 1), 'INVALID_ARGUMENT /nodes/2/when/left'],
    [when('eq', 'https://evil.example/x', 'y'), 'ENDPOINT_IN_PLAN /nodes/2/when/left'],
  ])('refuses %j', (node, finding) => {
    expect(errors([a, terrain, node], { limit: 5 })).toContain(finding);
  });

  it('is an edge like any other: added with a warning, and part of cycles', () => {
    const { plan, findings } = accepted([a, { ...when('gt', ref('a.total'), 1), dependsOn: [] }]);
    expect(brief(findings)).toEqual(['UNDECLARED_DEPENDENCY /nodes/1/when/left']);
    expect(plan.nodes[1]?.dependsOn).toEqual(['a']);
    const cycle = [
      { id: 'x', tool: 'test.value', args: { n: 1 }, when: { op: 'gt', left: ref('y.value'), right: 1 } },
      { id: 'y', tool: 'test.value', args: { n: 1 }, forEach: { items: ref('z.out'), maxItems: 2 } },
      { id: 'z', tool: 'test.value', args: { n: ref('x.value') } },
    ];
    expect(errors(cycle)).toEqual(['CYCLE /nodes/0', 'TYPE_MISMATCH /nodes/0/when']);
  });
});

describe('expect', () => {
  const expecting = (predicate: unknown, more: object = {}) => b({ expect: predicate, ...more });

  it('looks at own outputs, inputs and the item, and makes no edge', () => {
    const node = { ...expecting({ op: 'lt', left: ref('$output.value'), right: ref('$inputs.limit') }), dependsOn: [] };
    expect(accepted([a, node], { limit: 5 }).plan.nodes[1]?.dependsOn).toEqual([]);
    const loop = { forEach: { items: [1, 2], maxItems: 2 } };
    expect(
      accepted([a, terrain, expecting({ op: 'ge', left: ref('$output.value'), right: ref('$item') }, loop)]).ok,
    ).toBe(true);
  });

  it.each([
    [{ op: 'lt', left: ref('$output.value'), right: 'x' }, 'TYPE_MISMATCH /nodes/2/expect/0'],
    [{ op: 'lt', left: ref('$output.values'), right: 1 }, 'UNKNOWN_OUTPUT /nodes/2/expect/0/left/ref'],
    [{ op: 'lt', left: ref('$output.value.x'), right: 1 }, 'UNKNOWN_OUTPUT_PATH /nodes/2/expect/0/left/ref'],
    [{ op: 'lt', left: ref('a.total'), right: 1 }, 'INVALID_ARGUMENT /nodes/2/expect/0/left/ref'],
    [{ op: 'lt', left: ref('b.value'), right: 1 }, 'INVALID_ARGUMENT /nodes/2/expect/0/left/ref'],
    [{ op: 'lt', left: ref('$index'), right: 1 }, 'ITEM_OUTSIDE_FOREACH /nodes/2/expect/0/left/ref'],
    [
      {
        all: [
          { op: 'eq', left: 1, right: 1 },
          { op: 'in', left: 1, right: 2 },
        ],
      },
      'TYPE_MISMATCH /nodes/2/expect/0/all/1',
    ],
  ])('refuses %j', (predicate, finding) => {
    expect(errors([a, terrain, expecting(predicate)])).toEqual([finding]);
  });

  it('refuses a raster as an operand', () => {
    const node = { ...terrain, expect: { op: 'exists', left: ref('$output.raster') } };
    expect(errors([node])).toEqual(['TYPE_MISMATCH /nodes/0/expect/0/left']);
  });
});

describe('onFailure', () => {
  it('continues only without effects', () => {
    expect(accepted([a, terrain, b({ onFailure: 'continue' })]).plan.nodes[2]?.onFailure).toBe('continue');
    const tell = { id: 'm', tool: 'test.tell', args: { text: 'x' }, onFailure: 'continue' };
    expect(errors([tell])).toEqual(['INVALID_ARGUMENT /nodes/0/onFailure']);
  });
});
