import { describe, expect, it } from 'vitest';
import { parseStrict } from '../../../src/plan/strictJson.ts';
import { validatePlan } from '../../../src/validation/validate.ts';
import { accepted, brief, contextWith, refused } from '../../support/catalog/context.ts';
import { barePlan, examplePlan } from '../../support/catalog/plans.ts';

const slope = (id: string, more: Record<string, unknown> = {}) => ({ id, tool: 'gis.loadTerrain', ...more });

describe('ids', () => {
  it('O-35 refuses ids that differ in case only, naming both positions, and shows no phantom cycle', () => {
    const findings = refused({ nodes: [slope('clip'), slope('x'), slope('Clip', { dependsOn: ['clip'] })] });
    expect(brief(findings)).toEqual(['DUPLICATE_ID /nodes/2/id']);
    expect(findings[0]?.message).toContain('nodes 0 and 2');
    expect(brief(refused({ nodes: [slope('A'), slope('A')] }))).toEqual(['DUPLICATE_ID /nodes/1/id']);
  });

  it.each(['caf\u00e9', 'cafe\u0301', '\u0430', 'clip\u200b', '\u202eclip', '', '1a', 'a.b', 'a'.repeat(65)])(
    'O-35 refuses the id %j and shows its code points',
    (id) => {
      const [finding] = refused({ nodes: [slope(id)] });
      expect(finding?.code).toBe('INVALID_NODE_ID');
      if (/[^ -~]/.test(id)) expect(finding?.message).toMatch(/U\+[0-9A-F]{4}/);
    },
  );

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'])('O-34 refuses the id %s', (id) => {
    expect(brief(refused({ nodes: [slope(id)] }))).toEqual(['RESERVED_NODE_ID /nodes/0/id']);
  });

  it('O-34 refuses a whole chain of them, with nothing half done', () => {
    const nodes = [
      { id: 'constructor', tool: 'gis.loadTerrain' },
      { id: 'toString', tool: 'gis.slope', args: { terrain: { ref: 'constructor.raster' } } },
      { id: 'valueOf', tool: 'gis.slope', dependsOn: ['toString'] },
    ];
    expect(refused({ nodes }).filter(({ code }) => code === 'RESERVED_NODE_ID')).toHaveLength(3);
  });

  it('O-35 titles may be any text', () => {
    expect(accepted({ nodes: [slope('a', { title: 'Höhe \u200b 高さ' })] }).plan.nodes[0]?.title).toContain('高さ');
  });
});

describe('edges', () => {
  it('O-35 reports all edge errors at once; a repeated edge counts once', () => {
    const nodes = [
      slope('a', { dependsOn: ['a'] }),
      slope('b', { dependsOn: ['ghost', 'a', 'a', 'ghost'] }),
      slope('c', { dependsOn: ['B'] }),
    ];
    expect(brief(refused({ nodes }))).toEqual([
      'SELF_DEPENDENCY /nodes/0/dependsOn/0',
      'UNKNOWN_DEPENDENCY /nodes/1/dependsOn/0',
      'UNKNOWN_DEPENDENCY /nodes/2/dependsOn/0',
    ]);
    expect(refused({ nodes })[2]?.hint).toBe('did you mean "b"?');
    const once = accepted({ nodes: [slope('a'), slope('b', { dependsOn: ['a', 'a'] })] });
    expect(once.plan.nodes[1]?.dependsOn).toEqual(['a']);
  });

  it('shows the whole cycle and where each edge comes from', () => {
    const findings = refused({
      nodes: [
        { id: 'a', tool: 'gis.slope', dependsOn: ['c'], args: { terrain: { ref: 'c.raster' } } },
        { id: 'b', tool: 'gis.slope', dependsOn: ['a'], args: { terrain: { ref: 'a.raster' } } },
        { id: 'c', tool: 'gis.slope', args: { terrain: { ref: 'b.raster' } } },
      ],
    });
    const cycle = findings.find(({ code }) => code === 'CYCLE');
    expect(cycle?.message).toContain('a → c → b → a');
    expect(cycle?.hint).toBe(
      'a waits for c (declared and referenced); c waits for b (referenced); b waits for a (declared and referenced)',
    );
  });

  it('warns of an edge that only a reference makes, adds it, and its fix silences it', () => {
    const plan = examplePlan();
    (plan['nodes'] as { dependsOn?: string[] }[])[4] = {
      ...(plan['nodes'] as { dependsOn?: string[] }[])[4],
      dependsOn: [],
    };
    const { plan: normalised, findings } = accepted(plan);
    expect(brief(findings)).toEqual(['UNDECLARED_DEPENDENCY /nodes/4/args/exposure']);
    expect(findings[0]?.severity).toBe('warning');
    expect(normalised.nodes[4]?.dependsOn).toContain('exposure');
  });

  it('refuses a reference to the own output and to the own node', () => {
    const nodes = [{ id: 'a', tool: 'gis.slope', args: { terrain: { ref: 'a.raster' } } }];
    expect(brief(refused({ nodes }))).toContain('SELF_DEPENDENCY /nodes/0/args/terrain/ref');
  });
});

