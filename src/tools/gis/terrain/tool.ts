import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type {
  CheckResult,
  ToolInput,
  ToolResult,
  ToolRun,
  TypeProblem,
  TypeRuleInput,
  TypeRuleResult,
} from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo, findCrs, sameCrs } from '../crs/crsInfo.ts';
import { fitsCrs } from '../crs/fits.ts';
import type { Raster } from '../formats.ts';
import { extentOf, rasterPromise, type Grid } from '../raster/grid.ts';
import { sourceArg } from '../rainfall/args.ts';
import { readGeoTiff } from '../raster/geoTiffReader.ts';
import { rasterOutput } from '../raster/rasterFile.ts';
import { looksLikeAsciiGrid, readAsciiGrid } from './asciiGrid.ts';
import { checkedHeights, metresPer } from './heights.ts';

const args = z.strictObject({
  source: sourceArg.describe('"sample" (development only), {upload: sha256}, or the name of a connection.'),
  crs: z
    .string()
    .max(100)
    .optional()
    .describe('EPSG code; needed when the file names none, refused when it names another.'),
});
type Args = z.infer<typeof args>;

function types({ args: given }: TypeRuleInput): TypeRuleResult {
  const problems: TypeProblem[] = [];
  const crs = typeof given['crs'] === 'string' ? given['crs'] : null;
  const info = crs === null ? undefined : findCrs(crs);
  if (crs !== null && info === undefined) {
    problems.push({
      code: 'INVALID_ARGUMENT',
      port: 'crs',
      message: `The system ${crs.slice(0, 60)} is not known here.`,
      hint: 'Give an EPSG code such as EPSG:32632.',
    });
  }
  return { outputs: new Map([['raster', rasterPromise('terrain', 'm', { crs: info?.id ?? null })]]), problems };
}

interface Loaded {
  readonly grid: Grid;
  readonly heights: Float32Array;
  readonly format: string;
  readonly note: string;
}

function chosenCrs(fromFile: string | null, fileCode: number | null, fromArgs: string | undefined): string {
  if (fromArgs !== undefined && fromFile !== null && !sameCrs(fromArgs, fromFile)) {
    throw new ToolError(
      'CRS_MISMATCH',
      `The file says ${fromFile}, the argument says ${crsInfo(fromArgs).id}. Leave crs out, or use gis.reproject to change the system.`,
    );
  }
  if (fromFile !== null) return fromFile;
  if (fromArgs !== undefined) return crsInfo(fromArgs).id;
  throw new ToolError(
    'CRS_MISMATCH',
    fileCode === null
      ? 'The file names no coordinate system. Give it as crs.'
      : `The file is in EPSG:${fileCode}, which is not known here. Reproject it, for example to EPSG:4326, and upload it again.`,
  );
}

async function load(input: ToolInput, crs: string | undefined): Promise<Loaded> {
  if (looksLikeAsciiGrid(input.bytes)) {
    const { values, noData, ...place } = readAsciiGrid(input.bytes);
    return {
      grid: { ...place, crs: chosenCrs(null, null, crs) },
      heights: checkedHeights(values, 1),
      format: 'Esri ASCII grid',
      note: noData === null ? 'no no-data value declared' : `no data ${noData}`,
    };
  }
  const file = await readGeoTiff(input.bytes);
  const [band] = file.bands;
  if (!band || file.bands.length !== 1)
    throw new ToolError('UPLOAD_INVALID', `Terrain has one band; this file has ${file.bands.length}.`);
  const factor = metresPer(file.verticalUnit);
  const { width, height, originX, originY, cellSize } = file;
  return {
    grid: { width, height, originX, originY, cellSize, crs: chosenCrs(file.crs, file.crsCode, crs) },
    heights: checkedHeights(band.values, factor),
    format: 'GeoTIFF',
    note: factor === 1 ? 'heights in metres' : `heights converted from feet (× ${factor})`,
  };
}

/** The corners must be where the system can be (O-38). */
function checkPlace(grid: Grid): void {
  const [minX, minY, maxX, maxY] = extentOf(grid);
  const middle = [(minX + maxX) / 2, (minY + maxY) / 2] as const;
  if (!fitsCrs(...middle, grid.crs)) {
    throw new ToolError(
      'CRS_MISMATCH',
      `The middle of the terrain, ${middle[0]}, ${middle[1]}, cannot be in ${grid.crs} (${crsInfo(grid.crs).name}). Is it the right system?`,
    );
  }
}

function checks(raster: Raster): CheckResult[] {
  let least = Infinity;
  let most = -Infinity;
  let cells = 0;
  for (const value of raster.bands[0]?.values ?? []) {
    if (Number.isNaN(value)) continue;
    cells += 1;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [
    {
      name: 'heights are heights on Earth',
      passed: cells > 0 && least >= -11_500 && most <= 9_000,
      detail: `${cells} cells from ${least} to ${most} m`,
    },
  ];
}

async function run({ args: given, inputs }: ToolRun<Args>): Promise<ToolResult> {
  const input = inputs.get('source');
  if (!input)
    throw new ToolError(
      'SOURCE_REQUIRED',
      'No terrain was handed to the tool. Upload a GeoTIFF or an Esri ASCII grid.',
    );
  const { grid, heights, format, note } = await load(input, given.crs);
  checkPlace(grid);
  const raster: Raster = {
    ...grid,
    unit: 'm',
    role: 'terrain',
    bands: [{ name: 'elevation_m', values: heights }],
    metadata: {
      SOURCE: input.name ?? 'terrain',
      SOURCE_SHA256: input.sha256,
      FORMAT: format,
      NOTE: note,
      LICENCE: input.labels.licences.join('; '),
    },
  };
  return { outputs: new Map([['raster', rasterOutput(raster, 'terrain.tif')]]), checks: checks(raster) };
}

/** Terrain heights in metres from a GeoTIFF or an Esri ASCII grid. */
export const loadTerrainTool = defineTool<Args>({
  name: 'gis.loadTerrain',
  version: '1.0.0',
  summary: 'Loads terrain heights from a GeoTIFF or an Esri ASCII grid.',
  input: args,
  ports: {
    inputs: {},
    outputs: { raster: { type: rasterPromise('terrain', 'm'), description: 'Heights in metres.' } },
  },
  sources: ['source'],
  types,
  effect: 'none',
  resources: {},
  permission: 'tool:gis.loadTerrain',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 128 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'snapshot',
  runsIn: 'child',
  run,
});
