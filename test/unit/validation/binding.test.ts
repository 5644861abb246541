import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import type { PlanNode } from '../../../src/plan/types.ts';
import { accepted, brief, refused } from '../../support/catalog/context.ts';
import { gisTools } from '../../support/catalog/gisTools.ts';

const rain = { id: 'rain', tool: 'gis.readRainfall' };
const assets = { id: 'assets', tool: 'gis.loadAssets' };
const byId = (nodes: readonly PlanNode[]) => new Map(nodes.map((node) => [node.id, node]));

describe('automatic binding', () => {
  it('binds a required port to the only declared dependency that fits', () => {
    const { plan, bindings } = accepted({
      nodes: [{ id: 't', tool: 'gis.loadTerrain' }, rain, { id: 's', tool: 'gis.slope', dependsOn: ['t', 'rain'] }],
    });
    expect(plan.nodes[2]?.args).toEqual({ terrain: { ref: 't.raster' } });
    expect(bindings).toEqual([{ nodeId: 's', port: 'terrain', ref: 't.raster', how: 'bound' }]);
  });

  it('does not look beyond the declared dependencies for a required port, and says what fits', () => {
    const findings = refused({
      nodes: [
        { id: 't', tool: 'gis.loadTerrain' },
        { id: 's', tool: 'gis.slope' },
      ],
    });
    expect(brief(findings)).toEqual(['MISSING_ARGUMENT /nodes/1/args/terrain']);
    expect(findings[0]?.hint).toBe('what fits: t.raster');
  });

  it('refuses to choose between two that fit', () => {
    const terrains = ['t1', 't2'].map((id) => ({ id, tool: 'gis.loadTerrain' }));
    const findings = refused({ nodes: [...terrains, { id: 's', tool: 'gis.slope', dependsOn: ['t2', 't1'] }] });
    expect(brief(findings)).toEqual(['AMBIGUOUS_BINDING /nodes/2/args/terrain']);
    expect(findings[0]?.message).toContain('t1.raster, t2.raster');
  });

  it('refuses to choose between two that fit through insertions', () => {
    const nodes = [rain, { ...rain, id: 'rain2' }, { id: 's', tool: 'gis.interpolate', dependsOn: ['rain', 'rain2'] }];
    expect(brief(refused({ nodes }))).toEqual(['AMBIGUOUS_BINDING /nodes/2/args/observations']);
  });

  it('prefers what fits as it is to what fits through an insertion', () => {
    const nodes = [
      rain,
      { id: 'v', tool: 'gis.validateObservations', dependsOn: ['rain'] },
      { id: 's', tool: 'gis.interpolate', dependsOn: ['rain', 'v'] },
    ];
    const { plan } = accepted({ nodes });
    expect(plan.nodes).toHaveLength(3);
    expect(plan.nodes[2]?.args['observations']).toEqual({ ref: 'v.observations' });
  });

  it('binds an optional port to the only ancestor that fits, and leaves it open among several', () => {
    const chain = [
      rain,
      assets,
      { id: 's', tool: 'gis.interpolate', dependsOn: ['rain'] },
      { id: 'e', tool: 'gis.overlayExposure', dependsOn: ['s', 'assets'], args: { thresholdMm: 1 } },
    ];
    const one = accepted({ nodes: [...chain, { id: 'm', tool: 'gis.generateMap', dependsOn: ['e'] }] });
    expect(byId(one.plan.nodes).get('m')?.args).toMatchObject({ surface: { ref: 's.raster' } });
    const second = { id: 's2', tool: 'gis.interpolate', dependsOn: ['rain'] };
    const several = accepted({
      nodes: [...chain, second, { id: 'm', tool: 'gis.generateMap', dependsOn: ['e', 's2'] }],
    });
    expect(byId(several.plan.nodes).get('m')?.args).not.toHaveProperty('surface');
    expect(byId(several.plan.nodes).get('m')?.args).toHaveProperty('observations');
  });

  it('gives a bound node the edge to what it is bound to', () => {
    const { plan } = accepted({
      nodes: [
        rain,
        assets,
        { id: 'e', tool: 'gis.overlayExposure', dependsOn: ['rain', 'assets'], args: { thresholdMm: 1 } },
      ],
    });
    const e = byId(plan.nodes).get('e');
    expect(e?.args['hazard']).toEqual({ ref: 'rain-surface.raster' });
    expect(e?.dependsOn).toEqual(['assets', 'rain', 'rain-surface']);
  });

  it('does not guess behind an unknown tool', () => {
    const findings = refused({
      nodes: [
        { id: 'x', tool: 'gis.nothing' },
        { id: 's', tool: 'gis.slope', dependsOn: ['x'] },
      ],
    });
    expect(brief(findings)).toEqual(['UNKNOWN_TOOL /nodes/0/tool']);
  });
});

