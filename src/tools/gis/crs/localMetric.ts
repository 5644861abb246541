import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from './crsInfo.ts';
import { transformer } from './transformer.ts';

/** Farthest from the central meridian that distances are still true to about 2 %: 1/2 (Δλ cos φ)² at the equator. */
const MAX_FROM_MERIDIAN_DEG = 12;

/** `EPSG:326zz` or `EPSG:327zz`: the WGS 84 / UTM zone of a position in degrees. */
export function utmZoneOf(lon: number, lat: number): string {
  const zone = Math.min(60, Math.max(1, Math.floor((lon + 180) / 6) + 1));
  return `EPSG:${(lat >= 0 ? 32600 : 32700) + zone}`;
}

/**
 * The metric system to compute distances in for positions given in `crs`: the same one when it is metric, else the UTM
 * zone of their mean longitude and latitude.
 * @throws ToolError `CRS_NOT_PROJECTED` where no zone serves (polar, or spread too wide, or across the date line)
 */
export function localMetricCrs(points: readonly (readonly [number, number])[], crs: string): string {
  const info = crsInfo(crs);
  if (info.metric) return info.id;
  const toDegrees = transformer(info.id, 'EPSG:4326');
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  let sumLon = 0;
  let sumLat = 0;
  for (const [x, y] of points) {
    const [lon, lat] = toDegrees(x, y);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
    sumLon += lon;
    sumLat += lat;
  }
  const lon = sumLon / points.length;
  const lat = sumLat / points.length;
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) {
    throw new ToolError(
      'CRS_NOT_PROJECTED',
      `No metric system can be chosen: positions in ${info.id} are missing or not finite.`,
    );
  }
  const zone = utmZoneOf(lon, lat);
  const meridian = (crsInfo(zone).area[0] + crsInfo(zone).area[2]) / 2;
  if (south < -80 || north > 84 || east - meridian > MAX_FROM_MERIDIAN_DEG || meridian - west > MAX_FROM_MERIDIAN_DEG) {
    throw new ToolError(
      'CRS_NOT_PROJECTED',
      `The positions span longitude ${west.toFixed(2)} to ${east.toFixed(2)} and latitude ${south.toFixed(2)} to ${north.toFixed(2)}: too wide for one UTM zone. Reproject them to a metric system that covers the area, or narrow the area.`,
    );
  }
  return zone;
}

/**
 * Metric system for a box given in another one, by its middle; null when the box is not usable. For proposals of the
 * type rules, which must not throw.
 */
export function metricCrsOfExtent(extent: readonly [number, number, number, number], crs: string): string | null {
  try {
    return localMetricCrs([[(extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2]], crs);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
