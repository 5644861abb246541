import type { Geometry, Position } from 'geojson';

/** Geometry with every position replaced, in the order of the file; heights and measures behind x and y stay. */
export function mapPositions(geometry: Geometry, map: (x: number, y: number) => readonly [number, number]): Geometry {
  const one = (position: Position): Position => {
    const [x = NaN, y = NaN, ...rest] = position;
    const [px, py] = map(x, y);
    return [px, py, ...rest];
  };
  const path = (positions: readonly Position[]): Position[] => positions.map(one);
  switch (geometry.type) {
    case 'Point':
      // An empty point is a list of nothing, and stays one.
      return { ...geometry, coordinates: geometry.coordinates.length < 2 ? [] : one(geometry.coordinates) };
    case 'MultiPoint':
    case 'LineString':
      return { ...geometry, coordinates: path(geometry.coordinates) };
    case 'MultiLineString':
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(path) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(path)) };
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map((part) => mapPositions(part, map)) };
  }
}

/** The connected runs of positions of a geometry: rings and lines whole, points one by one. */
export function* pathsOf(geometry: Geometry): Generator<readonly Position[]> {
  switch (geometry.type) {
    case 'Point':
      if (geometry.coordinates.length >= 2) yield [geometry.coordinates];
      return;
    case 'MultiPoint':
      for (const position of geometry.coordinates) yield [position];
      return;
    case 'LineString':
      yield geometry.coordinates;
      return;
    case 'MultiLineString':
    case 'Polygon':
      yield* geometry.coordinates;
      return;
    case 'MultiPolygon':
      for (const polygon of geometry.coordinates) yield* polygon;
      return;
    case 'GeometryCollection':
      for (const part of geometry.geometries) yield* pathsOf(part);
      return;
  }
}
