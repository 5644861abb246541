import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../src/plan/patch.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { proposeOffline } from '../../../src/planner/offline.ts';
import { compileSchedule } from '../../../src/validation/compile.ts';
import { validatePlan } from '../../../src/validation/validate.ts';
import { catalog, contextWith } from '../../support/catalog/context.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'constructor', 'A', 'x y'];
const outputs = ['observations', 'raster', 'features', 'summary', 'summary.total', 'report', 'html', 'nothing'];
const ref = fc
  .tuple(fc.constantFrom(...ids, '$inputs', '$item'), fc.constantFrom(...outputs))
  .map(([id, out]) => ({ ref: `${id}.${out}` }));
const value = fc.oneof(
  { weight: 3, arbitrary: ref },
  fc.constantFrom<unknown>(30, 'sample', 'EPSG:2056', 'EPSG:4326', 'http://x', null, { literal: { ref: 'a.b' } }, -1),
);
const argument = fc.constantFrom(
  'source',
  'crs',
  'observations',
  'terrain',
  'rain',
  'hazard',
  'assets',
  'features',
  'exposure',
  'thresholdMm',
  'force',
  'power',
);

/** Plans that are sometimes right and mostly wrong, in ways that planners are wrong. */
const node = fc.record(
  {
    id: fc.constantFrom(...ids),
    tool: fc.constantFrom(...catalog.list().map(({ name }) => name), 'gis.nothing'),
    dependsOn: fc.array(fc.constantFrom(...ids), { maxLength: 3 }),
    args: fc.dictionary(argument, value, { maxKeys: 3 }),
    timeoutSeconds: fc.constantFrom(10, 1000),
    retry: fc.constantFrom({ maxAttempts: 1 }, { maxAttempts: 9 }),
    when: fc.constant({ op: 'gt', left: 1, right: 0 }),
    note: fc.constant('x'),
  },
  { requiredKeys: ['id', 'tool'] },
);
/** Three sources and consumers that each name what they need among earlier nodes: plans that are mostly right. */
const KINDS = [
  { tool: 'gis.interpolate', needs: ['rain'], gives: 'surface', args: {} },
  { tool: 'gis.slope', needs: ['terrain'], gives: 'slope', args: {} },
  { tool: 'gis.overlayExposure', needs: ['surface', 'assets'], gives: 'result', args: { thresholdMm: 30 } },
  { tool: 'gis.overlayExposure', needs: ['rain', 'assets'], gives: 'result', args: { thresholdMm: 5 } },
  { tool: 'gis.computeRisk', needs: ['rain', 'terrain', 'assets'], gives: 'result', args: {} },
  { tool: 'gis.generateMap', needs: ['result'], gives: 'map', args: {} },
] as const;
const sane = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat()), { maxLength: 8 }).map((steps) => {
  const given = new Map<string, string[]>([
    ['rain', ['rain']],
    ['terrain', ['terrain']],
    ['assets', ['assets']],
  ]);
  const nodes: { id: string; tool: string; dependsOn: string[]; args: Record<string, unknown> }[] = [
    { id: 'rain', tool: 'gis.readRainfall', dependsOn: [], args: {} },
    { id: 'terrain', tool: 'gis.loadTerrain', dependsOn: [], args: {} },
    { id: 'assets', tool: 'gis.loadAssets', dependsOn: [], args: {} },
  ];
  for (const [{ tool, needs, gives, args }, pick] of steps) {
    const dependsOn = needs.flatMap((need) => {
      const ready = given.get(need) ?? [];
      return ready.length === 0 ? [] : [ready[pick % ready.length] ?? ''];
    });
    if (dependsOn.length < needs.length) continue;
    const id = `n${nodes.length}`;
    nodes.push({ id, tool, dependsOn, args: { ...args } });
    given.set(gives, [...(given.get(gives) ?? []), id]);
  }
  return nodes;
});
const plan = fc.oneof(fc.array(node, { minLength: 1, maxLength: 8 }), sane).map((nodes) => ({ nodes }));

const errorsOf = (result: ReturnType<typeof validatePlan>): string[] =>
  result.findings.filter(({ severity }) => severity === 'error').map(({ code, path }) => `${code} ${path}`);

