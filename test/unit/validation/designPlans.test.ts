import { describe, expect, it } from 'vitest';
import { accepted, brief } from '../../support/catalog/context.ts';
import { barePlan, examplePlan } from '../../support/catalog/plans.ts';

describe('the plans of the design page', () => {
  it('accepts the bare plan and shows every binding and insertion', () => {
    const { plan, findings, bindings } = accepted(barePlan());
    expect(findings).toEqual([]);
    expect(plan.nodes.map(({ id, tool, insertedBy }) => [id, tool, insertedBy])).toEqual([
      ['rainfall', 'gis.readRainfall', undefined],
      ['terrain', 'gis.loadTerrain', undefined],
      ['assets', 'gis.loadAssets', undefined],
      ['risk', 'gis.computeRisk', undefined],
      ['map', 'gis.generateMap', undefined],
      ['rainfall-validated', 'gis.validateObservations', 'normalise'],
      ['rainfall-surface', 'gis.interpolate', 'normalise'],
    ]);
    const byId = new Map(plan.nodes.map((node) => [node.id, node]));
    expect(byId.get('rainfall')?.args).toEqual({ source: 'sample' });
    expect(byId.get('risk')?.args).toEqual({
      rain: { ref: 'rainfall-surface.raster' },
      terrain: { ref: 'terrain.raster' },
      assets: { ref: 'assets.features' },
    });
    expect(byId.get('risk')?.dependsOn).toEqual(['assets', 'rainfall', 'rainfall-surface', 'terrain']);
    expect(byId.get('map')?.args).toEqual({
      exposure: { ref: 'risk.features' },
      surface: { ref: 'rainfall-surface.raster' },
      observations: { ref: 'rainfall-validated.observations' },
    });
    expect(byId.get('rainfall-surface')?.args).toEqual({
      observations: { ref: 'rainfall-validated.observations' },
      method: 'idw',
      power: 2,
    });
    expect(bindings.find(({ nodeId, port }) => nodeId === 'risk' && port === 'rain')?.how).toBe('inserted');
    expect(bindings.find(({ nodeId, port }) => nodeId === 'map' && port === 'exposure')?.how).toBe('bound');
  });

  it('accepts the example plan, inserts the missing validation and nothing else', () => {
    const { plan, findings, totals } = accepted(examplePlan());
    expect(brief(findings)).toEqual([]);
    expect(plan.nodes.map(({ id }) => id)).toEqual([
      'rainfall',
      'assets',
      'surface',
      'exposure',
      'map',
      'rainfall-validated',
    ]);
    expect(plan.nodes[2]?.args['observations']).toEqual({ ref: 'rainfall-validated.observations' });
    expect(plan.nodes[2]?.dependsOn).toEqual(['rainfall', 'rainfall-validated']);
    expect(plan.nodes[0]?.args).toEqual({ source: 'sample', hours: { ref: '$inputs.hours' } });
    expect(totals).toEqual({ deadlineSeconds: 1800, maxCostCents: 10_000, estimatedCents: 6, criticalPathSeconds: 25 });
  });

  it('gives the same plan and digest when its own answer is validated again', () => {
    for (const given of [barePlan(), examplePlan()]) {
      const first = accepted(given);
      const second = accepted(JSON.parse(JSON.stringify(first.plan)));
      expect(second.plan).toEqual(first.plan);
      expect(second.planDigest).toBe(first.planDigest);
    }
  });
});
