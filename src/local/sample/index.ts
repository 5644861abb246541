/**
 * The bundled sample behind the source `"sample"`: development only, labelled synthetic everywhere. Rain has no date of its
 * own: its 24 hours are the last 24 complete hours before the run, so that "the last 24 hours" always exist.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Labels, ToolInput } from '../../catalog/tool.ts';
import type { SampleGauge } from './makeGauges.ts';

export type SampleKind = 'rainfall' | 'assets' | 'terrain';

const LICENCE = 'Synthetic sample data (GeoAgent), no real measurement; place names: GeoNames, CC BY 4.0';
const LABELS: Labels = { integrity: ['synthetic'], confidentiality: 'public', licences: [LICENCE] };
const HOUR_MS = 3_600_000;

interface SampleFile {
  readonly name: string;
  readonly mediaType: string;
  readonly make: (now: number) => Promise<Uint8Array>;
}

const FILES: ReadonlyMap<string, SampleFile> = new Map([
  ['rainfall', { name: 'sample-rainfall.csv', mediaType: 'text/csv', make: rainfallCsv }],
  [
    'assets',
    { name: 'sample-assets.geojson', mediaType: 'application/geo+json', make: () => dataFile('assets.geojson') },
  ],
  [
    'terrain',
    { name: 'sample-terrain.tif', mediaType: 'image/tiff; application=geotiff', make: () => dataFile('terrain.tif') },
  ],
]);

/** A file of the sample as a tool takes it; undefined for a kind that the sample does not have. */
export async function sampleSource(kind: string, now: number): Promise<ToolInput | undefined> {
  const file = FILES.get(kind);
  if (file === undefined) return undefined;
  const bytes = await file.make(now);
  return {
    bytes,
    mediaType: file.mediaType,
    type: { kind: 'artifact', mediaType: file.mediaType },
    sha256: createHash('sha256').update(bytes).digest('hex'),
    labels: LABELS,
    name: file.name,
  };
}

/** Data beside the source; compiled code finds it in the source tree, as development always has one. */
async function dataFile(name: string): Promise<Uint8Array> {
  const beside = new URL(`./data/${name}`, import.meta.url);
  const inSource = new URL(`../../../src/local/sample/data/${name}`, import.meta.url);
  return readFile(existsSync(beside) ? beside : inSource);
}

async function rainfallCsv(now: number): Promise<Uint8Array> {
  const gauges = JSON.parse(new TextDecoder().decode(await dataFile('gauges.json'))) as readonly SampleGauge[];
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  const lines = [
    '# SYNTHETIC sample for development: invented gauges and rain, see src/local/sample/region.ts',
    '# hourly sums, time = end of the hour in UTC, coordinates EPSG:4326',
    'station_id,station_name,lon,lat,elevation_m,time_utc,rain_mm',
  ];
  for (const { id, name, lon, lat, elevationM, hours } of gauges) {
    for (const [hour, value] of hours.entries()) {
      const time = new Date(end - (hours.length - 1 - hour) * HOUR_MS).toISOString().replace('.000Z', 'Z');
      lines.push([id, name, lon, lat, elevationM, time, value].join(','));
    }
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}
