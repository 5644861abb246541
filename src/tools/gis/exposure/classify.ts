import type { ExposureClass, ExposureProperties } from '../formats.ts';
import type { Footprint } from './footprint.ts';
import { rounded } from './featureFile.ts';
import { probabilityOfReaching } from './normal.ts';

export interface Hazard {
  readonly rain: Float32Array;
  readonly se: Float32Array;
  readonly thresholdMm: number;
  /** Probability from which an asset counts as exceeding; below 1 − this it counts as below. */
  readonly confidence: number;
}

/** What `gis.overlayExposure` says about one asset. */
export interface Exposure extends ExposureProperties {
  /** Part of the asset on cells with rain, 0 to 1. */
  readonly coverage: number;
  /** Why a class is not what the probability alone would say; null when it is. */
  readonly note: 'noGeometry' | 'outsideSurface' | 'partlyOutside' | 'smallerThanCell' | null;
}

function classOf(probability: number, confidence: number): ExposureClass {
  if (probability >= confidence) return 'exceeds';
  // The same comparison mirrored; 1 − confidence is not exact in binary.
  return 1 - probability >= confidence ? 'below' : 'undecided';
}

/** `length_m` to millimetres, shares to six decimals. */
const measure = (value: number, kind: Footprint['kind']): number => rounded(value, kind === 'length_m' ? 3 : 6) ?? 0;

/**
 * Class of one asset. Its wettest cell decides: rain, error and probability are those of that cell. An asset that lies
 * partly where nothing is known cannot be `below`; unless its known part exceeds it is `undecided`.
 */
export function classify(footprint: Footprint, hazard: Hazard): Exposure {
  const { kind, cells, total } = footprint;
  const whole = kind === 'area_share' ? 1 : total;
  const scale = kind === 'area_share' && total > 0 ? 1 / total : 1;
  let wettest = -1;
  let assessed = 0;
  let exposed = 0;
  for (const [cell, part] of [...cells].sort(([a], [b]) => a - b)) {
    const mm = hazard.rain[cell] ?? NaN;
    if (Number.isNaN(mm)) continue;
    assessed += part;
    if (wettest < 0 || mm > (hazard.rain[wettest] ?? NaN)) wettest = cell;
    if (probabilityOfReaching(mm, hazard.se[cell] ?? NaN, hazard.thresholdMm) >= hazard.confidence) exposed += part;
  }
  const coverage = total > 0 ? Math.min(1, assessed / total) : 0;
  const sizes = { kind, exposed: measure(exposed * scale, kind), total: measure(whole, kind) };
  if (wettest < 0) {
    return {
      rain_mm: null,
      se_mm: null,
      class: 'notAssessed',
      probability: null,
      measure: sizes,
      coverage: 0,
      note: total > 0 ? 'outsideSurface' : 'noGeometry',
    };
  }
  const mm = hazard.rain[wettest] ?? NaN;
  const se = hazard.se[wettest] ?? NaN;
  const probability = probabilityOfReaching(mm, se, hazard.thresholdMm);
  const alone = classOf(probability, hazard.confidence);
  const partly = coverage < 1 - 1e-9;
  const unsure = partly && alone === 'below';
  return {
    rain_mm: rounded(mm, 3),
    se_mm: rounded(se, 3),
    class: unsure ? 'undecided' : alone,
    probability: rounded(probability, 6),
    measure: sizes,
    coverage: rounded(coverage, 6) ?? 0,
    note: partly ? 'partlyOutside' : footprint.smallerThanCell ? 'smallerThanCell' : null,
  };
}
