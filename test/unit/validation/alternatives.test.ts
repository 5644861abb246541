/** Ports that exclude each other, and ports that mean something only when asked for, against the product's own tools. */
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { allTools } from '../../../src/tools/index.ts';
import { accepted, refused } from '../../support/catalog/context.ts';

const catalog = createCatalog(allTools);
const nodes = [
  { id: 'rain', tool: 'gis.readRainfall' },
  { id: 'assets', tool: 'gis.loadAssets' },
  { id: 'surface', tool: 'gis.interpolate', dependsOn: ['rain', 'assets'] },
];
const argsOf = (plan: { nodes: readonly { id: string; args: unknown }[] }, id: string): unknown =>
  plan.nodes.find((node) => node.id === id)?.args;

describe('automatic binding', () => {
  it('does not put a raster beside the features that a reprojection was given', () => {
    const moved = {
      id: 'moved',
      tool: 'gis.reproject',
      dependsOn: ['surface'],
      args: { features: { ref: 'assets.features' }, crs: 'EPSG:32632' },
    };
    const { plan } = accepted({ nodes: [...nodes, moved] }, { catalog });
    expect(argsOf(plan, 'moved')).toEqual({ features: { ref: 'assets.features' }, crs: 'EPSG:32632' });
  });

  it('binds the one alternative that there is, and none when both could be meant', () => {
    const only = { id: 'moved', tool: 'gis.reproject', dependsOn: ['assets'], args: { crs: 'EPSG:32632' } };
    expect(argsOf(accepted({ nodes: [...nodes, only] }, { catalog }).plan, 'moved')).toMatchObject({
      features: { ref: 'assets.features' },
    });
    const both = { ...only, dependsOn: ['assets', 'surface'] };
    expect(refused({ nodes: [...nodes, both] }, { catalog }).length).toBeGreaterThan(0);
  });

  it('never takes features for the targets of an interpolation unasked', () => {
    expect(argsOf(accepted({ nodes }, { catalog }).plan, 'surface')).not.toHaveProperty('targets');
  });
});
