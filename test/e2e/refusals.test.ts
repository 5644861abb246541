/** Bad input gets a clear refusal with code and path, nothing is stored, and the process lives on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Loose } from '../support/system/api.ts';
import { EXAMPLE_PLAN } from '../support/system/plans.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startProcess({ state: temporaryState() });
});
afterAll(() => system.stop());

type Plan = { nodes: Loose[] } & Record<string, unknown>;
const changed = (change: (plan: Plan) => void): Plan => {
  const plan = structuredClone(EXAMPLE_PLAN) as unknown as Plan;
  change(plan);
  return plan;
};
const nodeOf = (plan: Plan, id: string): Loose => plan.nodes.find((node) => node.id === id);
const runCount = async (): Promise<number> => (await call(system.baseUrl, 'GET', '/runs?limit=200')).body.items.length;

describe('plans that are refused', () => {
  const cases: readonly (readonly [string, string, string, Plan])[] = [
    ['a cycle', 'CYCLE', '/nodes', changed((plan) => nodeOf(plan, 'rainfall').dependsOn.push('map'))],
    [
      'a self-reference',
      'SELF_DEPENDENCY',
      '/nodes/4/dependsOn',
      changed((plan) => nodeOf(plan, 'map').dependsOn.push('map')),
    ],
    [
      'an unknown tool',
      'UNKNOWN_TOOL',
      '/nodes/0/tool',
      changed((plan) => (nodeOf(plan, 'rainfall').tool = 'gis.readRainFall')),
    ],
    [
      'an unknown node',
      'UNKNOWN_NODE',
      '/nodes/4/args/exposure',
      changed((plan) => (nodeOf(plan, 'map').args.exposure.ref = 'nothing.features')),
    ],
    [
      'an unknown output',
      'UNKNOWN_OUTPUT',
      '/nodes/4/args/exposure',
      changed((plan) => (nodeOf(plan, 'map').args.exposure.ref = 'exposure.nothing')),
    ],
    [
      'an unknown output path',
      'UNKNOWN_OUTPUT_PATH',
      '/nodes/4/args/title',
      changed((plan) => (nodeOf(plan, 'map').args.title = { ref: 'exposure.summary.nothing' })),
    ],
    [
      'an unknown argument',
      'UNKNOWN_ARGUMENT',
      '/nodes/4/args/force',
      changed((plan) => (nodeOf(plan, 'map').args.force = true)),
    ],
    [
      '`A` beside `a`',
      'DUPLICATE_ID',
      '/nodes',
      changed((plan) =>
        plan.nodes.push({ id: 'Rainfall', tool: 'gis.readRainfall', dependsOn: [], args: { source: 'sample' } }),
      ),
    ],
    [
      'a URL as source',
      'ENDPOINT_IN_PLAN',
      '/nodes/0/args/source',
      changed((plan) => (nodeOf(plan, 'rainfall').args.source = 'https://example.org/rain.csv')),
    ],
    [
      'an unsupported feature',
      'UNSUPPORTED_FEATURE',
      '/nodes/4/onFailure',
      changed((plan) => (nodeOf(plan, 'map').onFailure = 'replan')),
    ],
    ['no nodes (O-03)', 'EMPTY_PLAN', '/nodes', changed((plan) => (plan.nodes = []))],
    [
      '4 000 nodes',
      'TOO_MANY_NODES',
      '/nodes',
      { nodes: Array.from({ length: 4_000 }, (_, i) => ({ id: `n${String(i)}`, tool: 'x.y' })) },
    ],
  ];

  it.each(cases)('%s: %s at %s, nothing stored', async (_what, code, path, plan) => {
    const before = await runCount();
    const { status, body } = await call(system.baseUrl, 'POST', '/runs', { plan });
    expect(status).toBe(422);
    expect(body.code).toBe('PLAN_INVALID');
    const finding = body.findings.find((one: { code: string }) => one.code === code);
    expect(finding, JSON.stringify(body.findings)).toBeDefined();
    expect(finding.path.startsWith(path)).toBe(true);
    expect(await runCount()).toBe(before);
    const only = await call(system.baseUrl, 'POST', '/plans/validate', plan);
    expect(only.status).toBe(422);
    expect(only.body.findings).toEqual(body.findings);
  });

  it('a CRS mismatch comes with a patch that makes the plan valid', async () => {
    const plan = changed((one) => {
      one.nodes.push({
        id: 'moved',
        tool: 'gis.reproject',
        dependsOn: ['assets'],
        args: { features: { ref: 'assets.features' }, crs: 'EPSG:2056' },
      });
      one.nodes.push({
        id: 'moved2',
        tool: 'gis.reproject',
        dependsOn: ['surface'],
        args: { raster: { ref: 'surface.raster' }, crs: 'EPSG:32632' },
      });
      nodeOf(one, 'exposure').args = {
        hazard: { ref: 'moved2.raster' },
        assets: { ref: 'moved.features' },
        thresholdMm: 30,
      };
      nodeOf(one, 'exposure').dependsOn = ['moved', 'moved2'];
    });
    const { status, body } = await call(system.baseUrl, 'POST', '/plans/validate', plan);
    expect(status).toBe(422);
    const finding = body.findings.find((one: { code: string }) => one.code === 'CRS_MISMATCH');
    expect(finding).toBeDefined();
    const { applyPatch } = await import('../../src/plan/patch.ts');
    const fixed = (applyPatch as (document: unknown, patch: unknown) => unknown)(
      JSON.parse(JSON.stringify(plan)),
      finding.fix,
    );
    const value = typeof fixed === 'object' && fixed !== null && 'value' in fixed ? fixed.value : fixed;
    expect((await call(system.baseUrl, 'POST', '/plans/validate', value)).status).toBe(200);
  });
});

describe('bodies that are refused', () => {
  const cases: readonly (readonly [string, number, string, string, string?])[] = [
    ['not JSON', 400, 'BAD_JSON', '{"goal":'],
    ['text after the JSON', 400, 'BAD_JSON', '{"goal":"x"} and more'],
    [
      'a duplicate key',
      400,
      'DUPLICATE_KEY',
      '{"plan":{"nodes":[{"id":"a","tool":"x.y","tool":"z.w"}]}}',
      '/plan/nodes/0/tool',
    ],
    [
      'an escaped duplicate key',
      400,
      'DUPLICATE_KEY',
      '{"plan":{"nodes":[{"id":"a","tool":"x.y","to\\u006fl":"z.w"}]}}',
      '/plan/nodes/0/tool',
    ],
    ['__proto__', 400, 'FORBIDDEN_KEY', '{"plan":{"nodes":[],"__proto__":{"x":1}}}', '/plan/__proto__'],
    ['depth 5 000', 400, 'TOO_DEEP', `{"plan":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    [
      'an infinite number',
      400,
      'NUMBER_NOT_FINITE',
      '{"plan":{"nodes":[],"limits":{"deadlineSeconds":1e999}}}',
      '/plan/limits/deadlineSeconds',
    ],
    ['a lone surrogate', 400, 'LONE_SURROGATE', '{"goal":"\\ud800"}', '/goal'],
    ['an unknown field', 400, 'UNKNOWN_FIELD', '{"goal":"x","force":true}', '/force'],
    ['neither goal nor plan', 400, 'INVALID_FIELD', '{}'],
    [
      'too many keys',
      400,
      'TOO_MANY_KEYS',
      `{"goal":"x","inputs":{${Array.from({ length: 11_000 }, (_, i) => `"k${String(i)}":1`).join(',')}}}`,
    ],
  ];
  it.each(cases)('%s: %i %s', async (_what, status, code, text, path) => {
    const before = await runCount();
    const answer = await call(system.baseUrl, 'POST', '/runs', text);
    expect(answer).toMatchObject({ status, body: { code, status } });
    if (path !== undefined) expect(answer.body.path).toBe(path);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await runCount()).toBe(before);
  });

  it('another content type, a body that is too large, a bad key, the model planner without a model', async () => {
    expect(await call(system.baseUrl, 'POST', '/runs', '{}', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
    expect(await call(system.baseUrl, 'POST', '/runs', JSON.stringify({ goal: 'x'.repeat(600_000) }))).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
    expect(await call(system.baseUrl, 'POST', '/runs', { goal: 'x' }, { 'idempotency-key': 'a b' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_IDEMPOTENCY_KEY' },
    });
    expect(await call(system.baseUrl, 'POST', '/runs', { goal: 'x', planner: 'llm' })).toMatchObject({
      status: 400,
      body: { code: 'PLANNER_NOT_CONFIGURED' },
    });
  });
});

describe('ids and paths', () => {
  it.each(['a%2Fb', 'a%23b', 'a%3Fb=1', 'a%20b', '%252e%252e', '%07x', 'a'.repeat(65), '-a'])(
    'O-08 a run id like %s is 400 INVALID_ID',
    async (id) => {
      expect(await call(system.baseUrl, 'GET', `/runs/${id}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_ID' },
      });
    },
  );

  it('O-06 an unknown run is 404 on every route', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/plan'],
      ['GET', '/report'],
      ['GET', '/events'],
      ['GET', '/artifacts'],
      ['GET', '/durable'],
      ['POST', '/cancel'],
    ] as const) {
      const answer = await call(system.baseUrl, method, `/runs/unknown-run${path}`, method === 'POST' ? {} : undefined);
      expect(answer, path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('the process is still alive', async () => {
    expect((await call(system.baseUrl, 'GET', '/health')).status).toBe(200);
  });
});
