/** The two plans of the design document. */
export const EXAMPLE_PLAN = {
  schemaVersion: '1.0',
  workflowId: 'rainfall-exposure',
  goal: 'Which infrastructure is exposed to the last 24 hours of rain?',
  inputs: { hours: 24 },
  nodes: [
    {
      id: 'rainfall',
      tool: 'gis.readRainfall',
      dependsOn: [],
      args: { source: 'sample', hours: { ref: '$inputs.hours' } },
    },
    { id: 'assets', tool: 'gis.loadAssets', dependsOn: [], args: { source: 'sample' } },
    {
      id: 'surface',
      tool: 'gis.interpolate',
      dependsOn: ['rainfall'],
      args: { observations: { ref: 'rainfall.observations' }, method: 'idw', power: 2 },
    },
    {
      id: 'exposure',
      tool: 'gis.overlayExposure',
      dependsOn: ['surface', 'assets'],
      args: { hazard: { ref: 'surface.raster' }, assets: { ref: 'assets.features' }, thresholdMm: 30 },
    },
    { id: 'map', tool: 'gis.generateMap', dependsOn: ['exposure'], args: { exposure: { ref: 'exposure.features' } } },
  ],
  outputs: { map: { ref: 'map.html' } },
};

export const BARE_PLAN = {
  nodes: [
    { id: 'rainfall', tool: 'gis.readRainfall', dependsOn: [] },
    { id: 'terrain', tool: 'gis.loadTerrain', dependsOn: [] },
    { id: 'assets', tool: 'gis.loadAssets', dependsOn: [] },
    { id: 'risk', tool: 'gis.computeRisk', dependsOn: ['rainfall', 'terrain', 'assets'] },
    { id: 'map', tool: 'gis.generateMap', dependsOn: ['risk'] },
  ],
};

export const ITALIAN_GOAL =
  'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte';
