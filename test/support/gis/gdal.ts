/** GDAL compiled to WebAssembly: an independent reader and writer, for tests only. Loaded once a test file. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GdalBand {
  readonly block: readonly [number, number];
  readonly type: string;
  readonly description?: string;
  readonly unit?: string;
  readonly noDataValue?: number | string;
  readonly overviews?: readonly { readonly size: readonly [number, number] }[];
}

export interface GdalInfo {
  readonly size: readonly [number, number];
  readonly geoTransform: readonly number[];
  readonly coordinateSystem?: { readonly wkt: string };
  readonly metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bands: readonly GdalBand[];
}

interface Dataset {
  readonly pointer: number;
}

interface Gdal {
  open(path: string): Promise<{ datasets: Dataset[]; errors: string[] }>;
  close(dataset: Dataset): Promise<void>;
  gdalinfo(dataset: Dataset, options: string[]): Promise<GdalInfo>;
  gdal_translate(dataset: Dataset, options: string[], name?: string): Promise<{ local: string }>;
  gdalwarp(dataset: Dataset, options: string[], name?: string): Promise<{ local: string }>;
  gdaltransform(coordinates: number[][], options: string[]): Promise<number[][]>;
  getFileBytes(path: { local: string }): Promise<Uint8Array>;
}

let loaded: Promise<Gdal> | undefined;

export function gdal(): Promise<Gdal> {
  const require = createRequire(import.meta.url);
  const start = require('gdal3.js/node') as (options: object) => Promise<Gdal>;
  // The loader reads its files relative to the working directory.
  loaded ??= start({ path: 'node_modules/gdal3.js/dist/package', useWorker: false });
  return loaded;
}

let count = 0;
const folder = mkdtempSync(join(tmpdir(), 'geoagent-gdal-'));

async function withDataset<T>(
  bytes: Uint8Array,
  extension: string,
  use: (gdal: Gdal, dataset: Dataset) => Promise<T>,
): Promise<T> {
  const tool = await gdal();
  count += 1;
  const path = join(folder, `file${count}.${extension}`);
  writeFileSync(path, bytes);
  const { datasets, errors } = await tool.open(path);
  const [dataset] = datasets;
  if (!dataset) throw new Error(`GDAL does not open the file: ${errors.join('; ')}`);
  try {
    return await use(tool, dataset);
  } finally {
    await tool.close(dataset);
  }
}

/** What gdalinfo says about a file. */
export function gdalInfo(bytes: Uint8Array, extension = 'tif'): Promise<GdalInfo> {
  return withDataset(bytes, extension, (tool, dataset) => tool.gdalinfo(dataset, ['-json']));
}

/** The file through gdal_translate with these options. */
export function gdalTranslate(bytes: Uint8Array, options: string[], extension = 'tif'): Promise<Uint8Array> {
  return withDataset(bytes, extension, async (tool, dataset) => {
    count += 1;
    return tool.getFileBytes(await tool.gdal_translate(dataset, options, `out${count}`));
  });
}

/** The file through gdalwarp with these options. */
export function gdalWarp(bytes: Uint8Array, options: string[], extension = 'tif'): Promise<Uint8Array> {
  return withDataset(bytes, extension, async (tool, dataset) => {
    count += 1;
    return tool.getFileBytes(await tool.gdalwarp(dataset, options, `out${count}`));
  });
}

/** Values of one band as GDAL reads them (raw float32 in the ENVI format), row 0 first. */
export async function gdalBand(bytes: Uint8Array, band: number): Promise<Float32Array> {
  const raw = await gdalTranslate(bytes, ['-of', 'ENVI', '-ot', 'Float32', '-b', String(band)]);
  return new Float32Array(raw.slice().buffer);
}
