/**
 * Bounds on untrusted files. A record of 4 MiB leaves room for one absurd text cell (names of 1 MB occur in attacks and are
 * kept as data); a line of 100 MB is refused before anything parses it.
 */
export const UPLOAD_LIMITS = {
  bytes: 100 * 1024 * 1024,
  recordBytes: 4 * 1024 * 1024,
  rows: 1_000_000,
  columns: 2_000,
  /** Deepest honest file: FeatureCollection > features > feature > geometry > geometries > geometry > MultiPolygon. */
  jsonDepth: 48,
  jsonKeys: 20_000_000,
  /** Longest excerpt of a cell in a report or message. */
  excerpt: 120,
} as const;

/** A cell shortened for a report; the file itself keeps the whole. */
export function excerpt(text: string, max: number = UPLOAD_LIMITS.excerpt): string {
  if (text.length <= max) return text;
  // Never end inside a surrogate pair: a lone surrogate is not encodable as JSON in UTF-8.
  const cut = text.slice(0, max);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}
