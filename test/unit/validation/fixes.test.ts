import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import type { Finding } from '../../../src/plan/finding.ts';
import { applyPatch } from '../../../src/plan/patch.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { accepted, brief, catalog, refused } from '../../support/catalog/context.ts';
import { gisTools } from '../../support/catalog/gisTools.ts';

function applyFix(plan: unknown, finding: Finding | undefined): unknown {
  if (finding?.fix === undefined) throw new Error(`no fix: ${JSON.stringify(finding)}`);
  const result = applyPatch(plan as JsonValue, finding.fix);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

const nodes = (more: Record<string, unknown> = {}) => [
  { id: 'rain', tool: 'gis.readRainfall', args: { crs: 'EPSG:2056' } },
  { id: 'assets', tool: 'gis.loadAssets', args: { crs: 'EPSG:4326' } },
  { id: 'exposure', tool: 'gis.overlayExposure', dependsOn: ['rain', 'assets'], args: { thresholdMm: 30 }, ...more },
];

describe('a CRS mismatch', () => {
  it('offers a reprojection that makes the plan valid', () => {
    const plan = { nodes: nodes() };
    const findings = refused(plan);
    expect(brief(findings)).toEqual(['CRS_MISMATCH /nodes/2/args/assets']);
    const { plan: fixed, findings: left } = accepted(applyFix(plan, findings[0]));
    expect(left).toEqual([]);
    const added = fixed.nodes.find(({ tool }) => tool === 'gis.reproject');
    expect(added).toMatchObject({
      id: 'assets-reproject',
      dependsOn: ['assets'],
      args: { features: { ref: 'assets.features' }, crs: 'EPSG:2056' },
    });
    expect(fixed.nodes.find(({ id }) => id === 'exposure')?.args['assets']).toEqual({
      ref: 'assets-reproject.features',
    });
  });

  it('works on a plan without args and dependsOn written out, and beside a node of the same name', () => {
    const bare = [
      ...nodes().slice(0, 2),
      { id: 'terrain', tool: 'gis.loadTerrain' },
      { id: 'assets-reproject', tool: 'gis.loadTerrain' },
      { id: 'risk', tool: 'gis.computeRisk', dependsOn: ['rain', 'assets', 'terrain'] },
    ];
    const findings = refused({ nodes: bare });
    expect(brief(findings)).toEqual(['CRS_MISMATCH /nodes/4/args/assets']);
    const { plan } = accepted(applyFix({ nodes: bare }, findings[0]));
    expect(plan.nodes.find(({ tool }) => tool === 'gis.reproject')?.id).toBe('assets-reproject-2');
  });

  it('writes out what normalisation inserted when the fix has to name it', () => {
    // The rule of this catalog blames the raster, which normalisation made.
    const tools = gisTools.map((tool) =>
      tool.name !== 'gis.overlayExposure'
        ? tool
        : {
            ...tool,
            types: (rule: Parameters<typeof tool.types>[0]) => {
              const { outputs, problems } = tool.types(rule);
              return {
                outputs,
                problems: problems.map((problem) => ({
                  ...problem,
                  port: 'hazard',
                  insert: {
                    tool: 'gis.reproject',
                    inputPort: 'raster',
                    outputPort: 'raster',
                    args: { crs: 'EPSG:4326' },
                  },
                })),
              };
            },
          },
    );
    const other = createCatalog(tools);
    const plan = { nodes: nodes() };
    const findings = refused(plan, { catalog: other });
    expect(brief(findings)).toEqual(['CRS_MISMATCH /nodes/2/args/hazard']);
    const { plan: fixed } = accepted(applyFix(plan, findings[0]), { catalog: other });
    expect(fixed.nodes.map(({ id }) => id).sort()).toEqual([
      'assets',
      'exposure',
      'rain',
      'rain-surface',
      'rain-surface-reproject',
      'rain-validated',
    ]);
  });

  it('offers nothing when the catalog has no such tool', () => {
    const without = createCatalog(gisTools.filter(({ name }) => name !== 'gis.reproject'));
    const findings = refused({ nodes: nodes() }, { catalog: without });
    expect(findings[0]?.code).toBe('CRS_MISMATCH');
    expect(findings[0]).not.toHaveProperty('fix');
  });
});

describe('fixes that need no judgement', () => {
  const base = () => ({
    nodes: [
      { id: 't', tool: 'gis.loadTerrain' },
      { id: 's', tool: 'gis.slope', dependsOn: ['t'] },
    ] as Record<string, unknown>[],
  });
  it.each([
    ['UNKNOWN_FIELD', { note: 'x' }],
    ['UNKNOWN_ARGUMENT', { args: { terrain: { ref: 't.raster' }, force: true } }],
    ['RETRY_ABOVE_CATALOG', { retry: { maxAttempts: 50 } }],
    ['TIMEOUT_ABOVE_CATALOG', { timeoutSeconds: 5000 }],
    ['SELF_DEPENDENCY', { dependsOn: ['t', 's', 's'] }],
  ])('%s', (code, change) => {
    const plan = base();
    plan.nodes[1] = { ...plan.nodes[1], ...change };
    const findings = refused(plan);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(accepted(applyFix(plan, findings[0])).findings).toEqual([]);
  });

  it('UNDECLARED_DEPENDENCY: each fix, and all of them in a row, silence the warnings of a node', () => {
    const plan = {
      nodes: [
        ...nodes({
          dependsOn: [],
          args: { thresholdMm: 1, hazard: { ref: 'rain.observations' }, assets: { ref: 'assets.features' } },
        }),
      ],
    };
    plan.nodes[1] = { ...plan.nodes[1], args: { crs: 'EPSG:2056' } } as never;
    const { findings } = accepted(plan);
    expect(brief(findings)).toEqual([
      'UNDECLARED_DEPENDENCY /nodes/2/args/assets',
      'UNDECLARED_DEPENDENCY /nodes/2/args/hazard',
    ]);
    expect(accepted(applyFix(plan, findings[0])).findings).toEqual([]);
    expect(accepted(applyFix(applyFix(plan, findings[0]), findings[1])).findings).toEqual([]);
  });
});

describe('a type rule', () => {
  it('that throws refuses instead of passing', () => {
    const tools = gisTools.map((tool) =>
      tool.name === 'gis.slope'
        ? {
            ...tool,
            types: () => {
              throw new Error('bug');
            },
          }
        : tool,
    );
    const findings = refused(
      {
        nodes: [
          { id: 't', tool: 'gis.loadTerrain' },
          { id: 's', tool: 'gis.slope', dependsOn: ['t'] },
        ],
      },
      { catalog: createCatalog(tools) },
    );
    expect(brief(findings)).toEqual(['TYPE_MISMATCH /nodes/1']);
  });

  it('sees types refined by what stands upstream', () => {
    const plan = {
      nodes: [
        { id: 'z', tool: 'gis.loadAssets', args: { role: 'zones', crs: 'EPSG:2056' } },
        { id: 'r', tool: 'gis.reproject', dependsOn: ['z'], args: { crs: 'EPSG:4326' } },
      ],
    };
    expect(accepted(plan).outputTypes.get('r')?.get('features')).toMatchObject({ role: 'zones', crs: 'EPSG:4326' });
    expect(catalog.has('gis.reproject')).toBe(true);
  });

  it('says which output a node does not give with the inputs it has', () => {
    const plan = {
      nodes: [
        { id: 'z', tool: 'gis.loadAssets' },
        { id: 'r', tool: 'gis.reproject', dependsOn: ['z'], args: { crs: 'EPSG:4326' } },
        { id: 's', tool: 'gis.slope', dependsOn: ['r'], args: { terrain: { ref: 'r.raster' } } },
      ],
    };
    expect(brief(refused(plan))).toEqual(['UNKNOWN_OUTPUT /nodes/2/args/terrain/ref']);
  });
});
