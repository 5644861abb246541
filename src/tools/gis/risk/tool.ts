import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { PortType } from '../../../catalog/portTypes.ts';
import type {
  CheckResult,
  ToolOutput,
  ToolResult,
  ToolRun,
  TypeProblem,
  TypeRuleInput,
  TypeRuleResult,
} from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { sameCrs } from '../crs/crsInfo.ts';
import { readFeatures } from '../exposure/featureFile.ts';
import { crsMismatch, resultType, unitMismatch } from '../exposure/types.ts';
import type { Raster } from '../formats.ts';
import { overlaps, rasterPromise } from '../raster/grid.ts';
import { bandOf, rasterOutput, readRaster } from '../raster/rasterFile.ts';
import { notMetric } from '../slope/tool.ts';
import { SCREENING_FIELDS, screenAssets } from './assetScreening.ts';
import { DEFAULT_MATRIX, isMonotone, matrixArg, rankOf, type Matrix } from './matrix.ts';
import { screen } from './screening.ts';

const args = z.strictObject({
  matrix: matrixArg
    .default(DEFAULT_MATRIX)
    .describe('Limits of rain (mm) and slope (degrees), class names from low to high, and the rank of every pair.'),
});
type Args = z.infer<typeof args>;

function disjoint(rain: PortType | undefined, terrain: PortType | undefined): TypeProblem | null {
  if (rain?.kind !== 'raster' || terrain?.kind !== 'raster') return null;
  if (rain.crs === null || terrain.crs === null || rain.extent === null || terrain.extent === null) return null;
  if (!sameCrs(rain.crs, terrain.crs) || overlaps(rain.extent, terrain.extent)) return null;
  return {
    code: 'EXTENT_DISJOINT',
    port: 'terrain',
    message: 'Rain and terrain do not overlap.',
    hint: 'Load terrain of the area of the gauges.',
  };
}

function types({ inputs }: TypeRuleInput): TypeRuleResult {
  const rain = inputs.get('rain');
  const terrain = inputs.get('terrain');
  const assets = inputs.get('assets');
  const problems = [
    unitMismatch('rain', rain, 'mm'),
    unitMismatch('terrain', terrain, 'm'),
    terrain?.kind === 'raster' ? notMetric('terrain', terrain) : null,
    disjoint(rain, terrain),
    crsMismatch('rain', rain, assets),
  ].filter((problem) => problem !== null);
  const known = rain?.kind === 'raster' ? { crs: rain.crs, extent: rain.extent, resolution: rain.resolution } : {};
  return {
    outputs: new Map<string, PortType>([
      ['features', resultType(assets, SCREENING_FIELDS)],
      ['raster', rasterPromise('screening', 'class', known)],
    ]),
    problems,
  };
}

function rasterChecks(raster: Raster, matrix: Matrix): CheckResult[] {
  const ranks = bandOf(raster, 'screening_rank');
  const rain = bandOf(raster, 'rain_mm');
  const slope = bandOf(raster, 'slope_deg');
  let wrong = 0;
  let fell = 0;
  ranks.forEach((rank, cell) => {
    const mm = rain[cell] ?? NaN;
    const deg = slope[cell] ?? NaN;
    if (Number.isNaN(rank) !== (Number.isNaN(mm) || Number.isNaN(deg))) wrong += 1;
    if (!Number.isNaN(rank) && rankOf(matrix, mm + 10, deg) < rank) fell += 1;
  });
  const monotone = isMonotone(matrix);
  return [
    {
      name: 'a class exactly where there is rain and slope',
      passed: wrong === 0,
      detail: `${wrong} of ${ranks.length} cells disagree`,
    },
    {
      name: '10 mm more rain lower no class',
      passed: fell === 0 || !monotone,
      detail: `${fell} cells fall${monotone ? '' : '; the matrix of the plan is not monotone'}`,
    },
    {
      name: 'the matrix is monotone',
      passed: monotone,
      detail: 'more rain or slope never lowers the rank',
      severity: 'report',
    },
  ];
}

async function run({ args: { matrix }, inputs }: ToolRun<Args>): Promise<ToolResult> {
  const rainInput = inputs.get('rain');
  const terrainInput = inputs.get('terrain');
  const assetsInput = inputs.get('assets');
  if (!rainInput || !terrainInput || !assetsInput)
    throw new ToolError('INVALID_ARGUMENT', 'rain, terrain and assets are all needed.');
  const rain = await readRaster(rainInput, ['rain']);
  const terrain = await readRaster(terrainInput, ['terrain']);
  const { raster } = screen(rain, terrain, matrix);
  const assets = screenAssets(readFeatures(assetsInput, 'assets'), assetsInput.type, raster, matrix);
  return {
    outputs: new Map<string, ToolOutput>([
      ['features', assets.output],
      ['raster', rasterOutput(raster, 'screening.tif')],
    ]),
    checks: [...rasterChecks(raster, matrix), ...assets.checks],
  };
}

/** Screening class of assets from rain class and slope class. */
export const computeRiskTool = defineTool<Args>({
  name: 'gis.computeRisk',
  version: '1.0.0',
  summary:
    'Screening class of places and assets from rain class and slope class by a printed matrix. Not a risk, not a warning.',
  input: args,
  ports: {
    inputs: {
      rain: {
        accepts: [{ kind: 'raster', role: 'rain' }],
        required: true,
        description: 'Rain in mm; its grid is the grid of the result.',
      },
      terrain: {
        accepts: [{ kind: 'raster', role: 'terrain' }],
        required: true,
        description: 'Heights in metres, in a metric system.',
      },
      assets: {
        accepts: [{ kind: 'features', role: 'assets' }],
        required: true,
        description: 'What is to be screened.',
      },
    },
    outputs: {
      features: {
        type: resultType(undefined, SCREENING_FIELDS),
        description: 'The assets with the highest class on their cells.',
      },
      raster: { type: rasterPromise('screening', 'class'), description: 'Rank of the class, rain and slope per cell.' },
    },
  },
  sources: [],
  types,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.computeRisk',
  cost: { cents: 0, seconds: 3 },
  limits: { timeoutSeconds: 180, maxOutputBytes: 256 * 1024 * 1024, memoryMb: 1536 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
