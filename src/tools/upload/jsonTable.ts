import { epsgCodes } from './headers.ts';
import { isRecord, parseUntrustedJson } from './jsonGuard.ts';
import { UPLOAD_LIMITS } from './limits.ts';
import { isOpenMeteo, openMeteoTable } from './openMeteo.ts';
import { uploadInvalid } from './refuse.ts';
import type { Table, TableRow } from './table.ts';

export const JSON_FORMAT = {
  encoding: 'utf-8',
  bom: false,
  line_end: 'none',
  delimiter: null,
  decimal: '.',
  header_line: null,
} as const;

/**
 * Reads an untrusted JSON file as a table: an array of flat objects (or an object with one such array), Open-Meteo's
 * column arrays, or GeoJSON points. Nested objects become `outer.inner` columns, `null` an empty cell.
 * @throws UPLOAD_INVALID for any other shape, and as `parseUntrustedJson`.
 */
export function readJsonTable(bytes: Uint8Array): Table {
  const root = parseUntrustedJson(bytes);
  if (isRecord(root) && root['error'] === true) {
    const reason = typeof root['reason'] === 'string' ? root['reason'].slice(0, 200) : 'no reason given';
    throw uploadInvalid(`The file holds a service's error instead of data: ${reason}`);
  }
  if (isOpenMeteo(root)) return openMeteoTable(root);
  if (isRecord(root) && root['type'] === 'FeatureCollection') return pointTable(root);
  const list = Array.isArray(root) ? (root as unknown[]) : onlyList(root);
  if (list === null) {
    throw uploadInvalid('The JSON holds no list of objects: expected an array, Open-Meteo columns or GeoJSON points.');
  }
  return objectTable(list, 'json', {});
}

function onlyList(root: unknown): unknown[] | null {
  if (!isRecord(root)) return null;
  const lists = Object.values(root).filter((value) => Array.isArray(value) && value.some(isRecord));
  return lists.length === 1 ? (lists[0] as unknown[]) : null;
}

function pointTable(root: Readonly<Record<string, unknown>>): Table {
  const features = Array.isArray(root['features']) ? (root['features'] as unknown[]) : [];
  const rows = features.map((feature) => {
    if (!isRecord(feature)) return null;
    const geometry = isRecord(feature['geometry']) ? feature['geometry'] : {};
    const point = geometry['type'] === 'Point' && Array.isArray(geometry['coordinates']) ? geometry['coordinates'] : [];
    const [lon, lat] = point as unknown[];
    const id = feature['id'];
    const properties = isRecord(feature['properties']) ? feature['properties'] : {};
    return { ...(id === undefined ? {} : { id }), ...properties, lon: lon ?? null, lat: lat ?? null };
  });
  const crs = legacyCrs(root);
  return objectTable(rows, 'geojson', crs === null ? { crs: 'EPSG:4326' } : { crs });
}

/** CRS that the legacy `crs` member of a GeoJSON names, else null. */
export function legacyCrs(root: Readonly<Record<string, unknown>>): string | null {
  const crs = root['crs'];
  const text = typeof crs === 'string' ? crs : isRecord(crs) ? JSON.stringify(crs).slice(0, 400) : '';
  const codes = epsgCodes(text);
  return codes.length === 1 ? (codes[0] ?? null) : null;
}

function objectTable(list: readonly unknown[], kind: Table['kind'], fixed: Table['fixed']): Table {
  if (list.length > UPLOAD_LIMITS.rows) throw uploadInvalid(`The list has more than ${UPLOAD_LIMITS.rows} entries.`);
  const columns = new Map<string, number>();
  const flat = list.map((entry) => {
    const cells = new Map<string, string>();
    flatten(entry, '', cells);
    for (const key of cells.keys()) if (!columns.has(key)) columns.set(key, columns.size);
    if (columns.size > UPLOAD_LIMITS.columns) throw uploadInvalid('The objects have too many different members.');
    return cells;
  });
  const header = [...columns.keys()];
  const rows: TableRow[] = flat.map((cells, index) => ({
    line: index + 1,
    cells: header.map((key) => cells.get(key) ?? ''),
  }));
  return { kind, format: JSON_FORMAT, header, rows, notes: [], mixedLines: [], fixed };
}

function flatten(value: unknown, prefix: string, into: Map<string, string>): void {
  if (!isRecord(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (isRecord(member)) flatten(member, name, into);
    else if (typeof member === 'string') into.set(name, member);
    else if (typeof member === 'number' || typeof member === 'boolean') into.set(name, String(member));
    else if (member === null) into.set(name, '');
    // Arrays inside a row have no place in a table and are left out.
  }
}
