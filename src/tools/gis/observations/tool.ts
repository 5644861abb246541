import { z } from 'zod';
import { defineTool } from '../../../catalog/defineTool.ts';
import type { ObservationsType, PortType } from '../../../catalog/portTypes.ts';
import type { ToolDefinition, ToolResult, ToolRun, TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { MEDIA } from '../formats.ts';
import { choicesArg } from '../rainfall/args.ts';
import { REPORT_JSON_SCHEMA } from '../rainfall/reportSchema.ts';
import { decodeObservations, encodeObservations, encodeReport } from './codec.ts';
import { validateObservations } from './validate.ts';

const args = z.strictObject({
  minStations: z.number().int().min(1).max(10_000).default(3),
  choices: choicesArg.optional(),
});
type Args = z.infer<typeof args>;

const validated: ObservationsType = {
  kind: 'observations',
  quantity: 'rain',
  unit: 'mm',
  valueKind: 'interval',
  window: null,
  crs: null,
  validated: true,
};
const report: PortType = { kind: 'json', schema: REPORT_JSON_SCHEMA };

/** What is known of the observations stays known; only `validated` changes. */
function typeRule({ inputs }: TypeRuleInput): TypeRuleResult {
  const given = inputs.get('observations');
  const type = given?.kind === 'observations' ? { ...given, validated: true } : validated;
  return {
    outputs: new Map<string, PortType>([
      ['observations', type],
      ['report', report],
    ]),
    problems: [],
  };
}

function run(context: ToolRun<Args>): Promise<ToolResult> {
  const input = context.inputs.get('observations');
  if (input === undefined) throw new ToolError('INVALID_ARGUMENT', 'No observations were given.');
  const before = decodeObservations(input.bytes);
  const result = validateObservations(before, context.args.minStations, context.args.choices ?? []);
  const type = { ...validated, crs: result.set.crs, window: result.set.window };
  const values = new Map(before.stations.map((station) => [`${station.id} ${station.x} ${station.y}`, station.mm]));
  const changed = result.set.stations.filter((station) => !values.has(`${station.id} ${station.x} ${station.y}`));
  return Promise.resolve({
    outputs: new Map([
      [
        'observations',
        {
          bytes: encodeObservations(result.set),
          mediaType: MEDIA.observations,
          type,
          fileName: 'observations-validated.json',
        },
      ],
      [
        'report',
        { bytes: encodeReport(result.report), mediaType: MEDIA.json, type: report, fileName: 'validation-report.json' },
      ],
    ]),
    checks: [
      {
        name: 'validation invents no station',
        passed: changed.length === 0,
        detail: `${result.set.stations.length} of ${before.stations.length} stations remain`,
      },
    ],
  });
}

/** `gis.validateObservations`: network rules; every station that remains is unchanged but for its marks. */
export const validateObservationsTool: ToolDefinition = defineTool<Args>({
  name: 'gis.validateObservations',
  version: '1.0.0',
  summary: 'Checks rain gauges against each other: duplicates, outliers, stuck gauges, number and spread.',
  input: args,
  ports: {
    inputs: {
      observations: { accepts: [{ kind: 'observations' }], required: true, description: 'Rain totals by station.' },
    },
    outputs: {
      observations: { type: validated, description: 'The stations that may be interpolated.' },
      report: { type: report, description: 'What was refused and marked.' },
    },
  },
  sources: [],
  types: typeRule,
  effect: 'none',
  resources: {},
  permission: 'tool:gis.validateObservations',
  cost: { cents: 0, seconds: 1 },
  limits: { timeoutSeconds: 60, maxOutputBytes: 128 * 1024 * 1024, memoryMb: 512 },
  retry: { maxAttempts: 2 },
  reuse: 'pure',
  runsIn: 'child',
  run,
});
