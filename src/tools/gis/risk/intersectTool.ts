import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { PortType } from '../../../catalog/portTypes.ts';
import type { ToolResult, ToolRun, TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { readFeatures } from '../exposure/featureFile.ts';
import { crsMismatch, resultType } from '../exposure/types.ts';
import { readRaster } from '../raster/rasterFile.ts';
import { SCREENING_FIELDS, screenAssets } from './assetScreening.ts';
import { matrixOf } from './screening.ts';

const args = z.strictObject({});
type Args = z.infer<typeof args>;

function types({ inputs }: TypeRuleInput): TypeRuleResult {
  const assets = inputs.get('assets');
  const problem = crsMismatch('screening', inputs.get('screening'), assets);
  return {
    outputs: new Map<string, PortType>([['features', resultType(assets, SCREENING_FIELDS)]]),
    problems: problem === null ? [] : [problem],
  };
}

async function run({ inputs }: ToolRun<Args>): Promise<ToolResult> {
  const screening = inputs.get('screening');
  const assetsInput = inputs.get('assets');
  if (!screening || !assetsInput) throw new ToolError('INVALID_ARGUMENT', 'screening and assets are both needed.');
  const raster = await readRaster(screening, ['screening']);
  const { output, checks } = screenAssets(
    readFeatures(assetsInput, 'assets'),
    assetsInput.type,
    raster,
    matrixOf(raster),
  );
  return { outputs: new Map([['features', output]]), checks };
}

/** Assets on a screening raster that was made before. */
export const intersectRiskTool = defineTool<Args>({
  name: 'gis.intersectRisk',
  version: '1.0.0',
  summary: 'Puts assets on a screening raster and gives each the highest class on its cells.',
  input: args,
  ports: {
    inputs: {
      screening: {
        accepts: [{ kind: 'raster', role: 'screening' }],
        required: true,
        description: 'Screening raster of gis.computeRisk.',
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
    },
  },
  sources: [],
  types,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.intersectRisk',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 256 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
