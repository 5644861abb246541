import type { FeatureCollection } from 'geojson';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { TimeWindow } from '../../../catalog/portTypes.ts';
import type { ToolOutput, ToolResult, ToolRun } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import type { Raster } from '../formats.ts';
import { bandOf, readRaster } from '../raster/rasterFile.ts';
import { exposureArgs, thresholdOf, type ExposureArgs } from './args.ts';
import { placeAssets, withProperties } from './assetsOnGrid.ts';
import { exposureChecks } from './checks.ts';
import { classify, type Exposure, type Hazard } from './classify.ts';
import { jsonOutput } from '../../jsonOutput.ts';
import { featureOutput, readFeatures } from './featureFile.ts';
import { summarise } from './summary.ts';
import { resolveThreshold } from './threshold.ts';
import { EXPOSURE_FIELDS, exposureTypes, resultType, summaryType } from './types.ts';

/** Window that the surface's file states; null when it states none. */
export function windowOf(raster: Raster): TimeWindow | null {
  const from = raster.metadata['WINDOW_FROM'] ?? '';
  const to = raster.metadata['WINDOW_TO'] ?? '';
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)) ? null : { from, to };
}

async function run({ args, inputs }: ToolRun<ExposureArgs>): Promise<ToolResult> {
  const hazardInput = inputs.get('hazard');
  const assetsInput = inputs.get('assets');
  if (!hazardInput || !assetsInput) throw new ToolError('INVALID_ARGUMENT', 'hazard and assets are both needed.');
  const raster = await readRaster(hazardInput, ['rain']);
  const set = readFeatures(assetsInput, 'assets');
  const window = windowOf(raster);
  const rain = bandOf(raster, 'rain_mm');
  const threshold = resolveThreshold(thresholdOf(args), rain, window);
  const hazard: Hazard = { rain, se: bandOf(raster, 'se_mm'), thresholdMm: threshold.mm, confidence: args.confidence };
  const { assets, carried } = placeAssets(set, raster);
  const exposures = assets.map(({ footprint }): Exposure => classify(footprint, hazard));
  const summary = summarise(exposures, { threshold, confidence: args.confidence, window, reprojected: carried });
  const features = assets.map(({ feature }, index) => withProperties(feature, { ...exposures[index] }));
  const type = resultType(assetsInput.type, EXPOSURE_FIELDS);
  return {
    outputs: new Map<string, ToolOutput>([
      [
        'features',
        featureOutput({
          set: { ...set, collection: { type: 'FeatureCollection', features } as FeatureCollection },
          role: 'result',
          fields: type.fields,
          fileName: 'exposure',
          members: {
            threshold: summary.threshold,
            confidence: args.confidence,
            window,
            surface: { crs: raster.crs, metadata: raster.metadata },
          },
        }),
      ],
      ['summary', jsonOutput(summary, summaryType, 'exposure-summary.json')],
    ]),
    checks: exposureChecks(assets, exposures, summary, hazard),
  };
}

/** Assets against a rain threshold: four classes with probability. */
export const overlayExposureTool = defineTool<ExposureArgs>({
  name: 'gis.overlayExposure',
  version: '1.0.0',
  summary:
    'Classes assets against a rain threshold (exceeds, undecided, below, not assessed) with the probability from the error of the surface.',
  input: exposureArgs,
  ports: {
    inputs: {
      hazard: {
        accepts: [{ kind: 'raster', role: 'rain' }],
        required: true,
        description: 'Rain in mm with its standard error.',
      },
      assets: {
        accepts: [{ kind: 'features', role: 'assets' }],
        required: true,
        description: 'What may be exposed: points, lines, polygons.',
      },
    },
    outputs: {
      features: {
        type: resultType(undefined, EXPOSURE_FIELDS),
        description: 'The assets with rain, error, class, probability and measure.',
      },
      summary: { type: summaryType, description: 'Counts and measures by class, "at least N, up to M".' },
    },
  },
  sources: [],
  types: exposureTypes,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.overlayExposure',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 256 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
