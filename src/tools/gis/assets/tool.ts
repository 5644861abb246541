import type { FeatureCollection } from 'geojson';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { FeaturesType, PortType } from '../../../catalog/portTypes.ts';
import type {
  ToolDefinition,
  ToolInput,
  ToolResult,
  ToolRun,
  TypeProblem,
  TypeRuleInput,
  TypeRuleResult,
} from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { sniffFormat } from '../../upload/sniff.ts';
import { uploadInvalid } from '../../upload/refuse.ts';
import { findCrs } from '../crs/crsInfo.ts';
import { featureOutput } from '../exposure/featureFile.ts';
import type { FeatureSet } from '../formats.ts';
import { sourceInfo, sourceInput } from '../rainfall/source.ts';
import { loadAssetsArgs, type LoadAssetsArgs } from './args.ts';
import { AssetFindings, describeCounts } from './assetReport.ts';
import { readCsvAssets } from './csvAssets.ts';
import { readGeojsonAssets } from './geojsonAssets.ts';
import { placeFeatures } from './placeFeatures.ts';
import { fieldsOf } from './properties.ts';

const features: FeaturesType = { kind: 'features', geometry: null, crs: null, role: 'assets', fields: null };

function typeRule({ args }: TypeRuleInput): TypeRuleResult {
  const problems: TypeProblem[] = [];
  const crs = typeof args['crs'] === 'string' ? findCrs(args['crs']) : undefined;
  if (typeof args['crs'] === 'string' && crs === undefined) {
    problems.push({
      code: 'INVALID_ARGUMENT',
      port: 'crs',
      message: 'This coordinate system is not known here.',
      hint: 'Give an EPSG code such as EPSG:32632.',
    });
  }
  const role = args['role'] === 'zones' ? 'zones' : 'assets';
  const type: FeaturesType = {
    ...features,
    role,
    crs: crs?.id ?? null,
    geometry: args['format'] === 'csv' ? 'point' : null,
  };
  return { outputs: new Map<string, PortType>([['features', type]]), problems };
}

/** Format by content; the argument may only confirm it. @throws UPLOAD_INVALID */
function formatOf(input: ToolInput, args: LoadAssetsArgs): 'geojson' | 'csv' {
  const { format } = sniffFormat(input.bytes.subarray(0, 4096), input.name ?? '');
  if (format !== 'csv' && format !== 'geojson' && format !== 'json')
    throw uploadInvalid('This is a raster; assets come as GeoJSON or CSV.');
  const found = format === 'csv' ? 'csv' : 'geojson';
  if (args.format !== undefined && args.format !== found)
    throw uploadInvalid(`The file is ${found}, not ${args.format} as the argument says.`);
  return found;
}

function run({ args, inputs }: ToolRun<LoadAssetsArgs>): Promise<ToolResult> {
  const input = sourceInput(inputs);
  const format = formatOf(input, args);
  if (args.layer !== undefined)
    throw new ToolError('INVALID_ARGUMENT', 'GeoJSON and CSV have no layers: leave layer out.');
  const findings = new AssetFindings();
  const read = format === 'csv' ? readCsvAssets : readGeojsonAssets;
  const { crs, candidates, total } = read(input.bytes, args.crs, args.columns ?? {}, findings);
  const kept = placeFeatures(candidates, crs, findings).map(({ feature }) => feature);
  const report = findings.report(kept.length);
  if (kept.length === 0)
    throw new ToolError('EMPTY_RESULT', `No usable feature in the file: ${describeCounts(report)}.`);
  const collection: FeatureCollection = { type: 'FeatureCollection', features: kept };
  const set: FeatureSet = { crs, collection, source: sourceInfo(args.source, input) };
  const fields = fieldsOf(kept.map((feature) => feature.properties));
  const output = featureOutput({ set, role: args.role, fields, fileName: args.role, members: { report } });
  const ids = new Set(kept.map((feature) => feature.id));
  return Promise.resolve({
    outputs: new Map([['features', output]]),
    checks: [
      {
        name: 'every feature is accounted for',
        passed: report.features_total === total,
        detail: `${kept.length} taken, ${report.features_rejected} left out of ${total}; ${describeCounts(report)}`,
      },
      {
        name: 'feature ids are unique',
        passed: ids.size === kept.length,
        detail: `${ids.size} ids for ${kept.length} features`,
      },
    ],
  });
}

/** `gis.loadAssets`: infrastructure or zones from an untrusted GeoJSON or CSV, repaired only where no shape changes. */
export const loadAssetsTool: ToolDefinition = defineTool<LoadAssetsArgs>({
  name: 'gis.loadAssets',
  version: '1.0.0',
  summary: 'Loads infrastructure or zones from GeoJSON, or points from CSV; says what was left out and why.',
  input: loadAssetsArgs,
  ports: {
    inputs: {},
    outputs: {
      features: {
        type: features,
        description: 'The features; the member "report" counts what was left out or repaired.',
      },
    },
  },
  sources: ['source'],
  types: typeRule,
  effect: 'none',
  resources: {},
  permission: 'tool:gis.loadAssets',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 120, maxOutputBytes: 128 * 1024 * 1024, memoryMb: 1536 },
  retry: { maxAttempts: 2 },
  reuse: 'snapshot',
  runsIn: 'child',
  run,
});
