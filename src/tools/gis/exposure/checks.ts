import type { CheckResult } from '../../../catalog/tool.ts';
import { EXPOSURE_CLASSES } from '../formats.ts';
import { classify, type Exposure, type Hazard } from './classify.ts';
import type { PlacedAsset } from './assetsOnGrid.ts';
import type { ExposureSummary } from './summary.ts';

/** Assets tried again in the metamorphic check. */
const PROBES = 200;

/** Post-conditions of an overlay, and one relation between two runs: a higher threshold never exposes more. */
export function exposureChecks(
  assets: readonly PlacedAsset[],
  exposures: readonly Exposure[],
  summary: ExposureSummary,
  hazard: Hazard,
): CheckResult[] {
  const counted = EXPOSURE_CLASSES.reduce((sum, name) => sum + summary.byClass[name].count, 0);
  const wrongProbability = exposures.filter(
    ({ probability }) => probability !== null && !(probability >= 0 && probability <= 1),
  ).length;
  const halfAssessed = exposures.filter(
    (one) => (one.class === 'notAssessed') !== (one.rain_mm === null || one.probability === null),
  ).length;
  const overMeasure = exposures.filter(
    ({ measure }) => measure.exposed < 0 || measure.exposed > measure.total + 1e-6 * Math.max(1, measure.total),
  ).length;
  const higher = { ...hazard, thresholdMm: hazard.thresholdMm * 1.1 + 1 };
  const rose = assets.slice(0, PROBES).filter(({ footprint }, index) => {
    const again = classify(footprint, higher);
    const before = exposures[index];
    return (
      before === undefined ||
      (again.probability ?? 0) > (before.probability ?? 0) + 1e-6 ||
      again.measure.exposed > before.measure.exposed + 1e-6
    );
  }).length;
  return [
    {
      name: 'classes add up to all assets',
      passed: counted === assets.length && exposures.length === assets.length,
      detail: `${counted} in classes, ${assets.length} assets`,
    },
    { name: 'probabilities between 0 and 1', passed: wrongProbability === 0, detail: `${wrongProbability} outside` },
    {
      name: 'not assessed means no rain value, and only that',
      passed: halfAssessed === 0,
      detail: `${halfAssessed} disagree`,
    },
    { name: 'the exposed part is not larger than the whole', passed: overMeasure === 0, detail: `${overMeasure} are` },
    {
      name: 'a higher threshold exposes no more',
      passed: rose === 0,
      detail: `${rose} of ${Math.min(PROBES, assets.length)} assets more exposed at ${higher.thresholdMm} mm`,
    },
  ];
}
