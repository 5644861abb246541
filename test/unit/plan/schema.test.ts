import { describe, expect, it } from 'vitest';
import { MAX_NODES, parsePlan } from '../../../src/plan/schema.ts';

const node = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  tool: 't.one',
  ...more,
});
const problems = (value: unknown): string[] => {
  const result = parsePlan(value);
  return result.ok ? [] : result.findings.map(({ code, path }) => `${code} ${path}`);
};

describe('the shape of a plan', () => {
  it('needs nodes alone and fills every default of the contract', () => {
    const result = parsePlan({ nodes: [node('a')] });
    expect(result.ok && result.plan).toEqual({
      schemaVersion: '1.0',
      workflowId: 'adhoc',
      goal: '',
      inputs: {},
      outputs: {},
      context: { assumptions: [], constraints: [] },
      limits: {},
      nodes: [{ id: 'a', tool: 't.one', dependsOn: [], args: {} }],
    });
  });

  it('O-03.1 refuses an empty plan with its own code', () => {
    expect(problems({ nodes: [] })).toEqual(['EMPTY_PLAN /nodes']);
  });

  it('O-36 accepts exactly the limit of nodes and refuses one more', () => {
    const nodes = (count: number) => ({ nodes: Array.from({ length: count }, (_, i) => node(`n${i}`)) });
    expect(problems(nodes(MAX_NODES))).toEqual([]);
    expect(problems(nodes(MAX_NODES + 1))).toEqual(['TOO_MANY_NODES /nodes']);
    expect(parsePlan(nodes(3), 2)).toMatchObject({ ok: false, findings: [{ code: 'TOO_MANY_NODES' }] });
  });

  it.each([
    [null, 'INVALID_FIELD '],
    [[], 'INVALID_FIELD '],
    ['x', 'INVALID_FIELD '],
    [{}, 'INVALID_FIELD /nodes'],
    [{ nodes: {} }, 'INVALID_FIELD /nodes'],
    [{ nodes: [1] }, 'INVALID_FIELD /nodes/0'],
    [{ nodes: [{ tool: 't.one' }] }, 'INVALID_FIELD /nodes/0/id'],
    [{ nodes: [node('a', { tool: 1 })] }, 'INVALID_FIELD /nodes/0/tool'],
    [{ nodes: [node('a', { dependsOn: 'b' })] }, 'INVALID_FIELD /nodes/0/dependsOn'],
    [{ nodes: [node('a', { args: [] })] }, 'INVALID_FIELD /nodes/0/args'],
    [{ nodes: [node('a', { insertedBy: 'me' })] }, 'INVALID_FIELD /nodes/0/insertedBy'],
    [{ nodes: [node('a')], schemaVersion: '2.0' }, 'INVALID_FIELD /schemaVersion'],
    [{ nodes: [node('a')], workflowId: 'a b' }, 'INVALID_FIELD /workflowId'],
    [{ nodes: [node('a')], goal: 1 }, 'INVALID_FIELD /goal'],
    [{ nodes: [node('a')], outputs: { m: 'a.x' } }, 'INVALID_FIELD /outputs/m'],
    [{ nodes: [node('a')], limits: { deadlineSeconds: 0 } }, 'INVALID_FIELD /limits/deadlineSeconds'],
    [{ nodes: [node('a', { args: { x: Number.NaN } })] }, 'BAD_JSON /nodes/0/args/x'],
    [{ nodes: [node('a', { args: { x: undefined } })] }, 'BAD_JSON /nodes/0/args/x'],
  ])('refuses %j', (value, problem) => {
    expect(problems(value)).toEqual([problem]);
  });

  it.each([0, -1, 1.5, '3', null, 101])('O-11.4 refuses %j attempts', (maxAttempts) => {
    expect(problems({ nodes: [node('a', { retry: { maxAttempts } })] })).toEqual([
      'INVALID_FIELD /nodes/0/retry/maxAttempts',
    ]);
  });

  it('names every unknown field, offers to remove it, and goes on with the rest', () => {
    const result = parsePlan({ nodes: [node('a', { depends_on: ['b'] }), node('b')], owner: 'me', limits: { cpu: 1 } });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.findings.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      'UNKNOWN_FIELD /limits/cpu',
      'UNKNOWN_FIELD /nodes/0/depends_on',
      'UNKNOWN_FIELD /owner',
    ]);
    expect(result.findings.every(({ fix, path }) => fix?.[0]?.op === 'remove' && fix[0].path === path)).toBe(true);
    expect(result.rest?.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('never changes what it was given', () => {
    const given = { nodes: [node('a', { odd: 1 })], odd: { deep: [1] } };
    const before = JSON.stringify(given);
    parsePlan(given);
    expect(JSON.stringify(given)).toBe(before);
  });

  it('O-34 keeps arguments that are called like built-in properties', () => {
    const result = parsePlan({ nodes: [node('a', { args: { constructor: 1, toString: { valueOf: 2 } } })] });
    expect(result.ok && Object.entries(result.plan.nodes[0]?.args ?? {})).toEqual([
      ['constructor', 1],
      ['toString', { valueOf: 2 }],
    ]);
  });
});