describe('any plan', () => {
  it('is answered without a throw; findings are sorted, refuse exactly when one is an error, and point into the plan', () => {
    fc.assert(
      fc.property(fc.oneof(plan, fc.jsonValue(), fc.anything()), (given) => {
        const result = validatePlan(given, contextWith());
        expect(result.ok).toBe(errorsOf(result).length === 0);
        const keys = result.findings.map(({ path, code }) => [path, code]);
        expect(keys).toEqual(
          [...keys].sort(([a = '', x = ''], [b = '', y = '']) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0)),
        );
        expect(result.findings.every(({ message }) => message.length > 0 && message.length < 2000)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('when accepted, validates to itself, compiles, and does not depend on the order of nodes', () => {
    let seen = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          plan,
          sane.map((nodes) => ({ nodes })),
        ),
        (given) => {
          const result = validatePlan(given, contextWith());
          if (!result.ok) return;
          seen += 1;
          const again = validatePlan(JSON.parse(JSON.stringify(result.plan)), contextWith());
          expect(again.ok && again.planDigest).toBe(result.planDigest);
          const turned = validatePlan({ nodes: [...given.nodes].reverse() }, contextWith());
          expect(turned.ok && turned.planDigest).toBe(result.planDigest);
          const facts = { runId: 'r', revision: 1, warrant: 'w', deadlineAt: 1, window: 8 };
          expect(compileSchedule(result.plan, catalog, facts).ok).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
    expect(seen).toBeGreaterThan(40);
  });

  it('every fix can be applied, and removes its finding', () => {
    let seen = 0;
    fc.assert(
      fc.property(plan, (given) => {
        const result = validatePlan(given, contextWith());
        for (const finding of result.findings) {
          if (finding.fix === undefined) continue;
          seen += 1;
          const patched = applyPatch(given as unknown as JsonValue, finding.fix);
          if (!patched.ok) throw new Error(`${finding.code}: ${patched.message}`);
          const after = validatePlan(patched.value, contextWith());
          const same = (list: typeof result.findings) =>
            list.filter(
              ({ code, path, message }) =>
                code === finding.code && path === finding.path && message === finding.message,
            );
          expect(same(after.findings)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(seen).toBeGreaterThan(40);
  });
});

describe('the offline planner', () => {
  const words = [
    'rain',
    'piogge',
    'exposed',
    'infrastrutture esposte',
    'map',
    'Karte',
    'critical',
    'slope',
    'terrain',
    'interpolate',
    'last 24 hours',
    'ultime 6 ore',
    '30 mm',
    'cake',
    'not',
    'without',
    'publish',
    'floods',
    '90th percentile',
  ];
  const goal = fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.string({ maxLength: 8 })), {
      maxLength: 10,
    })
    .map((list) => list.join(' '));
  const inputs = fc.dictionary(
    fc.constantFrom('hours', 'thresholdMm', 'power', 'rainfall', 'colour'),
    fc.constantFrom<JsonValue>(12, 24),
    { maxKeys: 2 },
  );

  it('proposes plans that validate, or says what is missing', () => {
    let seen = 0;
    fc.assert(
      fc.property(goal, inputs, fc.constantFrom('it', 'en', 'de', 'fr'), (text, given, locale) => {
        // `power` has a ceiling; a value that the person gives is theirs to correct.
        const values = Object.fromEntries(
          Object.entries(given).map(([name, one]) => [name, name === 'power' ? 2 : one]),
        );
        const proposal = proposeOffline({ goal: text, catalog, inputs: values, development: true, locale });
        if (!proposal.ok) {
          expect(proposal.missing.length).toBeGreaterThan(0);
          expect(proposal.missing.every((word) => word.length > 3)).toBe(true);
          return;
        }
        seen += 1;
        const result = validatePlan(JSON.parse(JSON.stringify(proposal.plan)), contextWith({ inputs: values }));
        expect(errorsOf(result)).toEqual([]);
        expect(
          proposal.plan.nodes.every(({ tool }) => ['none', 'temporary'].includes(catalog.get(tool)?.effect ?? '')),
        ).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(seen).toBeGreaterThan(40);
  });
});
