import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { allTools } from '../../../src/tools/index.ts';

/** What every tool in the registry keeps, so that validator, planner and runtime may rely on it. */
describe('all tools', () => {
  it('are those of the contract, by name', () => {
    expect(allTools.map((tool) => tool.name)).toEqual([
      'core.aggregate',
      'core.format',
      'core.wait',
      'gis.computeRisk',
      'gis.generateMap',
      'gis.interpolate',
      'gis.intersectRisk',
      'gis.loadAssets',
      'gis.loadTerrain',
      'gis.overlayExposure',
      'gis.readRainfall',
      'gis.reproject',
      'gis.slope',
      'gis.validateObservations',
    ]);
  });

  it('build a catalog, whose digest is the same each time', () => {
    expect(createCatalog(allTools).digest).toBe(createCatalog([...allTools].reverse()).digest);
  });

  it.each(allTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    expect(tool.effect).toBe('none');
    expect(tool.permission).toBe(`tool:${name}`);
    expect(tool.input.safeParse({ source: 'sample', __unknown: 1 }).success).toBe(false);
    for (const source of tool.sources) {
      expect(tool.input.safeParse({ [source]: 'http://169.254.169.254/latest' }).success).toBe(false);
      expect(tool.input.safeParse({ [source]: '/etc/passwd' }).success).toBe(false);
      expect(tool.input.safeParse({ [source]: { upload: 'A'.repeat(64) } }).success).toBe(false);
      expect(tool.input.safeParse({ [source]: 'sample' }).success).toBe(true);
    }
    const ruled = tool.types({ inputs: new Map(), args: {} });
    // A tool may give one of several outputs, by what it was given; never one that it does not declare.
    for (const port of ruled.outputs.keys()) expect(Object.keys(tool.ports.outputs)).toContain(port);
    for (const [port, type] of ruled.outputs) expect(type.kind).toBe(tool.ports.outputs[port]?.type.kind);
  });
});
