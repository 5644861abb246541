import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { planDigest } from '../../../src/plan/digest.ts';
import type { JsonValue, Plan } from '../../../src/plan/types.ts';
import { proposeOffline, type OfflineProposal, type OfflineRequest } from '../../../src/planner/offline.ts';
import { accepted, catalog } from '../../support/catalog/context.ts';
import { gisTools } from '../../support/catalog/gisTools.ts';

const MISSION =
  'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte';

const propose = (goal: string, changes: Partial<OfflineRequest> = {}): OfflineProposal =>
  proposeOffline({ goal, catalog, inputs: {}, development: true, locale: 'en', ...changes });

function planFor(goal: string, changes: Partial<OfflineRequest> = {}): Plan {
  const proposal = propose(goal, changes);
  if (!proposal.ok) throw new Error(proposal.missing.join('; '));
  return proposal.plan;
}

function missing(goal: string, changes: Partial<OfflineRequest> = {}): readonly string[] {
  const proposal = propose(goal, changes);
  if (proposal.ok) throw new Error('a plan was found');
  expect(proposal.code).toBe('NO_PLAN');
  return proposal.missing;
}

const toolsOf = (plan: Plan): string[] => plan.nodes.map(({ tool }) => tool);
const nodeOf = (plan: Plan, id: string) => plan.nodes.find((node) => node.id === id);
const validated = (plan: Plan, changes: Parameters<typeof accepted>[1] = {}) =>
  accepted(JSON.parse(JSON.stringify(plan)), { inputs: {}, ...changes });

describe('the mission', () => {
  const plan = planFor(MISSION, { locale: 'it' });

  it('reads, validates, interpolates, overlays the assets and maps what is exposed', () => {
    expect(nodeOf(plan, 'map')?.args['exposure']).toEqual({ ref: 'exposure.features' });
    expect(nodeOf(plan, 'exposure')?.args).toMatchObject({
      hazard: { ref: 'surface.raster' },
      assets: { ref: 'assets.features' },
    });
    expect(nodeOf(plan, 'surface')?.args['observations']).toEqual({ ref: 'validated.observations' });
    expect(nodeOf(plan, 'validated')?.args['observations']).toEqual({ ref: 'rainfall.observations' });
    expect(nodeOf(plan, 'rainfall')?.tool).toBe('gis.readRainfall');
    expect(nodeOf(plan, 'assets')?.tool).toBe('gis.loadAssets');
  });

  it('takes the hours from the goal and screens the critical areas by terrain', () => {
    expect(plan.inputs).toEqual({ hours: 24, thresholdMm: 30 });
    expect(nodeOf(plan, 'rainfall')?.args['hours']).toEqual({ ref: '$inputs.hours' });
    expect(toolsOf(plan)).toContain('gis.computeRisk');
    expect(plan.outputs).toMatchObject({
      map: { ref: 'map.html' },
      image: { ref: 'map.png' },
      exposure: { ref: 'exposure.features' },
      screening: { ref: 'screening.raster' },
    });
  });

  it('documents the threshold and why it is a fixed one, in the language of the run', () => {
    expect(plan.context.assumptions.join('\n')).toMatch(/Soglia di 30 mm .* fissa: un percentile/);
    const english = planFor(MISSION).context.assumptions.join('\n');
    expect(english).toMatch(/Threshold 30 mm over the window, fixed: a percentile would/);
    expect(planFor(MISSION, { locale: 'de-CH' }).context.assumptions.join('\n')).toMatch(/Schwelle 30 mm/);
  });

  it('passes the validator without a warning and with nothing to insert', () => {
    const result = validated(plan);
    expect(result.findings).toEqual([]);
    expect(result.plan.nodes).toHaveLength(plan.nodes.length);
    expect(result.plan.nodes.find(({ id }) => id === 'map')?.args).toMatchObject({
      surface: { ref: 'surface.raster' },
    });
  });

  it('is the same every time', () => {
    expect(planDigest(planFor(MISSION, { locale: 'it' }))).toBe(planDigest(plan));
  });
});

