import { describe, expect, it } from 'vitest';
import { planDigest } from '../../../src/plan/digest.ts';
import { MAX_COMPARISONS, MAX_PREDICATE_DEPTH } from '../../../src/plan/predicateSchema.ts';
import { parsePlan } from '../../../src/plan/schema.ts';
import { parseStrict } from '../../../src/plan/strictJson.ts';

const yes = { op: 'eq', left: 1, right: 1 };
const parse = (control: object) => parsePlan({ nodes: [{ id: 'a', tool: 't', ...control }] });
const problems = (control: object): string[] => {
  const parsed = parse(control);
  return parsed.ok
    ? []
    : parsed.findings.map(({ code, path, message, hint }) => `${code} ${path} ${message} ${hint ?? ''}`);
};
const node = (control: object) => {
  const parsed = parse(control);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.plan.nodes[0];
};

describe('conditions', () => {
  it('are kept as they were written', () => {
    const when = { all: [yes, { any: [{ not: yes }, { op: 'exists', left: { ref: 'b.c' } }] }] };
    expect(node({ when })?.when).toEqual(when);
  });

  it('expect is one predicate or a list, and becomes a list', () => {
    expect(node({ expect: yes })?.expect).toEqual([yes]);
    expect(node({ expect: [yes, { not: yes }] })?.expect).toEqual([yes, { not: yes }]);
  });

  it.each([
    [{}, '/nodes/0/when a predicate is'],
    [null, '/nodes/0/when a predicate is'],
    [[yes], '/nodes/0/when a predicate is'],
    [true, '/nodes/0/when a predicate is'],
    [{ all: [] }, '/nodes/0/when/all a list of at least one'],
    [{ all: yes }, '/nodes/0/when/all a list of at least one'],
    [{ all: [yes], any: [yes] }, '/nodes/0/when a predicate is'],
    [{ not: [yes] }, '/nodes/0/when/not a predicate is'],
    [{ ...yes, extra: 1 }, '/nodes/0/when/extra the field "extra" is unknown'],
    [{ all: [yes], extra: 1 }, '/nodes/0/when/extra'],
    [{ op: '==', left: 1, right: 1 }, 'did you mean "eq"?'],
    [{ op: 'GT', left: 1, right: 1 }, 'operators: eq, ne'],
    [{ op: 'constructor', left: 1, right: 1 }, '/nodes/0/when/op there is no operator "constructor"'],
    [{ op: 5, left: 1, right: 1 }, '/nodes/0/when/op'],
    [{ op: 'eq', left: 1 }, '/nodes/0/when/right "eq" needs "right"'],
    [{ op: 'eq', right: 1 }, '/nodes/0/when/left "eq" needs "left"'],
    [{ op: 'exists', left: { ref: 'a.b' }, right: 1 }, '"exists" takes "left" alone'],
    [{ op: 'exists', left: 5 }, '"exists" asks about a reference'],
    [{ op: 'exists', left: [{ ref: 'a.b' }] }, '"exists" asks about a reference'],
  ])('refuses %j', (when, text) => {
    const found = problems({ when });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('INVALID_FIELD');
    expect(found[0]).toContain(text);
  });

  it('an empty list of expectations is no expectation, and is refused', () => {
    expect(problems({ expect: [] })).toHaveLength(1);
  });

  it('names every problem of a node at once', () => {
    expect(problems({ when: { all: [{ op: '<' }, { op: '>' }] }, expect: [yes, 5], onFailure: 'retry' })).toHaveLength(
      4,
    );
  });
});

