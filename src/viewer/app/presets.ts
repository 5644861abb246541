/** Goals to start from, and the ready-made plan for own data. */

export interface Preset {
  readonly language: string;
  readonly label: string;
  readonly goal: string;
}

export const PRESETS: readonly Preset[] = [
  {
    language: 'en',
    label: 'Infrastructure and rain',
    goal: 'Analyse the rainfall of the last 24 hours, find the potentially critical areas and make a map of the exposed infrastructure.',
  },
  {
    language: 'it',
    label: 'Infrastrutture e pioggia',
    goal: 'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte',
  },
];

export type Source = 'sample' | { readonly upload: string };

/** Rain → surface → exposure → map, with the sources put in. */
export function exposurePlan(goal: string, rain: Source, assets: Source, thresholdMm: number): unknown {
  return {
    schemaVersion: '1.0',
    workflowId: 'rainfall-exposure',
    goal,
    nodes: [
      { id: 'rainfall', tool: 'gis.readRainfall', dependsOn: [], args: { source: rain, hours: 24 } },
      { id: 'assets', tool: 'gis.loadAssets', dependsOn: [], args: { source: assets } },
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
        args: { hazard: { ref: 'surface.raster' }, assets: { ref: 'assets.features' }, thresholdMm },
      },
      { id: 'map', tool: 'gis.generateMap', dependsOn: ['exposure'], args: { exposure: { ref: 'exposure.features' } } },
    ],
    outputs: { map: { ref: 'map.html' } },
  };
}

/**
 * Language and time zone to answer in: those of the example when its sentence was taken as it is, else the browser's.
 * Map and report then read as the question did, with the times of the place it was asked in.
 */
export function answerIn(goal: string): { readonly locale: string; readonly timeZone: string } {
  const preset = PRESETS.find((one) => one.goal === goal);
  const locale = preset?.language ?? navigator.language.slice(0, 2).toLowerCase();
  return {
    locale: /^[a-z]{2}$/.test(locale) ? locale : 'en',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
