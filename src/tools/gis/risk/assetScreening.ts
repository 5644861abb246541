import type { FeatureCollection } from 'geojson';
import type { FeaturesType, PortType } from '../../../catalog/portTypes.ts';
import type { CheckResult, ToolOutput } from '../../../catalog/tool.ts';
import { placeAssets, withProperties } from '../exposure/assetsOnGrid.ts';
import { featureOutput, rounded } from '../exposure/featureFile.ts';
import type { Footprint } from '../exposure/footprint.ts';
import { resultType } from '../exposure/types.ts';
import type { FeatureSet, Raster, ScreeningProperties } from '../formats.ts';
import { bandOf } from '../raster/rasterFile.ts';
import type { Matrix } from './matrix.ts';

export const SCREENING_FIELDS: NonNullable<FeaturesType['fields']> = {
  screeningClass: { type: 'string' },
  screeningRank: { type: 'number' },
  rain_mm: { type: 'number', unit: 'mm' },
  slope_deg: { type: 'number', unit: 'deg' },
  coverage: { type: 'number' },
};

/** What is printed with every result, so that no reader takes a class for more than it is. */
const DISCLAIMER =
  'Screening class from rain class and slope class by the printed matrix; not a risk, not an official warning.';

type Screened = ScreeningProperties & { readonly coverage: number };

/** The highest class over the cells of an asset, the wettest of them where several tie, and the rain and slope there. */
function screenOne(
  footprint: Footprint,
  ranks: Float32Array,
  rain: Float32Array,
  slope: Float32Array,
  matrix: Matrix,
): Screened {
  let worst = -1;
  let assessed = 0;
  for (const [cell, part] of [...footprint.cells].sort(([a], [b]) => a - b)) {
    const rank = ranks[cell] ?? NaN;
    if (Number.isNaN(rank)) continue;
    assessed += part;
    const best = ranks[worst] ?? -1;
    if (rank > best || (rank === best && (rain[cell] ?? NaN) > (rain[worst] ?? NaN))) worst = cell;
  }
  if (worst < 0) return { screeningClass: null, screeningRank: null, rain_mm: null, slope_deg: null, coverage: 0 };
  const rank = ranks[worst] ?? NaN;
  return {
    screeningClass: matrix.classes[rank] ?? null,
    screeningRank: rank,
    rain_mm: rounded(rain[worst] ?? NaN, 3),
    slope_deg: rounded(slope[worst] ?? NaN, 3),
    coverage: rounded(Math.min(1, assessed / footprint.total), 6) ?? 0,
  };
}

export interface AssetScreening {
  readonly output: ToolOutput;
  readonly checks: readonly CheckResult[];
}

/**
 * Assets with the screening class of the cells they lie on.
 * @throws ToolError as `placeAssets`
 */
export function screenAssets(set: FeatureSet, assetsType: PortType, raster: Raster, matrix: Matrix): AssetScreening {
  const ranks = bandOf(raster, 'screening_rank');
  const rain = bandOf(raster, 'rain_mm');
  const slope = bandOf(raster, 'slope_deg');
  const { assets, carried } = placeAssets(set, raster);
  const screened = assets.map(({ footprint }) => screenOne(footprint, ranks, rain, slope, matrix));
  const byClass = Object.fromEntries(
    matrix.classes.map((name) => [name, screened.filter(({ screeningClass }) => screeningClass === name).length]),
  );
  const notAssessed = screened.filter(({ screeningClass }) => screeningClass === null).length;
  const features = assets.map(({ feature }, index) => withProperties(feature, { ...screened[index] }));
  const counted = Object.values(byClass).reduce((sum, count) => sum + count, notAssessed);
  const halfAssessed = screened.filter(
    (one) => (one.screeningClass === null) !== (one.rain_mm === null || one.slope_deg === null),
  ).length;
  return {
    output: featureOutput({
      set: { ...set, collection: { type: 'FeatureCollection', features } as FeatureCollection },
      role: 'result',
      fields: resultType(assetsType, SCREENING_FIELDS).fields,
      fileName: 'screening',
      members: {
        screening: { matrix, byClass, notAssessed, total: assets.length, note: DISCLAIMER },
        reprojected: carried,
        surface: { crs: raster.crs, metadata: raster.metadata },
      },
    }),
    checks: [
      {
        name: 'classes add up to all assets',
        passed: counted === assets.length,
        detail: `${counted} in classes, ${assets.length} assets`,
      },
      {
        name: 'a class means rain and slope, and only that',
        passed: halfAssessed === 0,
        detail: `${halfAssessed} disagree`,
      },
    ],
  };
}
