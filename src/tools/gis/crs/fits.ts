import { crsInfo, type CrsInfo } from './crsInfo.ts';
import { transformer } from './transformer.ts';

/** Degrees that a position may lie outside the area of use before it counts as a mistake: borders are drawn roughly. */
const MARGIN_DEG = 1.5;
/** Largest UTM easting offset that is still meant seriously, see {@link marginOf}. */
const UTM_MARGIN_DEG = 9;

/** UTM is often used some zones over on purpose; nothing breaks there, so its margin east and west is wider. */
function marginOf(crs: CrsInfo): readonly [number, number] {
  return crs.proj.includes('+proj=utm') ? [UTM_MARGIN_DEG, MARGIN_DEG] : [MARGIN_DEG, MARGIN_DEG];
}

/**
 * Whether a pair can be a position in the system: finite, degrees within ±180 and ±90, and within the area of use
 * (with a margin of 1.5°, UTM 9° east and west) after conversion to longitude and latitude (O-38).
 */
export function fitsCrs(x: number, y: number, crs: string): boolean {
  const info = crsInfo(crs);
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  if (info.kind === 'geographic' && (Math.abs(x) > 180 || Math.abs(y) > 90)) return false;
  const [lon, lat] = transformer(info.id, 'EPSG:4326')(x, y);
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) return false;
  // Far outside their area projections fold back; the way there must lead to the same place.
  if (info.kind === 'projected') {
    const [bx, by] = transformer('EPSG:4326', info.id)(lon, lat);
    if (!(Math.hypot(bx - x, by - y) <= 1)) return false;
  }
  const [west, south, east, north] = info.area;
  const [across, along] = marginOf(info);
  return lon >= west - across && lon <= east + across && lat >= south - along && lat <= north + along;
}

/** True when the pair does not fit but would if x and y changed places: said to the person, never done for them. */
export function swappedFits(x: number, y: number, crs: string): boolean {
  return !fitsCrs(x, y, crs) && fitsCrs(y, x, crs);
}

/** What is wrong with a set of positions, in words; null when all fit. */
export function describeMisfit(points: Iterable<readonly [number, number]>, crs: string): string | null {
  let misfits = 0;
  let swapped = 0;
  let first: readonly [number, number] | undefined;
  for (const [x, y] of points) {
    if (fitsCrs(x, y, crs)) continue;
    misfits += 1;
    first ??= [x, y];
    if (fitsCrs(y, x, crs)) swapped += 1;
  }
  if (first === undefined) return null;
  const info = crsInfo(crs);
  const hint =
    swapped === misfits
      ? ' They would fit with x and y exchanged: is the order longitude, latitude (east, north)?'
      : info.kind === 'geographic' && (Math.abs(first[0]) > 180 || Math.abs(first[1]) > 90)
        ? ' They look like metres: name the projected system that they are in.'
        : '';
  return `${misfits} position${misfits === 1 ? '' : 's'} cannot be in ${info.id} (${info.name}), the first is ${first[0]}, ${first[1]}.${hint}`;
}