describe('what a goal says', () => {
  it.each<[string, string[]]>([
    [
      'Which roads are exposed to more than 50 mm of rain in the last 2 days?',
      ['gis.readRainfall', 'gis.validateObservations', 'gis.interpolate', 'gis.loadAssets', 'gis.overlayExposure'],
    ],
    ['Zeige die Hangneigung des Geländes', ['gis.loadTerrain', 'gis.slope']],
    [
      'How much did it rain during the last 6 hours?',
      ['gis.readRainfall', 'gis.validateObservations', 'gis.interpolate'],
    ],
    ['Interpolate the rainfall', ['gis.readRainfall', 'gis.validateObservations', 'gis.interpolate']],
    [
      'Mappa delle infrastrutture esposte',
      [
        'gis.readRainfall',
        'gis.validateObservations',
        'gis.interpolate',
        'gis.loadAssets',
        'gis.overlayExposure',
        'gis.generateMap',
      ],
    ],
    [
      'Karte der betroffenen Gemeinden bei Starkregen in den letzten 12 Stunden',
      [
        'gis.readRainfall',
        'gis.validateObservations',
        'gis.interpolate',
        'gis.loadAssets',
        'gis.overlayExposure',
        'gis.generateMap',
      ],
    ],
  ])('%s', (goal, tools) => {
    const plan = planFor(goal);
    expect(toolsOf(plan).sort()).toEqual([...tools].sort());
    validated(plan);
  });

  it.each<[string, Record<string, JsonValue>]>([
    ['rain of the last 24 hours', { hours: 24 }],
    ['piogge delle ultime 6 ore', { hours: 6 }],
    ['Regen der letzten 12 Stunden', { hours: 12 }],
    ['rain of the past 3 days', { hours: 72 }],
    ['rain of the last day', { hours: 24 }],
    ['piogge degli ultimi 2 giorni', { hours: 48 }],
    ['rain of the last week', { hours: 168 }],
    ['rain over 1.5 h', { hours: 1.5 }],
    ['strade esposte a oltre 40,5 mm di pioggia', { thresholdMm: 40.5 }],
    ['roads exposed to 24h rain above 20 mm', { hours: 24, thresholdMm: 20 }],
  ])('%s → %j', (goal, inputs) => {
    expect(planFor(goal).inputs).toMatchObject(inputs);
  });

  it('takes a percentile when the goal states one', () => {
    const plan = planFor('assets exposed to rain above the 90th percentile');
    expect(plan.inputs).toEqual({ threshold: { basis: 'percentile', percentile: 90 } });
    expect(plan.context.assumptions.join()).toContain('percentile 90');
  });
});

describe('what it refuses, saying what is missing', () => {
  it('a goal about nothing it knows', () => {
    expect(missing('bake a cake').join('\n')).toContain('a subject: rain, exposed infrastructure');
    expect(missing('').join('\n')).toContain('outputs');
    expect(missing('Draw a map of my garden').join('\n')).toContain('a subject');
  });

  it.each([
    ['map the earthquakes', 'earthquakes'],
    ['Mappa degli incendi', 'fire'],
    ['Hochwasser der letzten 24 Stunden', 'floods'],
    ['infrastructure exposed to wind', 'wind'],
  ])('%s', (goal, subject) => {
    expect(missing(goal)).toEqual([`a tool that measures ${subject}`]);
  });

  it('says that nothing is said about a subject beside rain', () => {
    expect(planFor('roads exposed to rain and wind').context.assumptions.join()).toContain(
      'nothing is said about wind',
    );
  });

  it('a publication, unless it is only mentioned to be left out', () => {
    expect(missing('Publish a map of the rain').join()).toContain('"publishes"');
    expect(missing('Mappa delle piogge e avvisa il sindaco').join()).toContain('"notifies"');
    expect(toolsOf(planFor('Map the exposed roads without publishing anything'))).toContain('gis.generateMap');
  });

  it('a chain that the catalog does not reach', () => {
    const small = createCatalog(gisTools.filter(({ name }) => name !== 'gis.interpolate'));
    expect(missing(MISSION, { catalog: small }).join()).toContain('a tool that gives raster (rain)');
    expect(missing(MISSION, { catalog: createCatalog([]) }).join()).toContain('a tool gis.generateMap');
  });

  it('data, outside development', () => {
    const words = missing(MISSION, { development: false });
    expect(words.join('\n')).toContain('data for gis.readRainfall');
    expect(words.join('\n')).toContain('data for gis.loadAssets');
  });
});

