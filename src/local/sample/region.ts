/**
 * The invented world of the bundled sample: a stretch of coast with mountains behind it, laid over Liguria around Genoa.
 * Place names are real, relief, rain, gauges and assets are not. Everything is a closed formula of the position, so that
 * every test can compare against the truth.
 */

/** UTM zone 32N, metres. */
export const SAMPLE_CRS = 'EPSG:32632';
export const SAMPLE_EXTENT = { minX: 464_000, minY: 4_900_000, width: 66_000, height: 45_000 } as const;
export const TERRAIN_CELL_M = 300;

/** Position in kilometres from the lower left corner. */
function local(x: number, y: number): { X: number; Y: number } {
  return { X: (x - SAMPLE_EXTENT.minX) / 1000, Y: (y - SAMPLE_EXTENT.minY) / 1000 };
}

/** Coast line, kilometres east and north of the corner: Varazze, Arenzano, Voltri, Genoa, Nervi, Recco, Portofino, Chiavari. */
const COAST: readonly (readonly [X: number, Y: number])[] = [
  [0, 10],
  [4, 12],
  [11, 16.5],
  [19, 19],
  [30, 17],
  [38, 14.5],
  [47, 12],
  [50, 10],
  [52, 5.5],
  [54, 9.5],
  [62, 7],
  [66, 2.5],
];

/** Kilometres inland (north) of the coast line; negative = sea. */
export function inlandKm(x: number, y: number): number {
  const { X, Y } = local(x, y);
  const at = Math.max(
    1,
    COAST.findIndex(([east]) => east >= X),
  );
  const [x0, y0] = COAST[at - 1] ?? [0, 0];
  const [x1, y1] = COAST[at] ?? [1, 0];
  return Y - (y0 + ((y1 - y0) * (X - x0)) / (x1 - x0));
}

/**
 * Height in metres: a range that rises from the coast to its crest 13 km inland and falls gently behind it, cut by valleys
 * every 9.5 km and smaller ones every 3.1 km; 0 at sea.
 */
export function heightM(x: number, y: number): number {
  const { X } = local(x, y);
  const d = inlandKm(x, y);
  if (d <= 0) return 0;
  const range = 1180 * (1 - Math.exp(-d / 5.5)) * (0.45 + 0.55 * Math.exp(-(((d - 13) / 10) ** 2)));
  const valleys = 0.62 + 0.3 * Math.cos((2 * Math.PI * X) / 9.5 + 0.6 * Math.sin(d / 4));
  const folds = 0.09 * Math.sin((2 * Math.PI * (X + 0.4 * d)) / 3.1) * Math.cos((2 * Math.PI * d) / 5.3);
  return Math.round(Math.max(1, range * (valleys + folds)) * 10) / 10;
}

/**
 * Rain in millimetres over the 24 hours: drizzle everywhere, a weak band along the range 10 km inland, and one wide cell
 * behind Genoa (74 mm above that).
 */
export function rainMm(x: number, y: number): number {
  const { X, Y } = local(x, y);
  const band = 6 * Math.exp(-(((inlandKm(x, y) - 10) / 10) ** 2));
  const cell = 74 * Math.exp(-(((X - 34) / 15) ** 2) - ((Y - 24) / 13) ** 2);
  return 4 + band + cell;
}

/** Share of the day's rain in each of the 24 hours: a front that crosses from west to east, and showers in the evening. */
export function hourlyShares(x: number): number[] {
  const u = local(x, 0).X / 66;
  const weights = Array.from(
    { length: 24 },
    (_, h) => Math.exp(-(((h - (7 + 5 * u)) / 3) ** 2)) + 0.3 * Math.exp(-(((h - 18) / 1.8) ** 2)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}
