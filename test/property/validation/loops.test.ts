import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateWhen, unmetExpectation, valuesOfItems, valuesOfWhen } from '../../../src/plan/conditions.ts';
import { refusedItem } from '../../../src/plan/expansion.ts';
import { resolveItems } from '../../../src/plan/forEach.ts';
import { topologicalOrder, buildGraph } from '../../../src/plan/graph.ts';
import { isItemWise } from '../../../src/plan/itemWise.ts';
import { resolveInScope, valuesNeeded } from '../../../src/plan/resolveArguments.ts';
import { forItem, scopeOf, type OutputRef, type Scope } from '../../../src/plan/resolveReference.ts';
import type { JsonValue, Plan, PlanNode } from '../../../src/plan/types.ts';
import { compileSchedule } from '../../../src/validation/compile.ts';
import { edgesOf } from '../../../src/validation/edges.ts';
import { validatePlan } from '../../../src/validation/validate.ts';
import { contextWith } from '../../support/catalog/context.ts';
import { loopCatalog } from '../../support/catalog/loopTools.ts';

const context = contextWith({ catalog: loopCatalog });
const ids = ['a', 'b', 'c', 'd', 'e'];
const refs = [
  'a.items', 'a.total', 'a.items.0.n', 'a.items.0.id', 'b.value', 'c.value', 'd.value', 'e.value', 'b.value.0', 'c.refs',
  'c.refs.1.inner.x', '$inputs.list', '$inputs.n', '$item', '$item.n', '$item.id', '$index', '$output.value', '$output.refs.inner',
  'z.value', '__proto__.x', 'constructor.y', '$inputs.gone', 'a.items.9999999999.n',
]; // prettier-ignore
const reference: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...refs).map((ref) => ({ ref })) },
  fc
    .tuple(fc.constantFrom(...refs), fc.constantFrom<JsonValue>(1, null, 'x'))
    .map(([ref, value]) => ({ ref, default: value })),
);
const operand = fc.oneof(
  reference,
  fc.constantFrom<JsonValue>(1, 'x', null, true, [1, 2], { literal: { ref: 'a.b' } }),
);
const { predicate } = fc.letrec<{ predicate: JsonValue }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      op: fc.constantFrom('eq', 'ne', 'lt', 'ge', 'in'),
      left: operand,
      right: operand,
    }) as fc.Arbitrary<JsonValue>,
    reference.map((left) => ({ op: 'exists', left })),
    fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('predicate').map((not) => ({ not })),
  ),
}));
const items = fc.oneof(
  reference,
  fc.constantFrom<JsonValue>(
    [
      { n: 1, id: 'p' },
      { n: 2, id: 'q' },
    ],
    [],
    [1, 'x'],
    5,
  ),
);
const node = fc.record(
  {
    id: fc.constantFrom(...ids),
    tool: fc.constantFrom('test.items', 'test.value', 'test.value', 'test.value', 'core.aggregate'),
    dependsOn: fc.array(fc.constantFrom(...ids), { maxLength: 2 }),
    args: fc.record(
      { n: fc.oneof(reference, fc.constant(1)), any: operand, items: reference, op: fc.constant('sum') },
      { requiredKeys: [] },
    ),
    when: predicate,
    expect: fc.oneof(predicate, fc.array(predicate, { minLength: 1, maxLength: 2 }) as fc.Arbitrary<JsonValue>),
    forEach: fc.record({ items, maxItems: fc.constantFrom(0, 1, 2, 5, 20_000) }),
    onFailure: fc.constantFrom('fail', 'continue', 'replan'),
  },
  { requiredKeys: ['id', 'tool'] },
);
const wild = fc.array(node, { minLength: 1, maxLength: 5 }).map((nodes) => ({ inputs: { list: [1, 2], n: 3 }, nodes }));