describe('data that a person brings', () => {
  const sha = (c: string) => c.repeat(64);
  const uploads = new Map(
    [sha('a'), sha('b'), sha('c')].map((digest) => [digest, { mediaType: 'text/csv', name: 'x' }]),
  );
  const data = { rainfall: { upload: sha('a') }, assets: { upload: sha('b') } };

  it('is wired by name, with arguments of the same name', () => {
    const plan = planFor(MISSION, { inputs: { ...data, hours: 6, thresholdMm: 12 }, development: false });
    expect(nodeOf(plan, 'rainfall')?.args).toMatchObject({
      source: { ref: '$inputs.rainfall' },
      hours: { ref: '$inputs.hours' },
    });
    expect(nodeOf(plan, 'assets')?.args['source']).toEqual({ ref: '$inputs.assets' });
    expect(plan.inputs).toMatchObject({ hours: 6, thresholdMm: 12 });
    const result = validated(plan, { inputs: { ...data, hours: 6, thresholdMm: 12 }, uploads, development: false });
    expect(result.findings).toEqual([]);
  });

  it('without terrain a map of critical areas shows what is above the threshold', () => {
    const plan = planFor('Mappa delle aree critiche', { inputs: data });
    expect(nodeOf(plan, 'map')?.args['exposure']).toEqual({ ref: 'exposure.features' });
    expect(nodeOf(planFor('Mappa delle aree critiche'), 'map')?.args['exposure']).toEqual({
      ref: 'screening.features',
    });
    expect(missing('critical areas', { inputs: data }).join()).toContain('data for gis.loadTerrain');
  });

  it('is never mixed with the sample: without terrain there is no screening, and the plan says so', () => {
    const plan = planFor(MISSION, { inputs: data });
    expect(toolsOf(plan)).not.toContain('gis.computeRisk');
    expect(toolsOf(plan)).not.toContain('gis.loadTerrain');
    expect(plan.context.assumptions.join()).toContain('No terrain is available');
    expect(JSON.stringify(plan)).not.toContain('"sample"');
    const full = planFor(MISSION, { inputs: { ...data, dem: { upload: sha('c') } } });
    expect(toolsOf(full)).toContain('gis.computeRisk');
    expect(missing(MISSION, { inputs: { rainfall: { upload: sha('a') } } }).join()).toContain(
      'data for gis.loadAssets',
    );
  });

  it('of an unknown name is asked about, and an input that is not used is named', () => {
    expect(missing(MISSION, { inputs: { file: { upload: sha('a') } } }).length).toBeGreaterThan(0);
    const plan = planFor(MISSION, { inputs: { colour: 'red' } });
    expect(plan.context.assumptions.join()).toContain('"colour" is not used');
    validated(plan, { inputs: { colour: 'red' } });
  });
});

describe('outputs that are named', () => {
  it.each<[string[], string]>([
    [['gis.generateMap.html'], 'gis.generateMap'],
    [['raster.rain'], 'gis.interpolate'],
    [['raster.slope'], 'gis.slope'],
    [['observations'], 'gis.readRainfall'],
    [['features.result'], 'gis.overlayExposure'],
    [['artifact'], 'gis.generateMap'],
  ])('%j ends at %s', (outputs, tool) => {
    const plan = planFor('', { outputs });
    expect(Object.values(plan.outputs)).toHaveLength(1);
    const [id] = (Object.values(plan.outputs)[0]?.ref ?? '').split('.');
    expect(nodeOf(plan, id ?? '')?.tool).toBe(tool);
    validated(plan);
  });

  it.each([
    'gis.generateMap.pdf',
    'gis.nothing.html',
    'picture',
    'raster.blue',
    '',
    'constructor',
    'gis.generateMap.toString',
  ])('refuses %j', (output) => {
    expect(missing('', { outputs: [output] })).toEqual([expect.stringContaining('an output')]);
  });
});
