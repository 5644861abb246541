import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleSchema } from '../../../src/orchestration/messages.ts';
import type { JsonValue, Plan, PlanNode, Predicate } from '../../../src/plan/types.ts';
import { compileSchedule } from '../../../src/validation/compile.ts';
import { loopCatalog } from '../../support/catalog/loopTools.ts';

/** How a node uses an earlier one. `edge` waits for it alone; `default` and `exists` do without its output. */
type Use = 'edge' | 'arg' | 'default' | 'when' | 'exists' | 'items';
interface Spec {
  readonly uses: readonly (readonly [number, Use])[];
  /** Over which items it loops. */
  readonly loop: 'none' | 'one' | 'two';
  readonly when: boolean;
  readonly soft: boolean;
}

const idOf = (i: number): string => `n${String(i)}`;
const spec: fc.Arbitrary<Spec> = fc.record({
  uses: fc.array(
    fc.tuple(fc.nat(9), fc.constantFrom<Use>('edge', 'arg', 'arg', 'default', 'when', 'exists', 'items')),
    {
      maxLength: 3,
    },
  ),
  loop: fc.constantFrom('none', 'one', 'one', 'two'),
  when: fc.boolean(),
  soft: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
/** Uses of earlier nodes only, and at most one list of items. */
function plausible(list: readonly Spec[]): Spec[] {
  return list.map((one, i) => {
    const uses = i === 0 ? [] : one.uses.map(([to, use]) => [to % i, use] as const);
    const first = uses.findIndex(([, use]) => use === 'items');
    return { ...one, uses: uses.filter(([, use], k) => use !== 'items' || k === first) };
  });
}
const specs = fc.array(spec, { minLength: 1, maxLength: 7 }).map(plausible);
/** All courses of events are tried: so many nodes as make a few thousand. */
const few = fc.array(spec, { minLength: 1, maxLength: 5 }).map(plausible);

const itemsUse = (one: Spec): number | undefined => one.uses.find(([, use]) => use === 'items')?.[0];
/** Text that is equal for nodes over the same items. */
function itemsOf(one: Spec): JsonValue {
  const from = itemsUse(one);
  return from === undefined ? [one.loop] : { ref: `${idOf(from)}.out` };
}

function planOf(list: readonly Spec[]): Plan {
  const nodes = list.map((one, i): PlanNode => {
    const args: Record<string, JsonValue> = { n: 1, any: [] };
    const used: JsonValue[] = [];
    const conditions: Predicate[] = [];
    for (const [to, use] of one.uses) {
      const ref = `${idOf(to)}.out`;
      if (use === 'arg') used.push({ ref });
      if (use === 'default') used.push({ ref, default: null });
      if (use === 'when') conditions.push({ op: 'eq', left: { ref }, right: 1 });
      if (use === 'exists') conditions.push({ op: 'exists', left: { ref } });
    }
    args['any'] = used;
    const isWhen = one.when || conditions.length > 0;
    return {
      id: idOf(i),
      tool: 'test.value',
      dependsOn: one.uses.filter(([, use]) => use === 'edge').map(([to]) => idOf(to)),
      args,
      ...(isWhen ? { when: { all: [{ op: 'eq', left: 1, right: 1 } as const, ...conditions] } } : {}),
      ...(one.soft ? { onFailure: 'continue' as const } : {}),
      ...(one.loop === 'none' ? {} : { forEach: { items: itemsOf(one), maxItems: i + 1 } }),
    };
  });
  const rest = { goal: '', inputs: {}, outputs: {}, context: { assumptions: [], constraints: [] }, limits: {} };
  return { schemaVersion: '1.0', workflowId: 'x', nodes, ...rest };
}

const facts = { runId: 'r', revision: 1, warrant: 'a'.repeat(64), deadlineAt: 1, window: 8 };
function compile(list: readonly Spec[]) {
  const compiled = compileSchedule(planOf(list), loopCatalog, facts);
  if (!compiled.ok) throw new Error('too large');
  return compiled.schedule;
}

const isUse = (one: Spec, use: Use): boolean => use !== 'items' || one.loop !== 'none';
/** Direct edges, as the plan means them. */
const edges = (one: Spec): Set<number> => new Set(one.uses.filter(([, use]) => isUse(one, use)).map(([to]) => to));

/** Kept edges by definition: those without another path between their ends. */
function reducedEdges(list: readonly Spec[], i: number): number[] {
  const reaches = (from: number, to: number): boolean =>
    from === to || [...edges(list[from] as Spec)].some((next) => reaches(next, to));
  const direct = [...edges(list[i] as Spec)];
  return direct.filter((to) => !direct.some((other) => other !== to && reaches(other, to))).sort((a, b) => a - b);
}

/** Head of the group that a loop belongs to, by the definition of a follower. */
function headOf(list: readonly Spec[], i: number): number {
  const one = list[i] as Spec;
  const before = reducedEdges(list, i);
  const key = (k: number): string => {
    const other = list[k] as Spec;
    return other.loop === 'none' ? 'none' : JSON.stringify(itemsOf(other));
  };
  const heads = new Set(before.map((k) => (key(k) === key(i) ? headOf(list, k) : -1)));
  const [head] = heads;
  return one.loop !== 'none' && heads.size === 1 && head !== undefined && head >= 0 ? head : i;
}

/** Every way in which conditions and tolerated failures can turn out, for one item; answers which uses can lack a value. */
function needsByWorlds(list: readonly Spec[]): number[][] {
  const conditional = (i: number): boolean => {
    const one = list[i] as Spec;
    return one.when || one.uses.some(([, use]) => use === 'when' || use === 'exists');
  };
  const heads = list.map((_, i) => headOf(list, i));
  const loops = (i: number): boolean => list[i]?.loop !== 'none';
  const members = (i: number): number[] => list.flatMap((_, k) => (loops(k) && heads[k] === heads[i] ? [k] : []));
  const choices: string[] = list.flatMap((one, i) => [
    ...(conditional(i) ? [`when ${String(i)}`] : []),
    ...(one.soft ? [`fails ${String(i)}`] : []),
    ...(loops(i) && heads[i] === i && members(i).some((k) => list[k]?.soft === true) ? [`expansion ${String(i)}`] : []),
    // Without what a member needs from outside, a group is skipped as a whole, or that member's items are.
    ...(loops(i) && heads[i] === i ? [`goes on ${String(i)}`] : []),
  ]);
  const wants = (i: number): [number, Use][] =>
    (list[i] as Spec).uses.flatMap(([to, use]) =>
      ['arg', 'when'].includes(use) || (use === 'items' && loops(i)) ? [[to, use] as [number, Use]] : [],
    );
  const sameItems = (i: number, to: number): boolean =>
    loops(i) && loops(to) && JSON.stringify(itemsOf(list[i] as Spec)) === JSON.stringify(itemsOf(list[to] as Spec));
  const lacking = list.map(() => new Set<number>());
  for (let world = 0; world < 2 ** choices.length; world += 1) {
    const happens = (choice: string): boolean => {
      const at = choices.indexOf(choice);
      return at >= 0 && ((world >> at) & 1) === 1;
    };
    const memo = new Map<string, boolean>();
    const once = (key: string, compute: () => boolean): boolean => {
      const known = memo.get(key);
      if (known !== undefined) return known;
      const value = compute();
      memo.set(key, value);
      return value;
    };
    const goesWell = (i: number): boolean =>
      !happens(`when ${String(i)}`) && !happens(`fails ${String(i)}`) && wants(i).every(([to]) => seen(i, to));
    const alive = (i: number): boolean =>
      once(`alive ${String(heads[i])}`, () => {
        if (happens(`expansion ${String(heads[i])}`)) return false;
        if (happens(`goes on ${String(heads[i])}`)) return true;
        return members(i).every((k) => wants(k).every(([to]) => members(i).includes(to) || seen(k, to)));
      });
    const item = (i: number): boolean => once(`item ${String(i)}`, () => alive(i) && goesWell(i));
    const whole = (i: number): boolean => once(`whole ${String(i)}`, () => (loops(i) ? alive(i) : goesWell(i)));
    const seen = (i: number, to: number): boolean => (sameItems(i, to) ? item(to) : whole(to));
    for (const [i] of list.entries()) {
      // A group that is skipped as a whole asks none of its members what they need of each other.
      const asked = wants(i).filter(([to]) => !loops(i) || alive(i) || !members(i).includes(to));
      for (const [to] of asked) if (!seen(i, to)) lacking[i]?.add(to);
    }
  }
  return lacking.map((set) => [...set].sort((a, b) => a - b));
}

describe('the compiled schedule of random plans', () => {
  it('has the groups that the definition gives', () => {
    let grouped = 0;
    fc.assert(
      fc.property(specs, (list) => {
        const { nodes, groups = [] } = compile(list);
        for (const [i, one] of list.entries()) {
          expect(nodes[i]?.after).toEqual(reducedEdges(list, i));
          const group = groups[nodes[i]?.group ?? -1];
          if (one.loop === 'none') expect(nodes[i]?.group).toBeUndefined();
          else {
            const same = list.flatMap((other, k) =>
              other.loop !== 'none' && headOf(list, k) === headOf(list, i) ? [k] : [],
            );
            expect([...(group?.members ?? [])].sort((a, b) => a - b)).toEqual(same);
            expect(group?.members[0]).toBe(headOf(list, i));
            expect(group?.maxItems).toBe(Math.min(...same.map((k) => k + 1)));
            if (same.length > 1) grouped += 1;
          }
        }
        // Only the head has edges from outside; within the group members come after what they wait for.
        for (const { members } of groups) {
          for (const [at, member] of members.slice(1).entries()) {
            const before = nodes[member]?.after ?? [];
            expect(before.length > 0 && before.every((k) => members.slice(0, at + 1).includes(k))).toBe(true);
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(grouped).toBeGreaterThan(50);
  });

  it('needs exactly what some course of events can leave without a value', () => {
    let some = 0;
    fc.assert(
      fc.property(few, (list) => {
        const { nodes } = compile(list);
        const needs = nodes.map((node) => [...(node.needs ?? [])]);
        expect(needs).toEqual(needsByWorlds(list));
        some += needs.filter((one) => one.length > 0).length;
      }),
      { numRuns: 300 },
    );
    expect(some).toBeGreaterThan(100);
  });

  it('is what the orchestrator parses, and says nothing of what a node does not have', () => {
    fc.assert(
      fc.property(specs, (list) => {
        const schedule = compile(list);
        expect(scheduleSchema.parse(JSON.parse(JSON.stringify(schedule)))).toEqual(schedule);
        expect(schedule.groups === undefined).toBe(list.every(({ loop }) => loop === 'none'));
        for (const [i, node] of schedule.nodes.entries()) {
          expect(node.soft).toBe(list[i]?.soft === true ? true : undefined);
          expect(node.needs === undefined || node.needs.length > 0).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