describe('hostile conditions', () => {
  const nested = (depth: number, kind: 'not' | 'all'): unknown => {
    let value: unknown = yes;
    for (let i = 0; i < depth; i += 1) value = kind === 'not' ? { not: value } : { all: [value] };
    return value;
  };

  it.each(['not', 'all'] as const)('depth is bounded before anything recurses: %s', (kind) => {
    expect(problems({ when: nested(MAX_PREDICATE_DEPTH - 1, kind) })).toEqual([]);
    expect(problems({ when: nested(MAX_PREDICATE_DEPTH, kind) })[0]).toContain('nested deeper');
    expect(problems({ when: nested(100_000, kind) })[0]).toMatch(/nested deeper/);
  });

  it('breadth is bounded, over all lists together', () => {
    const many = (n: number) => Array.from({ length: n }, () => yes);
    expect(problems({ when: { any: many(MAX_COMPARISONS) } })).toEqual([]);
    expect(problems({ when: { any: many(MAX_COMPARISONS + 1) } })).toHaveLength(1);
    expect(problems({ when: { any: [{ any: many(150) }, { any: many(150) }] } }).length).toBeGreaterThan(0);
    expect(problems({ expect: many(100_000) })).toHaveLength(1);
  });

  it('no member is taken from a prototype', () => {
    const text = '{"nodes":[{"id":"a","tool":"t","when":{"__proto__":{"op":"eq","left":1,"right":1}}}]}';
    expect(parseStrict(text).ok).toBe(false);
    const inherited = Object.create({ op: 'eq', left: 1, right: 1 }) as object;
    expect(parse({ when: inherited }).ok).toBe(false);
    expect(problems({ forEach: { constructor: 1, items: [], maxItems: 1 } })[0]).toContain(
      '/nodes/0/forEach/constructor',
    );
  });
});

describe('loops and failures', () => {
  it.each([
    [5, '/nodes/0/forEach'],
    [[1, 2], '/nodes/0/forEach'],
    [{ items: [1] }, '/nodes/0/forEach/maxItems'],
    [{ maxItems: 1 }, '/nodes/0/forEach/items'],
    [{ items: [1], maxItems: 0 }, '/nodes/0/forEach/maxItems'],
    [{ items: [1], maxItems: 1.5 }, '/nodes/0/forEach/maxItems'],
    [{ items: [1], maxItems: '1' }, '/nodes/0/forEach/maxItems'],
    [{ items: [1], maxItems: 1, window: 2 }, '/nodes/0/forEach/window'],
  ])('refuses forEach %j', (forEach, path) => {
    expect(problems({ forEach })[0]).toContain(`INVALID_FIELD ${path} `);
  });

  it('failing is the default: saying so changes nothing', () => {
    const plain = parse({});
    const said = parse({ onFailure: 'fail' });
    expect(said.ok && plain.ok && planDigest(said.plan) === planDigest(plain.plan)).toBe(true);
    const other = parse({ onFailure: 'continue' });
    expect(other.ok && plain.ok && planDigest(other.plan) !== planDigest(plain.plan)).toBe(true);
  });

  it('the digest covers conditions and loops, whatever the order of members and the spelling of numbers', () => {
    const digestOf = (control: object) => {
      const parsed = parse(control);
      return parsed.ok ? planDigest(parsed.plan) : 'refused';
    };
    const digests = [
      { when: yes },
      { when: { not: yes } },
      { expect: yes },
      { forEach: { items: [1], maxItems: 1 } },
      { forEach: { items: [1], maxItems: 2 } },
      { forEach: { items: [2], maxItems: 1 } },
    ].map(digestOf);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digestOf({ when: { right: 1, op: 'eq', left: 1 } })).toBe(digestOf({ when: yes }));
    expect(digestOf({ expect: [yes] })).toBe(digestOf({ expect: yes }));
    const read = parseStrict('{"nodes":[{"id":"a","tool":"t","when":{"op":"eq","left":1.0,"right":1e0}}]}');
    const parsed = parsePlan(read.ok ? read.value : null);
    expect(parsed.ok && planDigest(parsed.plan)).toBe(digestOf({ when: yes }));
  });

  it('the tool name wait of foreign plans is core.wait', () => {
    const parsed = parsePlan({ nodes: [{ id: 'a', tool: 'wait', args: { duration: 5 } }] });
    expect(parsed.ok && parsed.plan.nodes[0]?.tool).toBe('core.wait');
  });
});
