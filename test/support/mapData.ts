/** Inputs for `gis.generateMap` in tests: a smooth rain field in UTM 32N over northern Italy, gauges, classified assets. */
import type { Geometry } from 'geojson';
import type { Labels, ToolInput, ToolRun } from '../../src/catalog/tool.ts';
import type { PortType } from '../../src/catalog/portTypes.ts';
import { MEDIA, type Raster } from '../../src/tools/gis/formats.ts';
import { writeCog } from '../../src/tools/gis/raster/cogWriter.ts';

export const CRS = 'EPSG:32632';
const ORIGIN_X = 480_000;
const ORIGIN_Y = 5_160_000;
const CELL = 2000;
const [WIDTH, HEIGHT] = [110, 80];
export const WINDOW = { from: '2026-05-12T06:00:00Z', to: '2026-05-13T06:00:00Z' };

/** mulberry32: a seeded generator, so that every run sees the same data. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Rain in mm at a place in UTM metres. */
export function rainAt(x: number, y: number): number {
  const [u, v] = [(x - 560_000) / 60_000, (y - 5_080_000) / 45_000];
  return 8 + 62 * Math.exp(-(u * u + v * v)) + 6 * Math.sin(x / 17_000);
}

/** Rain surface with a corner without data. */
export function rainRaster(overrides: Partial<Raster> = {}): Raster {
  const value = new Float32Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row += 1) {
    for (let column = 0; column < WIDTH; column += 1) {
      const [x, y] = [ORIGIN_X + (column + 0.5) * CELL, ORIGIN_Y - (row + 0.5) * CELL];
      value[row * WIDTH + column] = column + row > 150 ? NaN : rainAt(x, y);
    }
  }
  const error = value.map((one) => (Number.isNaN(one) ? NaN : 4));
  return {
    width: WIDTH,
    height: HEIGHT,
    originX: ORIGIN_X,
    originY: ORIGIN_Y,
    cellSize: CELL,
    crs: CRS,
    unit: 'mm',
    role: 'rain',
    bands: [
      { name: 'rain_mm', values: value },
      { name: 'se_mm', values: error },
    ],
    metadata: {
      METHOD: 'idw, power 2, all gauges, within 60000 m',
      LOOCV_RMSE_MM: '4.123',
      WINDOW_FROM: WINDOW.from,
      WINDOW_TO: WINDOW.to,
    },
    ...overrides,
  };
}

export interface AssetOptions {
  readonly count?: number;
  /** Name of asset `index`; a plain one by default. */
  readonly name?: (index: number) => string;
  readonly thresholdMm?: number;
}

type Item = { type: 'Feature'; id: string; geometry: Geometry | null; properties: Record<string, unknown> };

function exposureOf(rain: number | null, threshold: number): Record<string, unknown> {
  if (rain === null) return { rain_mm: null, se_mm: null, class: 'notAssessed', probability: null };
  const z = (rain - threshold) / 4;
  const probability = 1 / (1 + Math.exp(-1.702 * z));
  const name = probability > 0.95 ? 'exceeds' : probability < 0.05 ? 'below' : 'undecided';
  return { rain_mm: rain, se_mm: 4, class: name, probability };
}

/** Assets with exposure properties: points, every tenth a line, every twelfth an area, the last one without geometry. */
export function exposureItems({
  count = 60,
  name = (i) => `Impianto ${i}`,
  thresholdMm = 40,
}: AssetOptions = {}): Item[] {
  const random = seeded(7);
  return Array.from({ length: count }, (_, index): Item => {
    const [x, y] = [ORIGIN_X + 8000 + random() * 200_000, ORIGIN_Y - 8000 - random() * 140_000];
    const outside = (x - ORIGIN_X + ORIGIN_Y - y) / CELL > 148;
    const exposure = exposureOf(outside ? null : rainAt(x, y), thresholdMm);
    const share = exposure['class'] === 'exceeds' ? 1 : exposure['class'] === 'undecided' ? 0.45 : 0;
    let geometry: Geometry | null = { type: 'Point', coordinates: [x, y] };
    let measure = { kind: 'count', exposed: share === 1 ? 1 : 0, total: 1 };
    if (index % 10 === 4) {
      geometry = { type: 'LineString', coordinates: [[x, y], [x + 9000, y + 4000], [x + 15_000, y + 1000]] }; // prettier-ignore
      measure = { kind: 'length_m', exposed: 16_000 * share, total: 16_000 };
    } else if (index % 12 === 7) {
      geometry = { type: 'Polygon', coordinates: [[[x, y], [x + 11_000, y + 1000], [x + 9000, y + 9000], [x - 2000, y + 7000], [x, y]]] }; // prettier-ignore
      measure = { kind: 'area_share', exposed: share, total: 1 };
    }
    if (index === count - 1) geometry = null;
    return { type: 'Feature', id: `asset-${index}`, geometry, properties: { name: name(index), ...exposure, measure } };
  });
}

