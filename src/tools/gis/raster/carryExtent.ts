import type { Extent } from '../../../catalog/portTypes.ts';
import { transformer } from '../crs/transformer.ts';

/** Points along each edge: the edges of a box become curves. */
const EDGE_POINTS = 16;

/** Smallest box in the target system around a box of another one; NaN where an edge has no image. */
export function carryExtent(extent: Extent, from: string, to: string): Extent {
  const transform = transformer(from, to);
  const [minX, minY, maxX, maxY] = extent;
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= EDGE_POINTS; i += 1) {
    const x = minX + ((maxX - minX) * i) / EDGE_POINTS;
    const y = minY + ((maxY - minY) * i) / EDGE_POINTS;
    for (const [px, py] of [transform(x, minY), transform(x, maxY), transform(minX, y), transform(maxX, y)]) {
      box[0] = Math.min(box[0], px);
      box[1] = Math.min(box[1], py);
      box[2] = Math.max(box[2], px);
      box[3] = Math.max(box[3], py);
    }
  }
  return box;
}
