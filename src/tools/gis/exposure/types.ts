import { z } from 'zod';
import type { FeaturesType, PortType } from '../../../catalog/portTypes.ts';
import type { TypeProblem, TypeRuleInput, TypeRuleResult } from '../../../catalog/tool.ts';
import { sameCrs } from '../crs/crsInfo.ts';
import { summarySchema } from './summary.ts';

export const EXPOSURE_FIELDS: NonNullable<FeaturesType['fields']> = {
  rain_mm: { type: 'number', unit: 'mm' },
  se_mm: { type: 'number', unit: 'mm' },
  class: { type: 'string' },
  probability: { type: 'number' },
  measure: { type: 'object' },
  coverage: { type: 'number' },
  note: { type: 'string' },
};

export const summaryType: PortType = { kind: 'json', schema: z.toJSONSchema(summarySchema) };

/** The type of a result: geometry, system and own fields of the assets, and the fields that the tool adds. */
export function resultType(assets: PortType | undefined, added: NonNullable<FeaturesType['fields']>): FeaturesType {
  if (assets?.kind !== 'features') return { kind: 'features', geometry: null, crs: null, role: 'result', fields: null };
  return { ...assets, role: 'result', fields: assets.fields === null ? null : { ...assets.fields, ...added } };
}

/** Assets and raster in different known systems: the assets are to be carried over first (O-38). Shared by the overlays. */
export function crsMismatch(
  rasterPort: string,
  raster: PortType | undefined,
  assets: PortType | undefined,
): TypeProblem | null {
  if (raster?.kind !== 'raster' || assets?.kind !== 'features' || raster.crs === null || assets.crs === null)
    return null;
  if (sameCrs(raster.crs, assets.crs)) return null;
  return {
    code: 'CRS_MISMATCH',
    port: 'assets',
    message: `The assets are in ${assets.crs}, ${rasterPort} is in ${raster.crs}.`,
    hint: `Insert gis.reproject to ${raster.crs} before assets.`,
    insert: { tool: 'gis.reproject', inputPort: 'features', outputPort: 'features', args: { crs: raster.crs } },
  };
}

/** A raster in another unit than the tool computes in. */
export function unitMismatch(port: string, raster: PortType | undefined, unit: string): TypeProblem | null {
  if (raster?.kind !== 'raster' || raster.unit === null || raster.unit === unit) return null;
  return { code: 'UNIT_MISMATCH', port, message: `${port} is in ${raster.unit}; ${unit} is needed.` };
}

/** Types of `gis.overlayExposure`. */
export function exposureTypes({ inputs }: TypeRuleInput): TypeRuleResult {
  const hazard = inputs.get('hazard');
  const assets = inputs.get('assets');
  const problems = [unitMismatch('hazard', hazard, 'mm'), crsMismatch('hazard', hazard, assets)].filter(
    (problem) => problem !== null,
  );
  return {
    outputs: new Map<string, PortType>([
      ['features', resultType(assets, EXPOSURE_FIELDS)],
      ['summary', summaryType],
    ]),
    problems,
  };
}
