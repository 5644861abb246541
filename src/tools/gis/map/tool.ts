import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import type { ToolDefinition, ToolOutput, ToolResult, ToolRun } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { MEDIA } from '../formats.ts';
import { readRaster } from '../raster/rasterFile.ts';
import { buildMapData } from './buildMapData.ts';
import { mapChecks } from './checks.ts';
import { renderHtml } from './html.ts';
import { LOCALES, localeOf } from './labels.ts';
import { pageBundle } from './pageBundle.ts';
import { rasterise } from './rasterise.ts';
import { readExposure, readGauges } from './readInputs.ts';
import { surfaceWindow } from './surfaceWindow.ts';
import { svgMap } from './svg/svgMap.ts';

const args = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Heading of the map; a general one in its language when absent.'),
  locale: z.enum(LOCALES).optional().describe('Language of all texts on the map; the language of the run when absent.'),
});
type Args = z.infer<typeof args>;

const artifactTypes = (): TypeRuleResult['outputs'] =>
  new Map([
    ['html', { kind: 'artifact', mediaType: MEDIA.html }],
    ['png', { kind: 'artifact', mediaType: MEDIA.png }],
  ]);

function types({ inputs }: TypeRuleInput): TypeRuleResult {
  const exposure = inputs.get('exposure');
  const fields = exposure?.kind === 'features' ? exposure.fields : null;
  const classed = fields === null || Object.hasOwn(fields, 'class') || Object.hasOwn(fields, 'screeningClass');
  return {
    outputs: artifactTypes(),
    problems: classed
      ? []
      : [
          {
            code: 'TYPE_MISMATCH',
            port: 'exposure',
            message: 'The features carry no class to colour the map by.',
            hint: 'Feed the features of gis.overlayExposure, gis.computeRisk or gis.intersectRisk.',
          },
        ],
  };
}

async function run({ args: given, inputs, now, locale, timeZone, labels }: ToolRun<Args>): Promise<ToolResult> {
  const exposureInput = inputs.get('exposure');
  if (!exposureInput) throw new ToolError('INVALID_ARGUMENT', 'The port "exposure" is empty.');
  const surfaceInput = inputs.get('surface');
  const observations = inputs.get('observations');
  const surface = surfaceInput ? await readRaster(surfaceInput, ['rain']) : null;
  const { type } = exposureInput;
  const exposure = readExposure(exposureInput);
  const { data, picture } = await buildMapData({
    exposure,
    surface,
    gauges: observations ? readGauges(observations) : null,
    surfaceWindow: surface ? surfaceWindow(surface.metadata) : null,
    title: given.title,
    locale: given.locale ?? localeOf(locale),
    timeZone,
    now,
    labels,
    expectScreening: type.kind === 'features' && type.fields !== null && Object.hasOwn(type.fields, 'screeningClass'),
  });
  const html = renderHtml(data, await pageBundle());
  const png = await rasterise(svgMap(data, picture));
  const outputs = new Map<string, ToolOutput>([
    [
      'html',
      {
        bytes: new TextEncoder().encode(html),
        mediaType: MEDIA.html,
        type: { kind: 'artifact', mediaType: MEDIA.html },
        fileName: 'map.html',
      },
    ],
    [
      'png',
      { bytes: png, mediaType: MEDIA.png, type: { kind: 'artifact', mediaType: MEDIA.png }, fileName: 'map.png' },
    ],
  ]);
  return { outputs, checks: mapChecks(exposure, data, html, png) };
}

/** `gis.generateMap`: an interactive map in one HTML file and a static one as PNG, from classified features. */
export const generateMapTool: ToolDefinition = defineTool<Args>({
  name: 'gis.generateMap',
  version: '1.0.0',
  summary: 'Draws classified assets, the rain surface and the gauges as a self-contained HTML map and a PNG map.',
  input: args,
  ports: {
    inputs: {
      exposure: {
        accepts: [{ kind: 'features', role: 'result' }],
        required: true,
        description:
          'Assets with an exposure class (gis.overlayExposure) or a screening class (gis.computeRisk, gis.intersectRisk).',
      },
      surface: {
        accepts: [{ kind: 'raster', role: 'rain' }],
        required: false,
        description: 'Rain surface drawn below the assets; cells without data are hatched as not assessed.',
      },
      observations: {
        accepts: [{ kind: 'observations', validated: true }],
        required: false,
        description: 'Rain gauges drawn with their values; their window is written on the map.',
      },
    },
    outputs: {
      html: {
        type: { kind: 'artifact', mediaType: MEDIA.html },
        description: 'Interactive map, one file, works offline.',
      },
      png: { type: { kind: 'artifact', mediaType: MEDIA.png }, description: 'Static map of 1600 × 1130 pixels.' },
    },
  },
  sources: [],
  types,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.generateMap',
  cost: { cents: 0, seconds: 5 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 64 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