describe('limits', () => {
  it('O-03.1 refuses the empty plan', () => {
    expect(brief(refused({ nodes: [] }))).toEqual(['EMPTY_PLAN /nodes']);
  });

  it('O-03 accepts a plan of one node', () => {
    expect(accepted({ nodes: [slope('a')] }).plan.nodes).toHaveLength(1);
  });

  it('O-36 accepts 200 nodes in a chain, a star and two full layers, and refuses 201', () => {
    const chain = Array.from({ length: 200 }, (_, i) => slope(`n${i}`, { dependsOn: i === 0 ? [] : [`n${i - 1}`] }));
    const star = Array.from({ length: 200 }, (_, i) => slope(`n${i}`, { dependsOn: i === 0 ? [] : ['n0'] }));
    const left = Array.from({ length: 100 }, (_, i) => `l${i}`);
    const layers = [...left.map((id) => slope(id)), ...left.map((id) => slope(`r${id}`, { dependsOn: left }))];
    for (const nodes of [chain, star, layers]) {
      const begin = performance.now();
      expect(accepted({ nodes }, { limits: { ...contextWith().limits, maxCostCents: 1e6 } }).plan.nodes).toHaveLength(
        200,
      );
      expect(performance.now() - begin).toBeLessThan(1000);
    }
    expect(brief(refused({ nodes: [...star, slope('one-more')] }))).toEqual(['TOO_MANY_NODES /nodes']);
  });

  it('counts the nodes that validation inserts', () => {
    const limits = { ...contextWith().limits, maxNodes: 6 };
    expect(brief(refused(barePlan(), { limits }))).toEqual(['TOO_MANY_NODES /nodes']);
    expect(accepted(barePlan(), { limits: { ...limits, maxNodes: 7 } }).plan.nodes).toHaveLength(7);
  });

  it('refuses 4 000 nodes and depth 5 000 in milliseconds', () => {
    const many = { nodes: Array.from({ length: 4000 }, (_, i) => slope(`n${i}`, { dependsOn: ['x'] })) };
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i += 1) deep = { a: deep };
    const begin = performance.now();
    expect(brief(refused(many))).toEqual(['TOO_MANY_NODES /nodes']);
    expect(refused({ nodes: [slope('a', { args: { deep } })] })[0]?.code).toBe('BAD_JSON');
    expect(parseStrict(`{"nodes":${'['.repeat(5000)}`).ok).toBe(false);
    expect(performance.now() - begin).toBeLessThan(150);
  });

  it('lets limits only lower what the request allows, with the exact bound', () => {
    const limits = { maxNodes: 200, maxParallelNodes: 8, maxDeadlineSeconds: 3600, maxCostCents: 50 };
    const plan = (own: Record<string, number>) => ({ nodes: [slope('a')], limits: own });
    expect(accepted(plan({ deadlineSeconds: 3600, maxCostCents: 50 }), { limits }).totals).toMatchObject({
      deadlineSeconds: 3600,
      maxCostCents: 50,
    });
    const findings = refused(plan({ deadlineSeconds: 3601, maxCostCents: 51 }), { limits });
    expect(brief(findings)).toEqual([
      'DEADLINE_EXCEEDED /limits/deadlineSeconds',
      'BUDGET_EXCEEDED /limits/maxCostCents',
    ]);
    expect(findings.map(({ fix }) => fix)).toEqual([
      [{ op: 'replace', path: '/limits/deadlineSeconds', value: 3600 }],
      [{ op: 'replace', path: '/limits/maxCostCents', value: 50 }],
    ]);
  });

  it('never allows more than 90 days, whatever the context says', () => {
    const limits = { ...contextWith().limits, maxDeadlineSeconds: 1e9 };
    expect(
      accepted({ nodes: [slope('a')], limits: { deadlineSeconds: 7_776_000 } }, { limits }).totals.deadlineSeconds,
    ).toBe(7_776_000);
    expect(refused({ nodes: [slope('a')], limits: { deadlineSeconds: 7_776_001 } }, { limits })[0]?.code).toBe(
      'DEADLINE_EXCEEDED',
    );
  });

  it('compares what the plan is expected to cost and to take', () => {
    const nodes = [
      slope('a'),
      slope('b'),
      { id: 's', tool: 'gis.slope', args: { terrain: { ref: 'a.raster' } }, dependsOn: ['a'] },
    ];
    expect(brief(refused({ nodes, limits: { maxCostCents: 2 } }))).toEqual(['BUDGET_EXCEEDED /limits/maxCostCents']);
    const warned = accepted({ nodes, limits: { maxCostCents: 3, deadlineSeconds: 9 } });
    expect(brief(warned.findings)).toEqual(['DEADLINE_EXCEEDED /limits/deadlineSeconds']);
    expect(warned.totals).toMatchObject({ estimatedCents: 3, criticalPathSeconds: 10 });
  });
});

describe('what this version does not run', () => {
  it('refuses a replan on failure by name', () => {
    const findings = refused({ nodes: [slope('a', { onFailure: 'replan' })] });
    expect(brief(findings)).toEqual(['UNSUPPORTED_FEATURE /nodes/0/onFailure']);
    expect(findings[0]?.message).toContain('"replan"');
  });
});

describe('the answer', () => {
  it('holds all findings at once, sorted by path and code', () => {
    const findings = refused({
      nodes: [
        slope('a', { when: {}, retry: { maxAttempts: 9 }, timeoutSeconds: 61, extra: 1 }),
        { id: 'b', tool: 'gis.nothing' },
      ],
      outputs: { x: { ref: 'nobody.raster' } },
    });
    expect(brief(findings)).toEqual([
      'UNKNOWN_FIELD /nodes/0/extra',
      'RETRY_ABOVE_CATALOG /nodes/0/retry/maxAttempts',
      'TIMEOUT_ABOVE_CATALOG /nodes/0/timeoutSeconds',
      'INVALID_FIELD /nodes/0/when',
      'UNKNOWN_TOOL /nodes/1/tool',
      'UNKNOWN_NODE /outputs/x/ref',
    ]);
  });

  it('does not change what it was given', () => {
    const plan = barePlan();
    const before = JSON.stringify(plan);
    validatePlan(plan, contextWith());
    expect(JSON.stringify(plan)).toBe(before);
  });
});