/** Plans that are mostly right: `a` lists, the others use what comes before them in the alphabet. */
const sane = fc
  .array(
    fc.record({
      loop: fc.constantFrom('none', 'list', 'list', 'input', 'literal'),
      from: fc.nat(),
      arg: fc.constantFrom('number', 'previous', 'item'),
      condition: fc.constantFrom('none', 'total', 'item', 'previous'),
      expects: fc.boolean(),
      soft: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => {
    const loops = ['none', ...list.map(({ loop }) => loop)];
    const nodes: Record<string, unknown>[] = [{ id: 'n0', tool: 'test.items' }];
    for (const [k, one] of list.entries()) {
      const i = k + 1;
      const before = one.from % i;
      const [loop, other] = [one.loop, loops[before]];
      const forEach = {
        list: { ref: 'n0.items' },
        input: { ref: '$inputs.list' },
        literal: [{ n: 1 }, { n: 2 }],
        none: null,
      }[loop];
      const previous = {
        ref: before === 0 ? 'n0.total' : other !== 'none' && other !== loop ? `n${before}.value.0` : `n${before}.value`,
        default: 4,
      };
      const item = loop === 'none' ? 2 : { ref: loop === 'input' ? '$item' : '$item.n' };
      const n = one.arg === 'number' ? 1 : one.arg === 'item' ? item : previous;
      const left = one.condition === 'total' ? { ref: 'n0.total' } : one.condition === 'item' ? item : previous;
      nodes.push({
        id: `n${i}`,
        tool: 'test.value',
        args: { n },
        ...(one.condition === 'none' ? {} : { when: { op: 'ge', left, right: 1 } }),
        ...(one.expects ? { expect: { op: 'ge', left: { ref: '$output.value' }, right: item } } : {}),
        ...(one.soft ? { onFailure: 'continue' } : {}),
        ...(forEach === null ? {} : { forEach: { items: forEach, maxItems: 3 } }),
      });
    }
    return { inputs: { list: [1, 2] }, nodes, outputs: { last: { ref: `n${nodes.length - 1}.value`, default: null } } };
  });

const outputsOf = (tool: string): Record<string, JsonValue> =>
  tool === 'test.items'
    ? {
        items: [
          { id: 'p', n: 1, deep: { mm: 2 } },
          { id: 'q', n: 2, deep: { mm: 3 } },
        ],
        total: 2,
        refs: { inner: { x: 'y' } },
      }
    : { value: 7, out: {}, refs: { inner: { x: 'y' } }, coverage: 1 };

/** Runs a validated plan with the shared resolver and tools that answer at once; everything must have its values. */
function runThrough(plan: Plan): number {
  const done = new Map<string, JsonValue>();
  const key = ({ nodeId, output, item }: OutputRef): string => `${nodeId}.${output}.${item ?? 'whole'}`;
  const nodes = new Map(plan.nodes.map((one) => [one.id, one]));
  let instances = 0;
  for (const id of topologicalOrder(buildGraph(nodes.keys(), edgesOf(plan)))) {
    const one = nodes.get(id) as PlanNode;
    const asked = new Set<string>();
    const lookup: Scope['lookup'] = (nodeId, output, item) => {
      const at = key(item === undefined ? { nodeId, output } : { nodeId, output, item });
      expect(asked.has(at), `${id} asked for ${at} without saying so`).toBe(true);
      return done.get(at);
    };
    const tool = loopCatalog.get(one.tool);
    if (tool === undefined) throw new Error(one.tool);
    const say = (list: readonly OutputRef[]): void => list.forEach((ref) => asked.add(key(ref)));
    const runOne = (scope: Scope): void => {
      instances += 1;
      const index = scope.item?.index;
      say(valuesNeeded(one, tool, index === undefined ? undefined : { nodes: plan.nodes, index }));
      say(valuesOfWhen(one, nodes, index));
      expect(['holds', 'fails', 'absent', 'error']).toContain(evaluateWhen(scope).outcome);
      if (scope.item !== undefined) expect(refusedItem(scope, tool)).toBeUndefined();
      const { args } = resolveInScope(scope, tool);
      expect(tool.input.safeParse(args).success).toBe(true);
      unmetExpectation(scope, new Map(Object.entries(outputsOf(one.tool))));
      for (const [output, value] of Object.entries(outputsOf(one.tool)))
        done.set(key(index === undefined ? { nodeId: id, output } : { nodeId: id, output, item: index }), value);
    };
    const scope = scopeOf(plan, one, lookup);
    if (one.forEach === undefined) {
      runOne(scope);
      continue;
    }
    say(valuesOfItems(one));
    const list = resolveItems(scope);
    list.forEach((value, index) => runOne(forItem(scope, { index, value })));
    for (const [output, value] of Object.entries(outputsOf(one.tool)))
      done.set(
        key({ nodeId: id, output }),
        list.map(() => value),
      );
  }
  return instances;
}

describe('any plan with conditions and loops', () => {
  it('is answered without a throw, and an accepted one validates to itself and compiles', () => {
    let [accepted, looped] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(wild, sane), (given) => {
        const before = JSON.stringify(given);
        const result = validatePlan(given, context);
        expect(JSON.stringify(given)).toBe(before);
        if (!result.ok) {
          expect(result.findings.some(({ severity }) => severity === 'error')).toBe(true);
          return;
        }
        accepted += 1;
        looped += result.plan.nodes.some(({ forEach }) => forEach !== undefined) ? 1 : 0;
        const again = validatePlan(JSON.parse(JSON.stringify(result.plan)), context);
        expect(again.ok && again.planDigest).toBe(result.planDigest);
        expect(again.ok && again.plan).toEqual(result.plan);
        const turned = validatePlan({ ...given, nodes: [...given.nodes].reverse() }, context);
        expect(turned.ok && turned.planDigest).toBe(result.planDigest);
        const facts = { runId: 'r', revision: 1, warrant: 'w', deadlineAt: 1, window: 8 };
        expect(compileSchedule(result.plan, loopCatalog, facts).ok).toBe(true);
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(80);
    expect(looped).toBeGreaterThan(40);
  });

  it('when accepted, has all its values at run time, and asks for none that it did not name', () => {
    let [ran, itemWise] = [0, 0];
    fc.assert(
      fc.property(sane, (given) => {
        const result = validatePlan(given, context);
        if (!result.ok) return;
        ran += runThrough(result.plan);
        const { nodes } = result.plan;
        itemWise += nodes.filter((one) => nodes.some((other) => isItemWise(one, other))).length;
      }),
      { numRuns: 200 },
    );
    expect(ran).toBeGreaterThan(300);
    expect(itemWise).toBeGreaterThan(50);
  });
});
