import { z } from 'zod';
import type { Position } from 'geojson';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { FeaturesType, PortType } from '../../../catalog/portTypes.ts';
import type {
  CheckResult,
  ToolInput,
  ToolOutput,
  ToolResult,
  ToolRun,
  TypeProblem,
  TypeRuleInput,
  TypeRuleResult,
} from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo, findCrs } from '../crs/crsInfo.ts';
import { transformer } from '../crs/transformer.ts';
import { featureOutput, readFeatures, rounded, type AnyFeature } from '../exposure/featureFile.ts';
import type { FeatureSet, Raster } from '../formats.ts';
import { carryExtent } from '../raster/carryExtent.ts';
import { extentOf, overlaps, rasterPromise } from '../raster/grid.ts';
import { rasterOutput, readRaster } from '../raster/rasterFile.ts';
import { pathsOf } from './positions.ts';
import { reprojectFeatures } from './reprojectFeatures.ts';
import { reprojectRaster } from './reprojectRaster.ts';

const args = z.strictObject({
  crs: z.string().min(1).max(100).describe('EPSG code of the new system, such as EPSG:32632.'),
});
type Args = z.infer<typeof args>;

const featuresPromise: FeaturesType = { kind: 'features', geometry: null, crs: null, role: 'assets', fields: null };

function types({ inputs, args: given }: TypeRuleInput): TypeRuleResult {
  const problems: TypeProblem[] = [];
  const outputs = new Map<string, PortType>();
  const features = inputs.get('features');
  const raster = inputs.get('raster');
  const text = typeof given['crs'] === 'string' ? given['crs'] : null;
  const crs = text === null ? null : (findCrs(text)?.id ?? null);
  if (text !== null && crs === null) {
    problems.push({
      code: 'INVALID_ARGUMENT',
      port: 'crs',
      message: `The system ${text.slice(0, 60)} is not known here.`,
      hint: 'Give an EPSG code such as EPSG:32632.',
    });
  }
  if (features === undefined && raster === undefined) {
    problems.push({ code: 'MISSING_ARGUMENT', port: 'features', message: 'gis.reproject needs features or a raster.' });
  }
  if (features !== undefined && raster !== undefined) {
    problems.push({
      code: 'INVALID_ARGUMENT',
      port: 'raster',
      message: 'gis.reproject takes features or a raster, not both.',
      hint: 'Use two nodes.',
    });
  }
  if (features?.kind === 'features') outputs.set('features', { ...features, crs });
  if (raster?.kind === 'raster') outputs.set('raster', { ...raster, crs, resolution: null, extent: null });
  return { outputs, problems };
}

/** Some positions there and back again: they must come home. */
function roundTrip(before: readonly Position[], from: string, to: string): CheckResult {
  const there = transformer(from, to);
  const back = transformer(to, from);
  const tolerance = crsInfo(from).kind === 'geographic' ? 1e-7 : 0.01;
  let most = 0;
  for (const [x = NaN, y = NaN] of before) {
    const [bx, by] = back(...there(x, y));
    const distance = Math.hypot(bx - x, by - y);
    most = Math.max(most, Number.isNaN(distance) ? Infinity : distance);
  }
  return {
    name: 'positions come back where they were',
    passed: most <= tolerance,
    detail: `largest departure ${most} over ${before.length} positions, ${tolerance} allowed (units of ${from})`,
  };
}

function samplePositions(set: FeatureSet): Position[] {
  const all: Position[] = [];
  for (const { geometry } of set.collection.features as readonly AnyFeature[]) {
    if (geometry !== null) for (const path of pathsOf(geometry)) all.push(...path.slice(0, 4));
    if (all.length >= 400) break;
  }
  return all;
}

