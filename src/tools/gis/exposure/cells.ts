import type { Geometry, Position } from 'geojson';
import { crsInfo } from '../crs/crsInfo.ts';
import { transformer } from '../crs/transformer.ts';
import { cellIndexAt, type Grid } from '../raster/grid.ts';
import { addTo, NO_FOOTPRINT, type Footprint } from './footprint.ts';
import { addPath, type LengthM } from './lineCells.ts';
import { areaOf, cellsInside, isWithin, representativeCell } from './polygonCells.ts';

/** Mean radius of the Earth (IUGG), metres. */
const EARTH_M = 6_371_008.8;

/** Lengths in the system of the grid: planar where it is metric, along the great circle (haversine) elsewhere. */
function lengthIn(crs: string): LengthM {
  if (crsInfo(crs).metric) return (ax, ay, bx, by) => Math.hypot(bx - ax, by - ay);
  const toDegrees = transformer(crs, 'EPSG:4326');
  const rad = Math.PI / 180;
  return (ax, ay, bx, by) => {
    const [lon1, lat1] = toDegrees(ax, ay);
    const [lon2, lat2] = toDegrees(bx, by);
    const h =
      Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
      Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
    return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
  };
}

function points(positions: readonly Position[], grid: Grid): Footprint {
  const cells = new Map<number, number>();
  let total = 0;
  for (const [x, y] of positions) {
    if (x === undefined || y === undefined) continue;
    total += 1;
    const cell = cellIndexAt(grid, x, y);
    if (cell >= 0) addTo(cells, cell, 1);
  }
  return total === 0 ? NO_FOOTPRINT : { kind: 'count', cells, total, smallerThanCell: false };
}

function lines(paths: readonly (readonly Position[])[], grid: Grid, length: LengthM): Footprint {
  const cells = new Map<number, number>();
  let total = 0;
  for (const path of paths) total += addPath(cells, path, grid, length);
  return total === 0 ? NO_FOOTPRINT : { kind: 'length_m', cells, total, smallerThanCell: false };
}

function polygons(parts: readonly (readonly (readonly Position[])[])[], grid: Grid): Footprint {
  const real = parts.filter((polygon) => (polygon[0]?.length ?? 0) >= 3);
  if (real.length === 0) return NO_FOOTPRINT;
  const cells = new Map<number, number>();
  let total = 0;
  for (const polygon of real) {
    const inside = cellsInside(polygon, grid);
    // Parts may share a cell centre; it counts once.
    let fresh = 0;
    for (const cell of inside) {
      if (!cells.has(cell)) fresh += 1;
      cells.set(cell, 1);
    }
    total += isWithin(polygon, grid) ? fresh : Math.max(fresh, areaOf(polygon) / grid.cellSize ** 2);
  }
  if (cells.size > 0) return { kind: 'area_share', cells, total, smallerThanCell: false };
  const largest = real.reduce((best, polygon) => (areaOf(polygon) > areaOf(best) ? polygon : best));
  const cell = representativeCell(largest, grid);
  return {
    kind: 'area_share',
    cells: cell >= 0 ? new Map([[cell, 1]]) : new Map(),
    total: Math.max(1, total),
    smallerThanCell: cell >= 0,
  };
}

/**
 * Footprints of geometries on a grid; coordinates must be in its system. Points by the cell that contains them, lines by
 * their length per cell, polygons by the cells whose centre they hold (one smaller than a cell: at a point inside).
 * Of a collection only the parts of the highest dimension count. Empty geometries have no footprint (`total` 0).
 */
export function createFootprints(grid: Grid): (geometry: Geometry | null) => Footprint {
  const length = lengthIn(grid.crs);
  const of = (geometry: Geometry): Footprint => {
    switch (geometry.type) {
      case 'Point':
        return points([geometry.coordinates], grid);
      case 'MultiPoint':
        return points(geometry.coordinates, grid);
      case 'LineString':
        return lines([geometry.coordinates], grid, length);
      case 'MultiLineString':
        return lines(geometry.coordinates, grid, length);
      case 'Polygon':
        return polygons([geometry.coordinates], grid);
      case 'MultiPolygon':
        return polygons(geometry.coordinates, grid);
      case 'GeometryCollection':
        return collection(geometry.geometries);
    }
  };
  const collection = (parts: readonly Geometry[]): Footprint => {
    const areas = parts.flatMap((part) =>
      part.type === 'Polygon' ? [part.coordinates] : part.type === 'MultiPolygon' ? part.coordinates : [],
    );
    if (areas.length > 0) return polygons(areas, grid);
    const paths = parts.flatMap((part) =>
      part.type === 'LineString' ? [part.coordinates] : part.type === 'MultiLineString' ? part.coordinates : [],
    );
    if (paths.length > 0) return lines(paths, grid, length);
    return points(
      parts.flatMap((part) =>
        part.type === 'Point' ? [part.coordinates] : part.type === 'MultiPoint' ? part.coordinates : [],
      ),
      grid,
    );
  };
  return (geometry) => (geometry === null ? NO_FOOTPRINT : of(geometry));
}
