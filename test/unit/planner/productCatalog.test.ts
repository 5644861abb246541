import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { applyPatch } from '../../../src/plan/patch.ts';
import { proposeOffline } from '../../../src/planner/offline.ts';
import { allTools } from '../../../src/tools/index.ts';
import { accepted, brief, catalog as fakes, refused } from '../../support/catalog/context.ts';
import { barePlan, examplePlan } from '../../support/catalog/plans.ts';

const catalog = createCatalog(allTools);

describe('the tools of the product', () => {
  it.each([
    ['the example plan', examplePlan],
    ['the bare plan', barePlan],
  ])('validate %s without a warning, and to itself', (_name, plan) => {
    const first = accepted(plan(), { catalog });
    expect(first.findings).toEqual([]);
    expect(accepted(JSON.parse(JSON.stringify(first.plan)), { catalog }).planDigest).toBe(first.planDigest);
  });

  it.each([
    'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte',
    'Map the places exposed to more than 40 mm of rain in the last 12 hours',
    'assets exposed to rain above the 90th percentile',
    'Mappa delle aree critiche',
    'Zeige die Hangneigung des Geländes',
  ])('carry the proposal for: %s', (goal) => {
    const proposal = proposeOffline({ goal, catalog, inputs: {}, development: true, locale: 'it' });
    if (!proposal.ok) throw new Error(proposal.missing.join('; '));
    expect(accepted(JSON.parse(JSON.stringify(proposal.plan)), { catalog, inputs: {} }).findings).toEqual([]);
  });

  it('offer the reprojection that makes a plan with two systems valid', () => {
    const plan = {
      nodes: [
        { id: 'rain', tool: 'gis.readRainfall', args: { schema: { crs: 'EPSG:2056' } } },
        { id: 'assets', tool: 'gis.loadAssets', args: { crs: 'EPSG:4326' } },
        { id: 'e', tool: 'gis.overlayExposure', dependsOn: ['rain', 'assets'], args: { thresholdMm: 20 } },
      ],
    };
    const findings = refused(plan, { catalog });
    expect(brief(findings)).toEqual(['CRS_MISMATCH /nodes/2/args/assets']);
    const patched = applyPatch(plan, findings[0]?.fix ?? []);
    expect(patched.ok && accepted(patched.value, { catalog }).findings).toEqual([]);
  });

  it('have the names, ports and outputs that the fakes of these tests stand in for', () => {
    for (const fake of fakes.list()) {
      const tool = catalog.get(fake.name);
      if (tool === undefined) continue;
      expect(Object.keys(tool.ports.inputs), fake.name).toEqual(expect.arrayContaining(Object.keys(fake.ports.inputs)));
      expect(Object.keys(tool.ports.outputs), fake.name).toEqual(
        expect.arrayContaining(Object.keys(fake.ports.outputs)),
      );
      expect(tool.sources, fake.name).toEqual(fake.sources);
      expect(tool.permission).toBe(`tool:${tool.name}`);
    }
  });
});
