/**
 * Rain surface → picture in Web Mercator. An image overlay is stretched linearly in Mercator, so a picture in any other
 * system would lie up to kilometres off (reference/gis.md §4.6). Nearest cell, no smoothing: what is shown is what was computed.
 */
import type { Raster } from '../formats.ts';
import { transformer, type Transform } from '../crs/transformer.ts';
import { fromMercator, toMercator, unionBox, type Box } from './mercator.ts';
import { encodePalettePng, type PaletteColour } from './png.ts';
import { rainRamp, rampIndex, type RampClass } from './rainRamp.ts';

export interface SurfacePicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** In Web Mercator metres. */
  readonly box: Box;
  readonly ramp: readonly RampClass[];
  /** Cells without data inside the surface: drawn as a hatch. */
  readonly noDataCells: number;
  /** Largest value of the surface, NaN when it has none. */
  readonly max: number;
}

/** Pixels between two exactly transformed points; in between the transformation is interpolated. */
const MESH = 16;
/** Pixels between the lines of the "not assessed" hatch. */
const HATCH = 9;
export const SURFACE_ALPHA = 205;

/** Box of the raster in Web Mercator from 33 points on each edge (edges bend), null when nothing can be transformed. */
function mercatorBox(raster: Raster, toLonLat: Transform): Box | null {
  const [w, h] = [raster.width * raster.cellSize, raster.height * raster.cellSize];
  let box: Box | null = null;
  for (let i = 0; i <= 32; i += 1) {
    const t = i / 32;
    const edges: [number, number][] = [[t, 0], [t, 1], [0, t], [1, t]]; // prettier-ignore
    for (const [u, v] of edges) {
      const [lon, lat] = toLonLat(raster.originX + u * w, raster.originY - v * h);
      if (Number.isNaN(lon)) continue;
      const [x, y] = toMercator(lon, lat);
      box = unionBox(box, [x, y, x, y]);
    }
  }
  return box;
}

interface Mesh {
  /** Fractional column and row in the raster for a pixel centre of the picture. */
  at(px: number, py: number): readonly [number, number];
}

/** Interpolates picture pixel → raster cell between exactly transformed mesh points (as GDAL's approximating transformer does). */
function meshOf(raster: Raster, box: Box, width: number, height: number): Mesh {
  const fromLonLat = transformer('EPSG:4326', raster.crs);
  const exact = (px: number, py: number): readonly [number, number] => {
    const [lon, lat] = fromMercator(
      box[0] + ((box[2] - box[0]) * px) / width,
      box[3] - ((box[3] - box[1]) * py) / height,
    );
    const [x, y] = fromLonLat(lon, lat);
    return [(x - raster.originX) / raster.cellSize, (raster.originY - y) / raster.cellSize];
  };
  const across = Math.ceil(width / MESH) + 1;
  const down = Math.ceil(height / MESH) + 1;
  const columns = new Float64Array(across * down);
  const rows = new Float64Array(across * down);
  for (let j = 0; j < down; j += 1) {
    for (let i = 0; i < across; i += 1) {
      const [column, row] = exact(i * MESH, j * MESH);
      columns[j * across + i] = column;
      rows[j * across + i] = row;
    }
  }
  const blend = (values: Float64Array, i: number, j: number, u: number, v: number): number => {
    const at = j * across + i;
    const [a = NaN, b = NaN] = [values[at], values[at + 1]];
    const [c = NaN, d = NaN] = [values[at + across], values[at + across + 1]];
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
  };
  return {
    at(px, py) {
      const [i, j] = [Math.floor(px / MESH), Math.floor(py / MESH)];
      const [u, v] = [px / MESH - i, py / MESH - j];
      const column = blend(columns, i, j, u, v);
      const row = blend(rows, i, j, u, v);
      return Number.isNaN(column) || Number.isNaN(row) ? exact(px, py) : [column, row];
    },
  };
}

/** Size of the picture: `longSide` pixels on the longer side, at least one on the other. */
function pictureSize(box: Box, longSide: number): [number, number] {
  const [w, h] = [box[2] - box[0], box[3] - box[1]];
  const scale = longSide / Math.max(w, h);
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
}

/**
 * Warps band 0 of a raster to a palette PNG in Web Mercator; NaN cells become a hatch, the outside is transparent.
 * Null when the raster has no place on the map (nothing can be transformed).
 * @throws ToolError `INVALID_ARGUMENT` for an unknown coordinate system
 */
export function warpSurface(raster: Raster, longSide = 1200): SurfacePicture | null {
  const box = mercatorBox(raster, transformer(raster.crs, 'EPSG:4326'));
  const values = raster.bands[0]?.values;
  if (!box || !values || box[2] <= box[0] || box[3] <= box[1]) return null;
  let max = NaN;
  let noDataCells = 0;
  for (const value of values) {
    if (Number.isNaN(value)) noDataCells += 1;
    else if (!(value <= max)) max = value;
  }
  const ramp = rainRamp(Number.isNaN(max) ? 0 : max);
  const [veil, line, outside] = [ramp.length, ramp.length + 1, ramp.length + 2];
  const [width, height] = pictureSize(box, longSide);
  const mesh = meshOf(raster, box, width, height);
  const pixels = new Uint8Array(width * height).fill(outside);
  for (let py = 0; py < height; py += 1) {
    for (let px = 0; px < width; px += 1) {
      const [column, row] = mesh.at(px + 0.5, py + 0.5);
      if (!(column >= 0 && row >= 0 && column < raster.width && row < raster.height)) continue;
      const value = values[Math.floor(row) * raster.width + Math.floor(column)] ?? NaN;
      const hatch = (px + py) % HATCH < 1 ? line : veil;
      pixels[py * width + px] = Number.isNaN(value) ? hatch : rampIndex(value, ramp);
    }
  }
  const palette: PaletteColour[] = [
    ...ramp.map(({ colour }) => ({ colour, alpha: SURFACE_ALPHA })),
    { colour: '#8a8a8a', alpha: 40 },
    { colour: '#4a4a4a', alpha: 190 },
    { colour: '#ffffff', alpha: 0 },
  ];
  return { png: encodePalettePng(width, height, pixels, palette), width, height, box, ramp, noDataCells, max };
}
