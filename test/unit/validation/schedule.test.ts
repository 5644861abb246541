import { describe, expect, it } from 'vitest';
import { MAX_SCHEDULE_BYTES } from '../../../src/orchestration/schedule.ts';
import { compileSchedule } from '../../../src/validation/compile.ts';
import { accepted, catalog, contextWith } from '../../support/catalog/context.ts';
import { barePlan, examplePlan } from '../../support/catalog/plans.ts';

const facts = { runId: 'r1', revision: 1, warrant: 'a'.repeat(64), deadlineAt: 1_800_000_000_000, window: 8 };
const roomy = { limits: { ...contextWith().limits, maxCostCents: 1e6 } };

describe('the compiled schedule', () => {
  it('knows ids, the fewest edges, costs and attempts, sorted by id', () => {
    const { plan } = accepted(examplePlan());
    const compiled = compileSchedule(plan, catalog, facts);
    expect(compiled).toEqual({
      ok: true,
      schedule: {
        version: 1,
        ...facts,
        nodes: [
          { id: 'assets', after: [], seconds: 5, attempts: 3 },
          { id: 'exposure', after: [0, 5], seconds: 5, attempts: 3 },
          { id: 'map', after: [1], seconds: 5, attempts: 3 },
          { id: 'rainfall', after: [], seconds: 5, attempts: 3 },
          { id: 'rainfall-validated', after: [3], seconds: 5, attempts: 3 },
          // Declared on `rainfall` too; the edge is implied.
          { id: 'surface', after: [4], seconds: 5, attempts: 3 },
        ],
      },
    });
  });

  it('takes the attempts of the plan where they are lower', () => {
    const bare = barePlan();
    (bare['nodes'] as Record<string, unknown>[])[0] = {
      id: 'rainfall',
      tool: 'gis.readRainfall',
      retry: { maxAttempts: 1 },
    };
    const compiled = compileSchedule(accepted(bare).plan, catalog, facts);
    expect(compiled.ok && compiled.schedule.nodes.find(({ id }) => id === 'rainfall')?.attempts).toBe(1);
  });

  it('is the same whatever the order of nodes', () => {
    const { plan } = accepted(barePlan());
    const other = { ...plan, nodes: [...plan.nodes].reverse() };
    expect(compileSchedule(other, catalog, facts)).toEqual(compileSchedule(plan, catalog, facts));
  });

  it('fits 32 KiB for 200 nodes of the longest ids in a chain, and refuses what does not', () => {
    const long = (i: number): string => `n${String(i).padStart(3, '0')}${'x'.repeat(60)}`;
    const node = (id: string, dependsOn: string[]) => ({ id, tool: 'gis.loadTerrain', dependsOn });
    const chain = Array.from({ length: 200 }, (_, i) =>
      node(long(i), [i - 1, i - 2, i - 3].filter((k) => k >= 0).map(long)),
    );
    const small = compileSchedule(accepted({ nodes: chain }, roomy).plan, catalog, facts);
    expect(small.ok && small.schedule.nodes.every(({ after }, i) => after.length === Math.min(i, 1))).toBe(true);
    expect(small.ok && JSON.stringify(small.schedule).length).toBeLessThanOrEqual(MAX_SCHEDULE_BYTES);
    // Two full layers of 100: nothing is implied, 10 000 edges stay.
    const first = Array.from({ length: 100 }, (_, i) => `a${i}`);
    const layers = [...first.map((id) => node(id, [])), ...first.map((id) => node(`b${id}`, first))];
    const large = compileSchedule(accepted({ nodes: layers }, roomy).plan, catalog, facts);
    expect(large.ok ? [] : large.findings.map(({ code }) => code)).toEqual(['PLAN_TOO_LARGE']);
  });

  it('throws on a plan that validation would not have let through', () => {
    const { plan } = accepted({ nodes: [{ id: 'a', tool: 'gis.loadTerrain' }] });
    const [a] = plan.nodes;
    if (a === undefined) throw new Error('no node');
    expect(() => compileSchedule({ ...plan, nodes: [{ ...a, tool: 'gis.gone' }] }, catalog, facts)).toThrow(
      /unknown tool/,
    );
    const cycle = [
      { ...a, dependsOn: ['b'] },
      { ...a, id: 'b', dependsOn: ['a'] },
    ];
    expect(() => compileSchedule({ ...plan, nodes: cycle }, catalog, facts)).toThrow(/cycle/);
  });
});
