/** What the map shows: built once by `buildMapData`, drawn by the page (as JSON inside the HTML) and by the SVG. */
import type { Geometry } from 'geojson';
import type { ClassStyle } from './classes.ts';
import type { Labels, Locale } from './labels.ts';
import type { Box } from './mercator.ts';
import type { RampClass } from './rainRamp.ts';

export interface MapAsset {
  /** Place in the input, from 0. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** Index into `classes`. */
  readonly classIndex: number;
  readonly rain: number | null;
  readonly se: number | null;
  readonly probability: number | null;
  readonly slope: number | null;
  readonly measure: {
    readonly kind: 'count' | 'length_m' | 'area_share';
    readonly exposed: number;
    readonly total: number;
  } | null;
  /** WGS 84, longitude first; null = listed as without geometry. */
  readonly geometry: Geometry | null;
  /** Degrees; null without geometry. */
  readonly box: Box | null;
}

export interface MapGauge {
  readonly id: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly mm: number;
  readonly flags: readonly string[];
}

export interface MapSurface {
  /** `data:image/png;base64,…`, already warped to Web Mercator. */
  readonly url: string;
  /** Degrees. */
  readonly box: Box;
  readonly ramp: readonly RampClass[];
  readonly unit: string;
  readonly hasNoData: boolean;
}

export interface MapWindow {
  /** `2026-05-12 08:00 – 2026-05-13 08:00`, each in the zone named beside it. */
  readonly utc: string;
  readonly local: string;
  readonly zone: string;
}

export interface MapData {
  readonly version: 1;
  readonly locale: Locale;
  readonly labels: Labels;
  readonly title: string;
  readonly mode: 'exposure' | 'screening';
  readonly headline: string;
  readonly classes: readonly ClassStyle[];
  readonly assets: readonly MapAsset[];
  readonly withoutGeometry: number;
  readonly gauges: readonly MapGauge[];
  readonly surface: MapSurface | null;
  /** Coast and border lines near the map, WGS 84. */
  readonly borders: readonly (readonly (readonly [number, number])[])[];
  readonly window: MapWindow | null;
  readonly windowDiffers: boolean;
  /** Run time, UTC. */
  readonly created: string;
  /** Names of the systems the data came in, sorted. */
  readonly dataCrs: readonly string[];
  /** Sources and licences, sorted, unique. */
  readonly sources: readonly string[];
  /** How the surface was made and its error, as its file says; empty when unknown. */
  readonly method: readonly string[];
  /** What the classes rest on: threshold or matrix, in lines; empty when unknown. */
  readonly rule: readonly string[];
  readonly synthetic: boolean;
  /** Degrees; what the map shows at first. */
  readonly box: Box;
  /** Metres of outline simplification, 0 = none. */
  readonly simplifiedM: number;
}
