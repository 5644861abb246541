/** Web Mercator (EPSG:3857) on the sphere of radius 6 378 137 m, as every slippy map uses it. */

export const EARTH_RADIUS = 6_378_137;
/** Latitude at which the square world ends. */
export const MAX_LATITUDE = 85.0511287798066;
const RAD = Math.PI / 180;

export type Position = readonly [x: number, y: number];
/** `[west, south, east, north]`, degrees or metres as said by the user of the type. */
export type Box = readonly [number, number, number, number];

/** Degrees to metres; latitudes are cut at ±85.05°. */
export function toMercator(lon: number, lat: number): Position {
  const cut = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
  return [EARTH_RADIUS * lon * RAD, EARTH_RADIUS * Math.log(Math.tan(Math.PI / 4 + (cut * RAD) / 2))];
}

/** Metres to degrees. */
export function fromMercator(x: number, y: number): Position {
  return [x / EARTH_RADIUS / RAD, (2 * Math.atan(Math.exp(y / EARTH_RADIUS)) - Math.PI / 2) / RAD];
}

/** Real metres per projected metre at a latitude (degrees): the scale factor is 1/cos φ. */
export const groundScale = (lat: number): number => Math.cos(lat * RAD);

/** The smallest box around both; null stands for "empty". */
export function unionBox(a: Box | null, b: Box | null): Box | null {
  if (!a) return b;
  if (!b) return a;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
