/** Geometries of the input in longitude and latitude, with their box; what cannot be placed becomes null, never a guess. */
import type { Geometry, Position } from 'geojson';
import type { Transform } from '../crs/transformer.ts';
import { unionBox, type Box } from './mercator.ts';

export interface Placed {
  readonly geometry: Geometry;
  /** Degrees. */
  readonly box: Box;
  readonly points: number;
}

/** Six decimals of a degree are 11 cm: finer than any map here, and a third of the bytes. */
const round = (value: number): number => Number(value.toFixed(6));

/** Every position of a geometry in drawing order. */
export function* positionsOf(geometry: Geometry): Generator<Position> {
  if (geometry.type === 'GeometryCollection') {
    for (const part of geometry.geometries) yield* positionsOf(part);
  } else {
    yield* flatten(geometry.coordinates);
  }
}

type Nested = Position | Position[] | Position[][] | Position[][][];

function* flatten(value: Nested): Generator<Position> {
  if (typeof value[0] === 'number' || value.length === 0) {
    if (value.length > 0) yield value as Position;
  } else {
    for (const part of value as Nested[]) yield* flatten(part);
  }
}

/**
 * Transforms a geometry to WGS 84 through `toLonLat`. Null when it is missing, empty, or any position has no image:
 * half a line would be a false map.
 */
export function placeGeometry(geometry: Geometry | null, toLonLat: Transform): Placed | null {
  if (!geometry) return null;
  const seen: { box: Box | null; points: number; lost: boolean } = { box: null, points: 0, lost: false };
  const move = (position: Position): Position => {
    const [lon, lat] = toLonLat(position[0] ?? NaN, position[1] ?? NaN);
    if (Number.isNaN(lon) || Number.isNaN(lat) || Math.abs(lat) > 90 || Math.abs(lon) > 360) seen.lost = true;
    else seen.box = unionBox(seen.box, [lon, lat, lon, lat]);
    seen.points += 1;
    return [round(lon), round(lat)];
  };
  const moved = mapGeometry(geometry, move);
  return seen.lost || !seen.box ? null : { geometry: moved, box: seen.box, points: seen.points };
}

/** The same geometry with every position replaced. */
export function mapGeometry(geometry: Geometry, move: (position: Position) => Position): Geometry {
  switch (geometry.type) {
    case 'Point':
      return geometry.coordinates.length < 2 ? geometry : { type: 'Point', coordinates: move(geometry.coordinates) };
    case 'MultiPoint':
    case 'LineString':
      return { type: geometry.type, coordinates: geometry.coordinates.map(move) };
    case 'MultiLineString':
    case 'Polygon':
      return { type: geometry.type, coordinates: geometry.coordinates.map((line) => line.map(move)) };
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: geometry.coordinates.map((polygon) => polygon.map((ring) => ring.map(move))),
      };
    case 'GeometryCollection':
      return { type: 'GeometryCollection', geometries: geometry.geometries.map((part) => mapGeometry(part, move)) };
  }
}

/** Drops positions of lines and rings that lie closer than `tolerance` degrees to the last kept one; ends always stay. */
export function thinGeometry(geometry: Geometry, tolerance: number): Geometry {
  const thin = (line: Position[], least: number): Position[] => {
    if (line.length <= least) return line;
    let last = line[0] ?? [];
    const kept = line.filter((position, index) => {
      const [dx, dy] = [(position[0] ?? 0) - (last[0] ?? 0), (position[1] ?? 0) - (last[1] ?? 0)];
      const keep = index === 0 || index === line.length - 1 || dx * dx + dy * dy >= tolerance * tolerance;
      if (keep) last = position;
      return keep;
    });
    return kept.length >= least ? kept : line;
  };
  switch (geometry.type) {
    case 'LineString':
      return { ...geometry, coordinates: thin(geometry.coordinates, 2) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map((line) => thin(line, 2)) };
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map((ring) => thin(ring, 4)) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((one) => one.map((ring) => thin(ring, 4))) };
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map((part) => thinGeometry(part, tolerance)) };
    default:
      return geometry;
  }
}
