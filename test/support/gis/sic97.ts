/** Real rain: 467 Swiss gauges of 8 May 1986. The data set lies beside the repository and may be absent. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = process.env['GEOAGENT_SIC97_DIR'] ?? resolve(import.meta.dirname, '../../../../shared/data/sic97');

export const hasSic97 = existsSync(join(folder, 'stations.csv'));
export const NO_SIC97 = 'the SIC97 data are not here; set GEOAGENT_SIC97_DIR to their folder';

export interface SicStation {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
  readonly mm: number;
  readonly set: string;
}

function rows(...path: string[]): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(folder, ...path), 'utf8')
    .trim()
    .split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i] ?? '', value])));
}

export function sicStations(): SicStation[] {
  return rows('stations.csv').map((row) => ({
    id: String(row['station_id']),
    x: Number(row['easting_lv95_m']),
    y: Number(row['northing_lv95_m']),
    lon: Number(row['lon']),
    lat: Number(row['lat']),
    mm: Number(row['rain_mm']),
    set: String(row['set']),
  }));
}

/** Predictions of IDW with power 2 at the 367 test gauges, made with R's gstat. */
export function peerIdw2(): Map<string, number> {
  return new Map(rows('peer-r', 'peer-predictions.csv').map((row) => [String(row['station_id']), Number(row['idw2'])]));
}
