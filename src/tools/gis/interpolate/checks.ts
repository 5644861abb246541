import type { CheckResult } from '../../../catalog/tool.ts';
import type { ErrorModel } from './errorModel.ts';
import { toColumns, type Gauge } from './gauges.ts';
import { createEstimator, type MaskOptions, type Surface } from './idw.ts';

/** Relative room for float32 cells. */
const FLOAT32 = 1e-6;
/** Gauges tried in the metamorphic checks. */
const PROBES = 16;

function range(values: Iterable<number>): { readonly least: number; readonly most: number } {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}

/** A weighted mean cannot leave the range of what it averages. */
function bounded(gauges: readonly Gauge[], surface: Surface): CheckResult {
  const observed = range(gauges.map(({ mm }) => mm));
  const found = range(surface.rain);
  const room = FLOAT32 * Math.max(1, observed.most);
  return {
    name: 'surface within the range of the gauges',
    passed: found.least >= observed.least - room && found.most <= observed.most + room,
    detail: `surface ${found.least} to ${found.most} mm, gauges ${observed.least} to ${observed.most} mm`,
  };
}

/** Both bands have values in the same cells; errors are finite and not negative. */
function errorsSound(surface: Surface): CheckResult {
  let wrong = 0;
  for (let cell = 0; cell < surface.rain.length; cell += 1) {
    const se = surface.se[cell] as number;
    if (Number.isNaN(surface.rain[cell]) !== Number.isNaN(se) || se < 0 || se === Infinity) wrong += 1;
  }
  return {
    name: 'standard error wherever there is rain',
    passed: wrong === 0,
    detail: `${wrong} of ${surface.rain.length} cells disagree`,
  };
}

/** At a gauge the surface is the gauge; more rain everywhere lifts the surface by as much. */
function metamorphic(gauges: readonly Gauge[], model: ErrorModel, options: MaskOptions): CheckResult[] {
  const estimate = createEstimator(toColumns(gauges), model, options);
  const lifted = createEstimator(toColumns(gauges.map((gauge) => ({ ...gauge, mm: gauge.mm + 10 }))), model, options);
  const byPlace = new Map<string, number[]>();
  for (const { x, y, mm } of gauges) {
    const place = `${x} ${y}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), mm]);
  }
  let exact = 0;
  let shift = 0;
  const step = Math.max(1, Math.floor(gauges.length / PROBES));
  for (let i = 0; i < gauges.length; i += step) {
    const { x, y } = gauges[i] as Gauge;
    const here = byPlace.get(`${x} ${y}`) ?? [];
    const mean = here.reduce((sum, mm) => sum + mm, 0) / here.length;
    exact = Math.max(exact, Math.abs(estimate(x, y).mm - mean));
    // Beside the gauge, where several gauges count.
    const offset = options.maxDistanceM / 4;
    shift = Math.max(shift, Math.abs(lifted(x + offset, y).mm - estimate(x + offset, y).mm - 10));
  }
  return [
    {
      name: 'surface equals the gauges at the gauges',
      passed: exact <= 1e-9,
      detail: `largest difference ${exact} mm`,
    },
    {
      name: '10 mm more at every gauge lift the surface by 10 mm',
      passed: shift <= 1e-6,
      detail: `largest departure ${shift} mm`,
    },
  ];
}

/** Post-conditions of a surface. All are cheap beside making it. */
export function surfaceChecks(
  gauges: readonly Gauge[],
  model: ErrorModel,
  surface: Surface,
  options: MaskOptions,
): CheckResult[] {
  return [bounded(gauges, surface), errorsSound(surface), ...metamorphic(gauges, model, options)];
}