function runFeatures(input: ToolInput, to: string): ToolResult {
  const set = readFeatures(input, 'features');
  const moved = reprojectFeatures(set, to);
  const type = input.type.kind === 'features' ? input.type : featuresPromise;
  const output = featureOutput({
    set: moved.set,
    role: type.role,
    fields: type.fields,
    fileName: 'reprojected',
    members: {
      reprojection: {
        from: set.crs,
        to: moved.set.crs,
        accuracyM: crsInfo(set.crs).accuracyM + crsInfo(moved.set.crs).accuracyM,
        positions: moved.positions,
        note: `Positions of the file were moved, edges were not densified; the middle of an edge departs by at most ${rounded(moved.largestEdgeShift, 6) ?? 0} units of ${moved.set.crs}.`,
      },
    },
  });
  const before = set.collection.features.length;
  const after = moved.set.collection.features.length;
  return {
    outputs: new Map<string, ToolOutput>([['features', output]]),
    checks: [
      roundTrip(samplePositions(set), set.crs, moved.set.crs),
      { name: 'no feature lost', passed: before === after, detail: `${before} before, ${after} after` },
    ],
  };
}

function rangeOf(raster: Raster): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const value of raster.bands[0]?.values ?? []) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

async function runRaster(input: ToolInput, to: string): Promise<ToolResult> {
  const source = await readRaster(input, ['rain', 'terrain', 'slope', 'runoff', 'screening']);
  const moved = reprojectRaster(source, to);
  const [least, most] = rangeOf(source);
  const [newLeast, newMost] = rangeOf(moved);
  if (newLeast > newMost) throw new ToolError('EMPTY_RESULT', 'The reprojected raster has no cell with a value.');
  const room = 1e-6 * Math.max(1, Math.abs(most), Math.abs(least));
  const [minX, minY, maxX, maxY] = extentOf(source);
  return {
    outputs: new Map<string, ToolOutput>([['raster', rasterOutput(moved, `${source.role}-reprojected.tif`)]]),
    checks: [
      roundTrip(
        [
          [minX, minY],
          [maxX, maxY],
          [(minX + maxX) / 2, (minY + maxY) / 2],
        ],
        source.crs,
        moved.crs,
      ),
      {
        name: 'values stay within their range',
        passed: newLeast >= least - room && newMost <= most + room,
        detail: `${least} to ${most} before, ${newLeast} to ${newMost} after`,
      },
      {
        name: 'the raster lies where it lay',
        passed: overlaps(carryExtent(extentOf(moved), moved.crs, source.crs), extentOf(source)),
        detail: `${source.crs} to ${moved.crs}`,
      },
    ],
  };
}

async function run({ args: given, inputs }: ToolRun<Args>): Promise<ToolResult> {
  const features = inputs.get('features');
  const raster = inputs.get('raster');
  if (features && raster)
    throw new ToolError('INVALID_ARGUMENT', 'gis.reproject takes features or a raster, not both.');
  if (features) return runFeatures(features, given.crs);
  if (raster) return runRaster(raster, given.crs);
  throw new ToolError('INVALID_ARGUMENT', 'gis.reproject needs features or a raster.');
}

/** Features or a raster in another coordinate system. */
export const reprojectTool = defineTool<Args>({
  name: 'gis.reproject',
  version: '1.0.0',
  summary: 'Carries features or a raster into another coordinate system.',
  input: args,
  ports: {
    inputs: {
      features: {
        accepts: [{ kind: 'features' }],
        required: false,
        insteadOf: ['raster'],
        description: 'Features to move; this or raster.',
      },
      raster: {
        accepts: [{ kind: 'raster' }],
        required: false,
        insteadOf: ['features'],
        description: 'Raster to move; this or features.',
      },
    },
    outputs: {
      features: {
        type: featuresPromise,
        optional: true,
        description: 'The features in the new system, when features were given.',
      },
      raster: {
        optional: true,
        type: rasterPromise('rain', 'mm'),
        description: 'The raster in the new system, when a raster was given; role and unit as before.',
      },
    },
  },
  sources: [],
  types,
  effect: 'none',
  resources: { 'local.cpu': 1 },
  permission: 'tool:gis.reproject',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 180, maxOutputBytes: 256 * 1024 * 1024, memoryMb: 1536 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
