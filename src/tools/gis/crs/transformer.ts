import proj4 from 'proj4';
import { crsInfo } from './crsInfo.ts';

export type Position = readonly [number, number];

/** Turns a pair of one system into another; a pair without an image gives two NaN, never a plausible number. */
export type Transform = (x: number, y: number) => Position;

const cache = new Map<string, Transform>();

/**
 * Transformation between two systems by their EPSG code, axis order always east/longitude first.
 * Accuracy: see `accuracyM` of the definitions. Formulas: proj4js (PROJ).
 * @throws ToolError `INVALID_ARGUMENT` for an unknown system
 */
export function transformer(from: string, to: string): Transform {
  const source = crsInfo(from);
  const target = crsInfo(to);
  if (source.code === target.code) {
    return (x, y) => (Number.isFinite(x) && Number.isFinite(y) ? [x, y] : [NaN, NaN]);
  }
  const key = `${source.code}>${target.code}`;
  const known = cache.get(key);
  if (known) return known;
  const converter = proj4(source.proj, target.proj);
  const transform: Transform = (x, y) => {
    // proj4 throws on NaN and infinity, and its degrees run past the poles without complaint.
    if (!Number.isFinite(x) || !Number.isFinite(y)) return [NaN, NaN];
    if (source.kind === 'geographic' && Math.abs(y) > 90) return [NaN, NaN];
    const [px, py] = converter.forward<[number, number]>([x, y]);
    return Number.isFinite(px) && Number.isFinite(py) ? [px, py] : [NaN, NaN];
  };
  cache.set(key, transform);
  return transform;
}
