import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import type { ToolDefinition, ToolOutput, ToolResult, ToolRun } from '../../../catalog/tool.ts';
import { MEDIA } from '../formats.ts';
import { mapChecks } from './checks.ts';
import { renderHtml } from './html.ts';
import { LOCALES } from './labels.ts';
import { pageBundle } from './pageBundle.ts';
import { prepareMap } from './prepareMap.ts';
import { rasterise } from './rasterise.ts';
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

async function run(context: ToolRun<Args>): Promise<ToolResult> {
  const { exposure, data, picture } = await prepareMap(context);
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
