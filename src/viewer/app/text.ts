/** Small texts: durations, sizes, times. */

/**
 * `0.4 s`, `12 s`, `3 min 20 s`, `5 h 12 min`, `3 d 4 h`; a dash when not started, or when the end is not known. `now` (milliseconds since the
 * epoch) closes what still runs, null for what does not.
 */
export function duration(
  startedAt: string | null | undefined,
  endedAt: string | null | undefined,
  now: number | null,
): string {
  const end = endedAt ? Date.parse(endedAt) : now;
  if (!startedAt || end === null) return '–';
  const seconds = Math.max(0, (end - Date.parse(startedAt)) / 1000);
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(seconds / 3600);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A time as a clock shows it here: `14:05:09`, with the date when it is not today's. Empty for what is no time. */
export function clock(at: string, now: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const today = time.toDateString() === new Date(now).toDateString();
  return today ? time.toLocaleTimeString() : time.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/** `12.3 kB`, `4.0 MB`. */
export function fileSize(bytes: number | undefined): string {
  if (bytes === undefined) return '';
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Plain name of a media type. */
export function fileKind(mediaType: string): string {
  const type = mediaType.split(';')[0] ?? mediaType;
  return KINDS.get(type) ?? type;
}

const KINDS = new Map([
  ['text/html', 'Interactive map (HTML)'],
  ['image/png', 'Picture (PNG)'],
  ['image/tiff', 'Raster (GeoTIFF)'],
  ['application/geo+json', 'Features (GeoJSON)'],
  ['application/vnd.geoagent.features+json', 'Features with their own coordinate system (JSON)'],
  ['application/vnd.geoagent.observations+json', 'Observations (JSON)'],
  ['application/json', 'Data (JSON)'],
  ['text/csv', 'Table (CSV)'],
  ['text/plain', 'Text'],
]);
