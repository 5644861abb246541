import type { Geometry, Position } from 'geojson';
import { isRecord } from '../../upload/jsonGuard.ts';
import type { AssetFindings, AssetRejectCode } from './assetReport.ts';

/** A geometry that can be used, or why not. */
export type Cleaned = { readonly geometry: Geometry } | { readonly reason: AssetRejectCode };

class Refused extends Error {
  readonly reason: AssetRejectCode;
  constructor(reason: AssetRejectCode) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * A geometry from untrusted JSON as RFC 7946 wants it: known type, two finite numbers a position, rings closed and
 * outer ring counter-clockwise (RFC 7946 §3.1.6). Missing closure and wrong order are repaired and counted, as that changes
 * no shape; everything else is refused. Collections are taken one level deep.
 */
export function cleanGeometry(value: unknown, findings: AssetFindings): Cleaned {
  if (value === null || value === undefined) return { reason: 'NULL_GEOMETRY' };
  try {
    return { geometry: clean(value, findings, 0) };
  } catch (error) {
    if (error instanceof Refused) return { reason: error.reason };
    throw error;
  }
}

function clean(value: unknown, findings: AssetFindings, depth: number): Geometry {
  if (!isRecord(value)) throw new Refused('GEOMETRY_INVALID');
  const coordinates = value['coordinates'];
  switch (value['type']) {
    case 'Point':
      return { type: 'Point', coordinates: position(coordinates, findings) };
    case 'MultiPoint':
      return { type: 'MultiPoint', coordinates: list(coordinates, 1).map((item) => position(item, findings)) };
    case 'LineString':
      return { type: 'LineString', coordinates: line(coordinates, findings) };
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: list(coordinates, 1).map((item) => line(item, findings)) };
    case 'Polygon':
      return { type: 'Polygon', coordinates: rings(coordinates, findings) };
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: list(coordinates, 1).map((item) => rings(item, findings)) };
    case 'GeometryCollection': {
      if (depth > 0) throw new Refused('GEOMETRY_UNSUPPORTED');
      const parts = list(value['geometries'], 1).map((item) => clean(item, findings, depth + 1));
      return { type: 'GeometryCollection', geometries: parts };
    }
    default:
      throw new Refused('GEOMETRY_UNSUPPORTED');
  }
}

function list(value: unknown, least: number): unknown[] {
  if (!Array.isArray(value)) throw new Refused('GEOMETRY_INVALID');
  if (value.length === 0) throw new Refused('GEOMETRY_EMPTY');
  if (value.length < least) throw new Refused('GEOMETRY_INVALID');
  return value as unknown[];
}

function position(value: unknown, findings: AssetFindings): Position {
  const [x, y] = list(value, 2);
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
    throw new Refused('GEOMETRY_INVALID');
  }
  if ((value as unknown[]).length > 2) findings.flag('Z_DROPPED');
  return [x, y];
}

function line(value: unknown, findings: AssetFindings): Position[] {
  const points = list(value, 2).map((item) => position(item, findings));
  const [first] = points;
  if (points.every((point) => point[0] === first?.[0] && point[1] === first?.[1]))
    throw new Refused('GEOMETRY_INVALID');
  return points;
}

function rings(value: unknown, findings: AssetFindings): Position[][] {
  return list(value, 1).map((item, index) => {
    const ring = list(item, 3).map((point) => position(point, findings));
    const [first] = ring;
    const last = ring.at(-1);
    if (first === undefined || last === undefined) throw new Refused('RING_INVALID');
    if (first[0] !== last[0] || first[1] !== last[1]) {
      ring.push([...first]);
      findings.flag('RING_CLOSED');
    }
    const area = signedArea(ring);
    if (ring.length < 4 || area === 0) throw new Refused('RING_INVALID');
    const wanted = index === 0 ? area > 0 : area < 0;
    if (wanted) return ring;
    findings.flag('RING_ORDER_FIXED');
    return ring.reverse();
  });
}

/** Shoelace formula around the first point, so that large coordinates lose no digits; positive = counter-clockwise. */
function signedArea(ring: readonly Position[]): number {
  const [ox, oy] = [ring[0]?.[0] ?? 0, ring[0]?.[1] ?? 0];
  let sum = 0;
  ring.forEach((point, index) => {
    const next = ring[(index + 1) % ring.length] ?? point;
    sum += ((point[0] ?? 0) - ox) * ((next[1] ?? 0) - oy) - ((next[0] ?? 0) - ox) * ((point[1] ?? 0) - oy);
  });
  return sum / 2;
}

/** Extent of a geometry, its first position, and how many there are. */
export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  first: readonly [number, number];
  count: number;
}

/** One pass over a cleaned geometry. */
export function boxOf(geometry: Geometry): Box {
  const box: Box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity, first: [NaN, NaN], count: 0 };
  extend(box, geometry);
  return box;
}

function extend(box: Box, geometry: Geometry): void {
  if (geometry.type === 'GeometryCollection') for (const part of geometry.geometries) extend(box, part);
  else extendBy(box, geometry.coordinates);
}

type Nested = Position | readonly Nested[];

/** Depth is that of a geometry's coordinates, four at most. */
function extendBy(box: Box, coordinates: Nested): void {
  const [x, y] = coordinates;
  if (typeof x !== 'number' || typeof y !== 'number') {
    for (const item of coordinates) if (typeof item !== 'number') extendBy(box, item);
    return;
  }
  if (box.count === 0) box.first = [x, y];
  box.count += 1;
  if (x < box.minX) box.minX = x;
  if (x > box.maxX) box.maxX = x;
  if (y < box.minY) box.minY = y;
  if (y > box.maxY) box.maxY = y;
}

/** True when a line or ring steps over more than half the globe: it means the other way round, across 180° (O-38). */
export function crosses180(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.some(crosses180);
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return false;
  return paths(geometry).some((path) =>
    path.some((point, index) => Math.abs((point[0] ?? 0) - (path[index - 1]?.[0] ?? point[0] ?? 0)) > 180),
  );
}

function paths(geometry: Exclude<Geometry, { type: 'GeometryCollection' | 'Point' | 'MultiPoint' }>): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry.coordinates;
}
