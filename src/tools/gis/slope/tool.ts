import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { RasterType } from '../../../catalog/portTypes.ts';
import type {
  CheckResult,
  TypeProblem,
  TypeRuleInput,
  TypeRuleResult,
  ToolResult,
  ToolRun,
} from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo, findCrs } from '../crs/crsInfo.ts';
import { metricCrsOfExtent } from '../crs/localMetric.ts';
import type { Raster } from '../formats.ts';
import { rasterPromise } from '../raster/grid.ts';
import { bandOf, rasterOutput, readRaster } from '../raster/rasterFile.ts';
import { hornSlope } from './horn.ts';

const args = z.strictObject({});
type Args = z.infer<typeof args>;

/**
 * *Slope needs metres on both axes*: a problem with the reprojection to insert when the system is known not to be metric.
 * Shared with `gis.computeRisk`.
 */
export function notMetric(port: string, terrain: RasterType): TypeProblem | null {
  const info = terrain.crs === null ? undefined : findCrs(terrain.crs);
  if (info === undefined || info.metric) return null;
  const target = terrain.extent === null ? null : metricCrsOfExtent(terrain.extent, info.id);
  return {
    code: 'CRS_NOT_PROJECTED',
    port,
    message: `Slope needs a projected system in metres; the terrain is in ${info.id} (${info.name}).`,
    hint:
      target === null
        ? 'Insert gis.reproject to the UTM zone or the national system of the area.'
        : `Insert gis.reproject to ${target}.`,
    ...(target === null
      ? {}
      : { insert: { tool: 'gis.reproject', inputPort: 'raster', outputPort: 'raster', args: { crs: target } } }),
  };
}

function types({ inputs }: TypeRuleInput): TypeRuleResult {
  const terrain = inputs.get('terrain');
  const raster = terrain?.kind === 'raster' ? terrain : null;
  const problem = raster && notMetric('terrain', raster);
  const { crs = null, extent = null, resolution = null } = raster ?? {};
  return {
    outputs: new Map([['raster', rasterPromise('slope', 'deg', { crs, extent, resolution })]]),
    problems: problem ? [problem] : [],
  };
}

/**
 * Slope of a terrain raster in a metric system.
 * @throws ToolError `CRS_NOT_PROJECTED`
 */
export function slopeOf(terrain: Raster): Raster {
  const info = crsInfo(terrain.crs);
  if (!info.metric) {
    throw new ToolError(
      'CRS_NOT_PROJECTED',
      `Slope needs a projected system in metres; the terrain is in ${info.id} (${info.name}). Put gis.reproject before it.`,
    );
  }
  const heights = bandOf(terrain, 'elevation_m');
  return {
    ...terrain,
    role: 'slope',
    unit: 'deg',
    bands: [{ name: 'slope_deg', values: hornSlope(heights, terrain.width, terrain.height, terrain.cellSize) }],
    metadata: { ...terrain.metadata, METHOD: 'slope in degrees, Horn 1981, 3 × 3 cells' },
  };
}

function checks(terrain: Raster, slope: Raster): CheckResult[] {
  const heights = bandOf(terrain, 'elevation_m');
  const degrees = bandOf(slope, 'slope_deg');
  let outside = 0;
  let disagree = 0;
  degrees.forEach((value, cell) => {
    if (Number.isNaN(value) !== Number.isNaN(heights[cell])) disagree += 1;
    if (value < 0 || value >= 90) outside += 1;
  });
  // Slope does not know how high the terrain lies: the first rows again, 100 m higher.
  const rows = Math.min(terrain.height, 8);
  const strip = heights.subarray(0, rows * terrain.width);
  const lifted = hornSlope(
    strip.map((value) => value + 100),
    terrain.width,
    rows,
    terrain.cellSize,
  );
  const flat = hornSlope(strip, terrain.width, rows, terrain.cellSize);
  const shift = lifted.reduce((most, value, cell) => Math.max(most, Math.abs(value - (flat[cell] as number)) || 0), 0);
  return [
    {
      name: 'slope between 0 and 90 degrees',
      passed: outside === 0,
      detail: `${outside} of ${degrees.length} cells outside`,
    },
    {
      name: 'slope exactly where there is terrain',
      passed: disagree === 0,
      detail: `${disagree} of ${degrees.length} cells disagree`,
    },
    {
      name: 'slope does not change when the terrain is lifted by 100 m',
      passed: shift < 0.5,
      detail: `largest change ${shift} degrees (float32 heights)`,
    },
  ];
}

async function run({ inputs }: ToolRun<Args>): Promise<ToolResult> {
  const input = inputs.get('terrain');
  if (!input) throw new ToolError('INVALID_ARGUMENT', 'terrain is missing.');
  const terrain = await readRaster(input, ['terrain']);
  const slope = slopeOf(terrain);
  return { outputs: new Map([['raster', rasterOutput(slope, 'slope.tif')]]), checks: checks(terrain, slope) };
}

/** Slope in degrees of a terrain raster. */
export const slopeTool = defineTool<Args>({
  name: 'gis.slope',
  version: '1.0.0',
  summary: 'Slope in degrees of a terrain raster (Horn).',
  input: args,
  ports: {
    inputs: {
      terrain: {
        accepts: [{ kind: 'raster', role: 'terrain' }],
        required: true,
        description: 'Heights in metres, in a metric system.',
      },
    },
    outputs: { raster: { type: rasterPromise('slope', 'deg'), description: 'Slope in degrees.' } },
  },
  sources: [],
  types,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.slope',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 128 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
