/** Order of the assets on both maps, and which of them would be too small to see. */
import type { MapAsset } from './mapData.ts';
import type { Box } from './mercator.ts';

/** An outline under this part of the map's width and height (about 12 pixels) is marked by its symbol as well. */
const SMALL = 1 / 90;

/** Whether a line or an area would vanish at the scale of the whole map: then the class symbol stands at its middle. */
export function needsSymbol({ geometry, box }: MapAsset, view: Box): boolean {
  if (!geometry || !box || geometry.type.endsWith('Point')) return false;
  return box[2] - box[0] < (view[2] - view[0]) * SMALL && box[3] - box[1] < (view[3] - view[1]) * SMALL;
}

/** Middle of a box: longitude, latitude. */
export const middleOf = ([west, south, east, north]: Box): readonly [number, number] => [
  (west + east) / 2,
  (south + north) / 2,
];

function dimension(asset: MapAsset, view: Box): number {
  const type = asset.geometry?.type ?? '';
  if (needsSymbol(asset, view)) return 0;
  return type.endsWith('Polygon') ? 2 : type.endsWith('LineString') ? 1 : 0;
}

/** Assets with a geometry, first drawn first: areas, lines, points; within each the weakest class first, so that the strongest lies on top. */
export function drawOrder(assets: readonly MapAsset[], view: Box): MapAsset[] {
  return assets
    .filter((one) => one.geometry !== null)
    .sort((a, b) => dimension(b, view) - dimension(a, view) || b.classIndex - a.classIndex || b.index - a.index);
}
