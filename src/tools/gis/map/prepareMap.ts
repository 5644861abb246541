/** Inputs and arguments of a run of `gis.generateMap` → what both maps show. */
import type { ToolRun } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { readRaster } from '../raster/rasterFile.ts';
import { buildMapData } from './buildMapData.ts';
import { localeOf, type Locale } from './labels.ts';
import type { MapData } from './mapData.ts';
import { readExposure, readGauges, type ExposureInput } from './readInputs.ts';
import type { SurfacePicture } from './warp.ts';

export interface MapArgs {
  readonly title?: string | undefined;
  readonly locale?: Locale | undefined;
}

export interface PreparedMap {
  readonly exposure: ExposureInput;
  readonly data: MapData;
  /** Null without a surface. */
  readonly picture: SurfacePicture | null;
}

/** @throws ToolError `STATE_INVALID`, `INVALID_ARGUMENT`: see the readers */
export async function prepareMap(run: ToolRun<MapArgs>): Promise<PreparedMap> {
  const { args: given, inputs, now, locale, timeZone, labels } = run;
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
    title: given.title,
    locale: given.locale ?? localeOf(locale),
    timeZone,
    now,
    labels,
    expectScreening: type.kind === 'features' && type.fields !== null && Object.hasOwn(type.fields, 'screeningClass'),
  });
  return { exposure, data, picture };
}
