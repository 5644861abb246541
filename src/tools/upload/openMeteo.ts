import { isRecord } from './jsonGuard.ts';
import { UPLOAD_LIMITS } from './limits.ts';
import { uploadInvalid } from './refuse.ts';
import type { Table, TableRow } from './table.ts';

type Place = Readonly<Record<string, unknown>>;

/** True for an answer of Open-Meteo: one place, or a list of places, with `hourly` columns. */
export function isOpenMeteo(root: unknown): root is Place | readonly Place[] {
  const first = Array.isArray(root) ? (root as unknown[])[0] : root;
  return isRecord(first) && isRecord(first['hourly']) && Array.isArray(first['hourly']['time']);
}

/**
 * Open-Meteo's column arrays as rows. Times without offset are local to `utc_offset_seconds` and become UTC; numbers are
 * Unix seconds (UTC). An hourly sum belongs to the hour that ends at its time (Open-Meteo documentation, "Preceding hour
 * sum").
 * @throws UPLOAD_INVALID when columns differ in length or the rain column is missing.
 */
export function openMeteoTable(root: Place | readonly Place[]): Table {
  const places = Array.isArray(root) ? (root as readonly Place[]) : [root as Place];
  const rows: TableRow[] = [];
  const units = new Set<string>();
  for (const [index, place] of places.entries()) addPlace(place, index, rows, units);
  if (units.size > 1) throw uploadInvalid('The places of the Open-Meteo answer state different rain units.');
  const unit = [...units][0];
  return {
    kind: 'openMeteo',
    format: { encoding: 'utf-8', bom: false, line_end: 'none', delimiter: null, decimal: '.', header_line: null },
    header: ['id', 'lon', 'lat', 'elevation', 'time_utc', 'precipitation'],
    rows,
    notes: [],
    mixedLines: [],
    fixed: {
      crs: 'EPSG:4326',
      ...(unit === undefined ? {} : { unit: unit === 'inch' ? 'in' : unit }),
      timeLabel: 'end',
      remarks: [
        'Open-Meteo values are model output, not gauge readings; coordinates are those of the model grid cell.',
      ],
    },
  };
}

function addPlace(place: Place, index: number, rows: TableRow[], units: Set<string>): void {
  const hourly = isRecord(place['hourly']) ? place['hourly'] : {};
  const name = ['precipitation', 'rain'].find((key) => Array.isArray(hourly[key]));
  const times = hourly['time'];
  const values = name === undefined ? undefined : hourly[name];
  if (name === undefined || !Array.isArray(times) || !Array.isArray(values)) {
    throw uploadInvalid('The Open-Meteo answer has no hourly precipitation column.');
  }
  if (times.length !== values.length) throw uploadInvalid('The Open-Meteo columns differ in length.');
  const unitTable = isRecord(place['hourly_units']) ? place['hourly_units'] : {};
  const unit = unitTable[name];
  if (typeof unit === 'string') units.add(unit);
  const offset = typeof place['utc_offset_seconds'] === 'number' ? place['utc_offset_seconds'] : 0;
  const fixed = [idOf(place, index), cell(place['longitude']), cell(place['latitude']), cell(place['elevation'])];
  for (const [at, time] of (times as unknown[]).entries()) {
    if (rows.length >= UPLOAD_LIMITS.rows) throw uploadInvalid('The Open-Meteo answer has too many rows.');
    rows.push({ line: rows.length + 1, cells: [...fixed, utc(time, offset), cell((values as unknown[])[at])] });
  }
}

function idOf(place: Place, index: number): string {
  const id = place['location_id'];
  return typeof id === 'number' || typeof id === 'string' ? String(id) : String(index);
}

function utc(time: unknown, offset: number): string {
  if (typeof time === 'number') return new Date(time * 1000).toISOString();
  if (typeof time !== 'string') return '';
  const ms = Date.parse(`${time}Z`);
  return Number.isNaN(ms) ? time : new Date(ms - offset * 1000).toISOString();
}

function cell(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
