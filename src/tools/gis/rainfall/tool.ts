import { defineTool } from '../../../catalog/defineTool.ts';
import type { ObservationsType, PortType } from '../../../catalog/portTypes.ts';
import type { ToolDefinition, ToolResult, ToolRun, TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import { findCrs } from '../crs/crsInfo.ts';
import { MEDIA, type ObservationSet } from '../formats.ts';
import { encodeObservations, encodeReport } from '../observations/codec.ts';
import { readRainfallArgs, windowArg, type ReadRainfallArgs } from './args.ts';
import { readRainfall, type RainfallReading } from './readRainfall.ts';
import { REPORT_JSON_SCHEMA } from './reportSchema.ts';
import { sourceInfo, sourceInput } from './source.ts';
import { formatUtc } from './time.ts';

const observations: ObservationsType = {
  kind: 'observations',
  quantity: 'rain',
  unit: 'mm',
  valueKind: 'interval',
  window: null,
  crs: null,
  validated: false,
};
const report: PortType = { kind: 'json', schema: REPORT_JSON_SCHEMA };

/** Literal window and CRS are known before anything ran; the rest turns out when the file is read. */
function typeRule({ args }: TypeRuleInput): TypeRuleResult {
  const schema = args['schema'] as { readonly crs?: unknown } | undefined;
  const crs = typeof schema?.crs === 'string' ? (findCrs(schema.crs)?.id ?? null) : null;
  const window = windowArg.safeParse(args['window']);
  const refined = { ...observations, crs, window: window.success ? window.data : null };
  return {
    outputs: new Map<string, PortType>([
      ['observations', refined],
      ['report', report],
    ]),
    problems: [],
  };
}

function run(context: ToolRun<ReadRainfallArgs>): Promise<ToolResult> {
  const input = sourceInput(context.inputs);
  const reading = readRainfall(input.bytes, input.name ?? '', context.args, context.now);
  const window = reading.window && { from: formatUtc(reading.window.from), to: formatUtc(reading.window.to) };
  const error = reading.report.file_error;
  const set: ObservationSet = {
    version: 1,
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    crs: reading.crs,
    window,
    validated: false,
    stations: reading.stations,
    source: sourceInfo(context.args.source, input),
    ...(error === undefined
      ? {}
      : { stopped: { code: error.reason, message: reading.report.file_error_message ?? '' } }),
  };
  const type = { ...observations, crs: reading.crs, window };
  return Promise.resolve({
    outputs: new Map([
      [
        'observations',
        { bytes: encodeObservations(set), mediaType: MEDIA.observations, type, fileName: 'observations.json' },
      ],
      [
        'report',
        {
          bytes: encodeReport(reading.report),
          mediaType: MEDIA.json,
          type: report,
          fileName: 'observation-report.json',
        },
      ],
    ]),
    checks: checks(reading),
  });
}

function checks({ report: result, stations }: RainfallReading): ToolResult['checks'] {
  const outside = result.rows_outside_window ?? 0;
  const sum = result.rows_accepted + result.rows_rejected + outside;
  const bad = stations.filter((station) => !(station.mm >= 0) || !Number.isFinite(station.x + station.y));
  return [
    {
      name: 'every row is accounted for',
      passed: sum === result.rows_total && result.rows_rejected >= 0,
      detail: `${result.rows_accepted} accepted + ${result.rows_rejected} refused + ${outside} outside the window = ${sum} of ${result.rows_total}`,
    },
    {
      name: 'totals are numbers from 0 up, at finite positions',
      passed: bad.length === 0,
      detail: `${bad.length} of ${stations.length} are not`,
    },
    {
      // The run goes on to where stations are needed and fails there with this message; the report stays readable.
      name: 'the file is usable',
      passed: result.file_error === undefined,
      detail:
        result.file_error === undefined
          ? 'not stopped'
          : `${result.file_error.reason}: ${result.file_error_message ?? ''}`,
      severity: 'report',
    },
  ];
}

/** `gis.readRainfall`: gauge totals from an untrusted CSV or JSON file, each row rule with its code. */
export const readRainfallTool: ToolDefinition = defineTool<ReadRainfallArgs>({
  name: 'gis.readRainfall',
  version: '1.0.0',
  summary: 'Reads rain gauges from CSV or JSON: unit, CRS and window as stated, every refused row with its reason.',
  input: readRainfallArgs,
  ports: {
    inputs: {},
    outputs: {
      observations: { type: observations, description: 'Rain totals by station over the window, not yet validated.' },
      report: { type: report, description: 'What was read, refused, marked and assumed, row by row.' },
    },
  },
  sources: ['source'],
  types: typeRule,
  effect: 'none',
  resources: {},
  permission: 'tool:gis.readRainfall',
  cost: { cents: 0, seconds: 2 },
  limits: { timeoutSeconds: 60, maxOutputBytes: 128 * 1024 * 1024, memoryMb: 1024 },
  retry: { maxAttempts: 2 },
  reuse: 'snapshot',
  runsIn: 'child',
  run,
});