describe('ports that are given', () => {
  const slopeOf = (terrain: unknown, more: readonly unknown[] = []) => ({
    inputs: { x: 1 },
    nodes: [
      rain,
      { id: 't', tool: 'gis.loadTerrain' },
      ...more,
      { id: 's', tool: 'gis.slope', dependsOn: ['rain', 't'], args: { terrain } },
    ],
  });

  it.each([
    [{ ref: 'rain.observations' }, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [{ ref: 'rain.report' }, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [{ ref: 'rain.report.rows_total' }, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [{ ref: '$inputs.x' }, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    ['t.raster', 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [{ literal: { ref: 't.raster' } }, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [null, 'TYPE_MISMATCH /nodes/2/args/terrain'],
    [{ ref: 't.raster', also: 1 }, 'INVALID_ARGUMENT /nodes/2/args/terrain'],
    [{ ref: 't.rastr' }, 'UNKNOWN_OUTPUT /nodes/2/args/terrain/ref'],
    [{ ref: 'T.raster' }, 'UNKNOWN_NODE /nodes/2/args/terrain/ref'],
  ])('refuses %j', (terrain, finding) => {
    expect(brief(refused(slopeOf(terrain)))).toEqual([finding]);
  });

  it('names what would fit', () => {
    expect(refused(slopeOf({ ref: 'rain.observations' }))[0]?.hint).toBe('what fits: t.raster');
  });

  it('lets an optional port be left open by "default": null, and refuses any other default at a port', () => {
    const overlay = (node: unknown) => ({ nodes: [rain, { id: 'assets', tool: 'gis.loadAssets' }, node] });
    const interpolate = (targets: unknown) =>
      overlay({
        id: 'i',
        tool: 'gis.interpolate',
        dependsOn: ['rain', 'assets'],
        args: { observations: { ref: 'rain.observations' }, targets },
      });
    const left = { ref: 'assets.features', default: null };
    const { plan } = accepted(interpolate(left));
    expect(plan.nodes.find(({ id }) => id === 'i')?.args['targets']).toEqual(left);
    expect(brief(refused(interpolate({ ref: 'assets.features', default: [] })))).toEqual([
      'INVALID_ARGUMENT /nodes/2/args/targets/default',
    ]);
    expect(brief(refused(slopeOf({ ref: 't.raster', default: null })))).toEqual([
      'INVALID_ARGUMENT /nodes/2/args/terrain/default',
    ]);
  });
});

describe('insertions', () => {
  it('are shared by consumers of the same source', () => {
    const surface = (id: string) => ({ id, tool: 'gis.interpolate', dependsOn: ['rain'] });
    const { plan } = accepted({ nodes: [rain, surface('a'), surface('b')] });
    expect(plan.nodes.map(({ id }) => id)).toEqual(['rain', 'a', 'b', 'rain-validated']);
  });

  it('have ids that collide with nothing, ignoring case', () => {
    const nodes = [
      { id: 'Rain-Validated', tool: 'gis.loadTerrain' },
      rain,
      { id: 's', tool: 'gis.interpolate', dependsOn: ['rain'] },
    ];
    expect(accepted({ nodes }).plan.nodes[3]?.id).toBe('rain-validated-2');
    const long = 'r'.repeat(64);
    const { plan } = accepted({
      nodes: [
        { ...rain, id: long },
        { id: 's', tool: 'gis.interpolate', dependsOn: [long] },
      ],
    });
    expect(plan.nodes[2]?.id).toBe(`${'r'.repeat(54)}-validated`);
  });

  it('are the same whatever the order of nodes', () => {
    const nodes = [
      rain,
      assets,
      { id: 'e', tool: 'gis.overlayExposure', dependsOn: ['rain', 'assets'], args: { thresholdMm: 1 } },
    ];
    const forward = accepted({ nodes });
    expect(accepted({ nodes: [...nodes].reverse() }).planDigest).toBe(forward.planDigest);
  });

  it('are not made when the catalog does not have the tool', () => {
    const catalog = createCatalog(gisTools.filter(({ name }) => name !== 'gis.validateObservations'));
    const nodes = [
      rain,
      { id: 's', tool: 'gis.interpolate', dependsOn: ['rain'], args: { observations: { ref: 'rain.observations' } } },
    ];
    const findings = refused({ nodes }, { catalog });
    expect(brief(findings)).toEqual(['TYPE_MISMATCH /nodes/1/args/observations']);
    expect(findings[0]?.message).toContain('observations (not validated)');
  });

  it('need the same rights as nodes that were given', () => {
    const findings = refused(
      { nodes: [rain, { id: 's', tool: 'gis.interpolate', dependsOn: ['rain'] }] },
      {
        decide: ({ resource }) => ({ allow: resource.tool !== 'gis.validateObservations', reasons: ['no-validation'] }),
      },
    );
    expect(brief(findings)).toEqual(['NOT_AUTHORIZED /nodes/1/tool']);
    expect(findings[0]?.message).toContain('gis.validateObservations');
  });
});

describe('omitted sources', () => {
  it('are the sample in development', () => {
    expect(accepted({ nodes: [rain] }).plan.nodes[0]?.args).toEqual({ source: 'sample' });
  });
  it('are refused elsewhere, and so is the sample by name', () => {
    expect(brief(refused({ nodes: [rain] }, { development: false }))).toEqual(['SOURCE_REQUIRED /nodes/0/args/source']);
    expect(brief(refused({ nodes: [{ ...rain, args: { source: 'sample' } }] }, { development: false }))).toEqual([
      'SOURCE_REQUIRED /nodes/0/args/source',
    ]);
  });
});
