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

/** Kilometres inland (north) of the coast line Y = 5 + 10.5 exp(−((X − 30)/16)²); negative = sea. */
export function inlandKm(x: number, y: number): number {
  const { X, Y } = local(x, y);
  return Y - (5 + 10.5 * Math.exp(-(((X - 30) / 16) ** 2)));
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
 * Rain in millimetres over the 24 hours: drizzle everywhere, a band along the range 10 km inland, one strong cell behind
 * Genoa (56 mm above the band) and a weaker one in the east.
 */
export function rainMm(x: number, y: number): number {
  const { X, Y } = local(x, y);
  const d = inlandKm(x, y);
  const band = 26 * Math.exp(-(((d - 10) / 8) ** 2)) * (0.7 + 0.3 * Math.sin(X / 8));
  const strong = 56 * Math.exp(-(((X - 34) / 9.5) ** 2) - ((Y - 26) / 9.5) ** 2);
  const weak = 14 * Math.exp(-(((X - 57) / 7) ** 2) - ((Y - 15) / 6) ** 2);
  return 7 + band + strong + weak;
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
