/** What the tools get, built from values: stations, features, rasters as the files that earlier nodes write. */
import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { PortType } from '../../../src/catalog/portTypes.ts';
import type { ToolDefinition, ToolInput, ToolOutput, ToolResult } from '../../../src/catalog/tool.ts';
import { ToolError } from '../../../src/plan/errors.ts';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { MEDIA, type Raster, type Station } from '../../../src/tools/gis/formats.ts';
import { rasterTypeOf } from '../../../src/tools/gis/raster/grid.ts';
import { writeCog } from '../../../src/tools/gis/raster/cogWriter.ts';

const LABELS = { integrity: ['synthetic'], confidentiality: 'public', licences: ['test data'] } as const;
const SOURCE = { kind: 'sample', name: 'made for a test', sha256: '0'.repeat(64), licence: 'test data' };

export function asInput(bytes: Uint8Array, mediaType: string, type: PortType, name?: string): ToolInput {
  const base = { bytes, mediaType, type, sha256: sha256Hex(bytes), labels: LABELS };
  return name === undefined ? base : { ...base, name };
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export interface ObservationOptions {
  readonly crs?: string;
  readonly validated?: boolean;
  readonly window?: { from: string; to: string } | null;
}

export const DAY = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };

export function observations(stations: readonly Station[], options: ObservationOptions = {}): ToolInput {
  const { crs = 'EPSG:2056', validated = true, window = DAY } = options;
  const set = {
    version: 1,
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    crs,
    window,
    validated,
    stations,
    source: SOURCE,
  };
  const type: PortType = {
    kind: 'observations',
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    window,
    crs,
    validated,
  };
  return asInput(encode(set), MEDIA.observations, type);
}

export type TestFeature = Feature<Geometry | null, Record<string, unknown> | null>;

export function feature(id: string, geometry: Geometry | null, properties: Record<string, unknown> = {}): TestFeature {
  return { type: 'Feature', id, geometry, properties };
}

export const point = (id: string, x: number, y: number): TestFeature =>
  feature(id, { type: 'Point', coordinates: [x, y] });

export function features(
  list: readonly TestFeature[],
  crs = 'EPSG:2056',
  role: 'assets' | 'zones' = 'assets',
): ToolInput {
  const geojson = crs === 'EPSG:4326';
  const file = { type: 'FeatureCollection', features: list, source: SOURCE, ...(geojson ? {} : { crs }) };
  return asInput(encode(file), geojson ? MEDIA.geojson : MEDIA.features, {
    kind: 'features',
    geometry: null,
    crs,
    role,
    fields: null,
  });
}

export function raster(value: Partial<Raster> & Pick<Raster, 'width' | 'height' | 'bands'>): Raster {
  return {
    originX: 2_600_000,
    originY: 1_200_000,
    cellSize: 100,
    crs: 'EPSG:2056',
    unit: 'mm',
    role: 'rain',
    metadata: {},
    ...value,
  };
}

/** A rain raster from rows of numbers (north first), with one standard error everywhere (or rows of them). */
export function rainRaster(
  rows: readonly (readonly number[])[],
  se: number | readonly (readonly number[])[],
  more: Partial<Raster> = {},
): Raster {
  const width = rows[0]?.length ?? 0;
  const rain = Float32Array.from(rows.flat());
  const errors =
    typeof se === 'number' ? rain.map((mm) => (Number.isNaN(mm) ? NaN : se)) : Float32Array.from(se.flat());
  return raster({
    width,
    height: rows.length,
    bands: [
      { name: 'rain_mm', values: rain },
      { name: 'se_mm', values: errors },
    ],
    ...more,
  });
}

export function terrainRaster(
  width: number,
  height: number,
  heightAt: (column: number, row: number) => number,
  more: Partial<Raster> = {},
): Raster {
  const values = Float32Array.from({ length: width * height }, (_, i) => heightAt(i % width, Math.floor(i / width)));
  return raster({ width, height, unit: 'm', role: 'terrain', bands: [{ name: 'elevation_m', values }], ...more });
}

export const rasterInput = (value: Raster): ToolInput => asInput(writeCog(value), MEDIA.cog, rasterTypeOf(value));

/** Runs a tool as the activity does: arguments through its schema, then `run`. */
export function runTool(
  tool: ToolDefinition,
  args: unknown,
  inputs: Readonly<Record<string, ToolInput>>,
): Promise<ToolResult> {
  const ports = new Map(Object.entries(inputs));
  return tool.run!({
    args: tool.input.parse(args),
    inputs: ports,
    now: 0,
    locale: 'en',
    timeZone: 'UTC',
    labels: LABELS,
  });
}

export function output(result: ToolResult, port: string): ToolOutput {
  const found = result.outputs.get(port);
  if (!found) throw new Error(`no output ${port}`);
  return found;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- tests look into JSON of all kinds */
export const jsonOf = (result: ToolResult, port: string): any =>
  JSON.parse(new TextDecoder().decode(output(result, port).bytes));

type AnyCollection = FeatureCollection<Geometry, Record<string, any>> & Record<string, any>;
/* eslint-enable @typescript-eslint/no-explicit-any */

export const featuresOf = (result: ToolResult, port = 'features'): AnyCollection =>
  jsonOf(result, port) as AnyCollection;

/** Names of the checks that failed. */
export const failedChecks = (result: ToolResult): string[] =>
  result.checks.filter(({ passed }) => !passed).map(({ name, detail }) => `${name}: ${detail}`);

/** An output of one tool as the input of the next. */
export function asNext(result: ToolResult, port: string): ToolInput {
  const { bytes, mediaType, type, fileName } = output(result, port);
  return asInput(bytes, mediaType, type, fileName);
}

/** The code that a promise fails with; the error itself when it is no `ToolError`. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
  return 'no error';
}