/** The same places with a screening class instead. */
export function screeningItems(options: AssetOptions = {}): Item[] {
  const classes = ['low', 'moderate', 'high'];
  return exposureItems(options).map((item, index) => {
    const rain = item.properties['rain_mm'];
    const rank = typeof rain !== 'number' ? null : rain > 55 ? 2 : rain > 30 ? 1 : 0;
    const properties = {
      name: item.properties['name'],
      screeningClass: rank === null ? null : classes[rank],
      screeningRank: rank,
      rain_mm: rain,
      slope_deg: rank === null ? null : (index * 7) % 35,
    };
    return { ...item, properties };
  });
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const NO_LABELS: Labels = { integrity: [], confidentiality: 'internal', licences: ['CC BY 4.0, sample authors'] };

function input(bytes: Uint8Array, mediaType: string, type: PortType): ToolInput {
  return { bytes, mediaType, type, sha256: '0'.repeat(64), labels: NO_LABELS };
}

/** A feature collection as the exposure port delivers it. */
export function featuresInput(
  items: readonly unknown[],
  crs: string = CRS,
  members: Readonly<Record<string, unknown>> = {},
): ToolInput {
  const source = { kind: 'sample', name: 'assets.geojson', sha256: '0'.repeat(64), licence: 'ODbL 1.0' };
  const value = {
    ...members,
    type: 'FeatureCollection',
    ...(crs === 'EPSG:4326' ? {} : { crs }),
    source,
    features: items,
  };
  const type: PortType = { kind: 'features', geometry: 'mixed', crs, role: 'result', fields: null };
  return input(encode(value), crs === 'EPSG:4326' ? MEDIA.geojson : MEDIA.features, type);
}

export interface GaugeOptions {
  readonly count?: number;
  readonly name?: (index: number) => string;
}

/** Validated observations. */
export function gaugesInput({ count = 36, name = (i) => `Pluviometro ${i}` }: GaugeOptions = {}): ToolInput {
  const random = seeded(11);
  const stations = Array.from({ length: count }, (_, index) => {
    const [x, y] = [ORIGIN_X + random() * 210_000, ORIGIN_Y - random() * 150_000];
    return {
      id: `G${String(index).padStart(3, '0')}`,
      x,
      y,
      mm: Math.round(rainAt(x, y) * 10) / 10,
      name: name(index),
    };
  });
  const source = { kind: 'sample', name: 'rain.csv', sha256: '1'.repeat(64), licence: 'CC0' };
  const value = { version: 1, quantity: 'rain', unit: 'mm', valueKind: 'interval', crs: CRS, window: WINDOW, validated: true, stations, source }; // prettier-ignore
  const type: PortType = { kind: 'observations', quantity: 'rain', unit: 'mm', valueKind: 'interval', window: WINDOW, crs: CRS, validated: true }; // prettier-ignore
  return input(encode(value), MEDIA.observations, type);
}

/** A rain surface as the surface port delivers it. */
export function surfaceInput(raster: Raster = rainRaster()): ToolInput {
  const { crs, unit, role, cellSize } = raster;
  return input(writeCog(raster), MEDIA.cog, {
    kind: 'raster',
    crs,
    unit,
    role,
    resolution: cellSize,
    extent: null,
    noData: NaN,
  });
}

/** A run of the tool with everything bound; `overrides` replaces parts. */
export function mapRun(overrides: Partial<ToolRun<unknown>> = {}, synthetic = false): ToolRun<unknown> {
  return {
    args: {},
    inputs: new Map([
      ['exposure', featuresInput(exposureItems())],
      ['surface', surfaceInput()],
      ['observations', gaugesInput()],
    ]),
    now: Date.parse('2026-05-13T07:12:00Z'),
    locale: 'en',
    timeZone: 'Europe/Rome',
    labels: synthetic ? { ...NO_LABELS, integrity: ['synthetic'] } : NO_LABELS,
    ...overrides,
  };
}
