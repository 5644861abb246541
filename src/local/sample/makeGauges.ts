import { transformer } from '../../tools/gis/crs/transformer.ts';
import { mulberry32 } from './random.ts';
import { heightM, hourlyShares, inlandKm, rainMm, SAMPLE_CRS, SAMPLE_EXTENT } from './region.ts';
import type { Place } from './places.ts';

const SEED = 19_700_101;
const COUNT = 62;
const MIN_SPACING_M = 3500;
/** The far west has no gauges: assets there cannot be assessed. */
const WEST_WITHOUT_GAUGES_M = 12_000;
/** One gauge misses an hour: a reader must refuse it and say so. */
const GAUGE_WITH_GAP = 17;

/** A gauge with what it reads in each of 24 hours: tenths of a millimetre, `T` for a trace, empty for missing. */
export interface SampleGauge {
  readonly id: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly elevationM: number;
  readonly hours: readonly string[];
}

/** Gauges at seeded random places on land, reading the stated field with 4 % noise. */
export function makeGauges(places: readonly Place[]): SampleGauge[] {
  const random = mulberry32(SEED);
  const toDegrees = transformer(SAMPLE_CRS, 'EPSG:4326');
  const found: { x: number; y: number }[] = [];
  while (found.length < COUNT) {
    const x = SAMPLE_EXTENT.minX + WEST_WITHOUT_GAUGES_M + random() * (SAMPLE_EXTENT.width - WEST_WITHOUT_GAUGES_M);
    const y = SAMPLE_EXTENT.minY + random() * SAMPLE_EXTENT.height;
    const free = found.every((other) => Math.hypot(other.x - x, other.y - y) >= MIN_SPACING_M);
    if (free && inlandKm(x, y) > 0.8) found.push({ x: Math.round(x), y: Math.round(y) });
  }
  return found.map(({ x, y }, index) => {
    const [lon, lat] = toDegrees(x, y).map((value) => Math.round(value * 1e5) / 1e5);
    const noise = 1 + 0.04 * (random() + random() + random() - 1.5);
    const hours = tenths(rainMm(x, y) * noise, hourlyShares(x)).map((value) =>
      value === 0 ? '0.0' : (value / 10).toFixed(1),
    );
    if (index === GAUGE_WITH_GAP) hours[9] = '';
    if (index % 9 === 4) hours[22] = 'T';
    return {
      id: `SYN-${String(index + 1).padStart(3, '0')}`,
      name: `Pluviometro ${nearest(places, x, y)} (synthetic)`,
      lon: lon ?? NaN,
      lat: lat ?? NaN,
      elevationM: Math.round(heightM(x, y)),
      hours,
    };
  });
}

/** The total in tenths, dealt to the hours by largest remainder. */
function tenths(mm: number, shares: readonly number[]): number[] {
  const total = Math.round(mm * 10);
  const exact = shares.map((share) => share * total);
  const dealt = exact.map(Math.floor);
  const rest = total - dealt.reduce((a, b) => a + b, 0);
  const order = exact
    .map((value, h) => [value - Math.floor(value), h] as const)
    .sort(([a, h], [b, k]) => b - a || h - k);
  for (const [, h] of order.slice(0, rest)) dealt[h] = (dealt[h] ?? 0) + 1;
  return dealt;
}

function nearest(places: readonly Place[], x: number, y: number): string {
  let best = { name: 'Liguria', distance: Infinity };
  for (const place of places) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance < best.distance) best = { name: place.name, distance };
  }
  return best.name;
}
