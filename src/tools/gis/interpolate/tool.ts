import { defineTool } from '../../../catalog/defineTool.ts';
import type { ToolOutput, ToolResult, ToolRun } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { jsonOutput } from '../../jsonOutput.ts';
import { readFeatures, rounded } from '../exposure/featureFile.ts';
import type { ObservationSet, Raster } from '../formats.ts';
import { extentOf, rasterPromise } from '../raster/grid.ts';
import { rasterOutput } from '../raster/rasterFile.ts';
import { interpolateArgs, type InterpolateArgs, type Quality } from './args.ts';
import { surfaceChecks } from './checks.ts';
import { interpolate, type Interpolation } from './interpolate.ts';
import { readObservations } from './observationFile.ts';
import { predictAt, type Prediction } from './predictions.ts';
import { interpolateTypes, PREDICTION_COLUMNS, predictionsType, qualityType } from './types.ts';

const STANDARD_ERROR =
  'se² = d · Σ w b / Σ w; d = distance to the nearest gauge (in the raster at least half a cell), w = weights of the estimate, b = (e² + mean e²) / (s + mean s), e = leave-one-out residual, s = distance of the gauge to its nearest neighbour';

function qualityOf(
  set: ObservationSet,
  args: InterpolateArgs,
  result: Interpolation,
  rows: readonly Prediction[],
): Quality {
  const { grid, options, model, surface } = result;
  const { rmseMm, maeMm, biasMm, n } = model.leaveOneOut;
  const number = (value: number): number => rounded(value, 6) ?? 0;
  return {
    method: 'idw',
    parameters: {
      power: args.power,
      neighbours: args.neighbours,
      resolutionM: grid.cellSize,
      extent: [...extentOf(grid)],
      extentBasis: args.extent === undefined ? 'gauges' : 'given',
      maxDistanceM: number(options.maxDistanceM),
      maxDistanceBasis: args.maxDistanceM === undefined ? 'gaugeSpacing' : 'given',
      crs: grid.crs,
      crsBasis: crsInfo(set.crs).metric ? 'observations' : 'utmZoneOfGauges',
      stations: result.gauges.length,
      standardError: STANDARD_ERROR,
    },
    loocv: { rmseMm: number(rmseMm), maeMm: number(maeMm), biasMm: number(biasMm), n },
    cells: {
      total: surface.rain.length,
      withValue: surface.rain.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0),
    },
    clipped: surface.clipped,
    targets: { given: rows.length, estimated: rows.filter((row) => row.rain_mm !== null).length },
  };
}

function rasterOf(set: ObservationSet, quality: Quality, { grid, surface }: Interpolation): Raster {
  const { parameters, loocv } = quality;
  return {
    ...grid,
    unit: 'mm',
    role: 'rain',
    bands: [
      { name: 'rain_mm', values: surface.rain },
      { name: 'se_mm', values: surface.se },
    ],
    metadata: {
      METHOD: `idw, power ${parameters.power}, ${parameters.neighbours === 0 ? 'all' : parameters.neighbours} gauges, within ${parameters.maxDistanceM.toFixed(0)} m`,
      LOOCV_RMSE_MM: String(loocv.rmseMm),
      STATIONS: String(parameters.stations),
      OBSERVATIONS_CRS: set.crs,
      WINDOW_FROM: set.window?.from ?? 'not stated',
      WINDOW_TO: set.window?.to ?? 'not stated',
      SOURCE: set.source.name,
      SOURCE_SHA256: set.source.sha256,
      LICENCE: set.source.licence,
    },
  };
}

async function compute({ args, inputs }: ToolRun<InterpolateArgs>): Promise<ToolResult> {
  const observations = inputs.get('observations');
  if (!observations) throw new ToolError('INVALID_ARGUMENT', 'observations are missing.');
  const set = readObservations(observations);
  const result = await interpolate(set, args);
  const targets = inputs.get('targets');
  const rows = targets ? predictAt(readFeatures(targets, 'targets'), result.grid.crs, result.at) : [];
  const quality = qualityOf(set, args, result, rows);
  return {
    outputs: new Map<string, ToolOutput>([
      ['raster', rasterOutput(rasterOf(set, quality, result), 'rain-surface.tif')],
      ['quality', jsonOutput(quality, qualityType, 'interpolation-quality.json')],
      ['predictions', jsonOutput({ columns: PREDICTION_COLUMNS, rows }, predictionsType, 'predictions.json')],
    ]),
    checks: surfaceChecks(result.gauges, result.model, result.surface, result.options),
  };
}

/** Rain surface with its standard error from validated gauges, by inverse distance. */
export const interpolateTool = defineTool<InterpolateArgs>({
  name: 'gis.interpolate',
  version: '1.0.0',
  summary:
    'Interpolates validated rain gauges to a surface by inverse distance, with leave-one-out error, standard error and distance mask.',
  input: interpolateArgs,
  ports: {
    inputs: {
      observations: {
        accepts: [{ kind: 'observations', validated: true }],
        required: true,
        description: 'Validated gauge totals in mm.',
      },
      targets: {
        accepts: [{ kind: 'features', geometry: 'point' }],
        required: false,
        explicit: true,
        description: 'Points to estimate at, beside the surface.',
      },
    },
    outputs: {
      raster: {
        type: rasterPromise('rain', 'mm'),
        description: 'Rain in mm (band 1) and its standard error (band 2).',
      },
      quality: { type: qualityType, description: 'Method, parameters, leave-one-out error, clipped cells.' },
      predictions: { type: predictionsType, description: 'Estimates at the targets; empty without targets.' },
    },
  },
  sources: [],
  types: interpolateTypes,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.interpolate',
  cost: { cents: 0, seconds: 3 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 64 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run: compute,
});
