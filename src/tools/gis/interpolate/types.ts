import { z } from 'zod';
import type { PortType, TableType } from '../../../catalog/portTypes.ts';
import type { TypeProblem, TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import { findCrs, sameCrs } from '../crs/crsInfo.ts';
import { rasterPromise } from '../raster/grid.ts';
import { qualitySchema } from './args.ts';

export const PREDICTION_COLUMNS: NonNullable<TableType['columns']> = {
  id: { type: 'string' },
  rain_mm: { type: 'number', unit: 'mm' },
  se_mm: { type: 'number', unit: 'mm' },
};

export const qualityType: PortType = { kind: 'json', schema: z.toJSONSchema(qualitySchema) };
export const predictionsType: PortType = { kind: 'table', columns: PREDICTION_COLUMNS };

/** Types of `gis.interpolate`: the surface is in the system of the observations when that is metric, else in a UTM zone. */
export function interpolateTypes({ inputs }: TypeRuleInput): TypeRuleResult {
  const problems: TypeProblem[] = [];
  const observations = inputs.get('observations');
  const targets = inputs.get('targets');
  const crs = observations?.kind === 'observations' ? observations.crs : null;
  if (observations?.kind === 'observations') {
    if (observations.valueKind !== null && observations.valueKind !== 'interval') {
      problems.push({
        code: 'UNIT_MISMATCH',
        port: 'observations',
        message: `A surface needs totals over an interval; the observations are of kind ${observations.valueKind}.`,
        hint: 'State valueKind in the schema of gis.readRainfall, so that totals are made there.',
      });
    }
  }
  if (crs !== null && targets?.kind === 'features' && targets.crs !== null && !sameCrs(targets.crs, crs)) {
    problems.push({
      code: 'CRS_MISMATCH',
      port: 'targets',
      message: `The targets are in ${targets.crs}, the observations in ${crs}.`,
      insert: { tool: 'gis.reproject', inputPort: 'features', outputPort: 'features', args: { crs } },
    });
  }
  const metric = crs === null ? undefined : findCrs(crs);
  if (crs !== null && metric === undefined) {
    problems.push({
      code: 'CRS_MISMATCH',
      port: 'observations',
      message: `The system ${crs} is not known here; distances cannot be computed in it.`,
    });
  }
  return {
    outputs: new Map<string, PortType>([
      ['raster', rasterPromise('rain', 'mm', { crs: metric?.metric === true ? metric.id : null })],
      ['quality', qualityType],
      ['predictions', predictionsType],
    ]),
    problems,
  };
}
