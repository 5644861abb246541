import type { FeaturesType, ObservationsType, PortType, RasterType } from '../../../src/catalog/portTypes.ts';
import type { TypeRuleInput, TypeRuleResult } from '../../../src/catalog/tool.ts';

/** Types of outputs as the fake tools promise them. */
export const observations = (validated: boolean, crs: string | null = null): ObservationsType => ({
  kind: 'observations',
  quantity: 'rain',
  unit: 'mm',
  valueKind: 'interval',
  window: null,
  crs,
  validated,
});

export const features = (role: FeaturesType['role'], crs: string | null = null): FeaturesType => ({
  kind: 'features',
  geometry: null,
  crs,
  role,
  fields: null,
});

export const raster = (role: RasterType['role'], unit: string, crs: string | null = null): RasterType => ({
  kind: 'raster',
  crs,
  unit,
  role,
  resolution: null,
  extent: null,
  noData: null,
});

/** A rule that gives fixed outputs and never complains. */
export const fixed =
  (outputs: Readonly<Record<string, PortType>>) =>
  (_rule: TypeRuleInput): TypeRuleResult => ({ outputs: new Map(Object.entries(outputs)), problems: [] });
