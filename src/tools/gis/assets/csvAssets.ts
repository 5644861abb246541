import type { Point } from 'geojson';
import { ToolError } from '../../../plan/errors.ts';
import { readCsv } from '../../upload/csvTable.ts';
import { epsgCodes, readHeading, type ColumnRole, type Heading } from '../../upload/headers.ts';
import { excerpt } from '../../upload/limits.ts';
import { readNumber } from '../../upload/numbers.ts';
import type { Table, TableRow } from '../../upload/table.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import type { AssetColumns } from './args.ts';
import type { AssetFindings } from './assetReport.ts';
import { boxOf } from './cleanGeometry.ts';
import { chosen, type LoadedFeatures } from './geojsonAssets.ts';
import type { Candidate } from './placeFeatures.ts';
import { FeatureIds, wellFormed, type Properties, type PropertyValue } from './properties.ts';

interface Column {
  readonly index: number;
  readonly name: string;
  readonly heading: Heading;
}

/**
 * Points of an untrusted CSV. Coordinates and CRS as stated: argument, heading, comment, or columns `lon`/`lat`.
 * @throws UPLOAD_INVALID, INVALID_ARGUMENT for missing columns, CRS_MISMATCH when nobody states the system.
 */
export function readCsvAssets(
  bytes: Uint8Array,
  crsArg: string | undefined,
  columns: AssetColumns,
  findings: AssetFindings,
): LoadedFeatures {
  const wanted = [columns.id, columns.name, columns.x, columns.y].filter((name) => name !== undefined);
  const table = readCsv(bytes, wanted);
  const all = table.header.map((name, index): Column => ({ index, name, heading: readHeading(name) }));
  const [x, y] = coordinatePair(all, columns, crsArg);
  const crs = statedCrs(table, x, y, crsArg);
  const numeric = numericColumns(table);
  const id = columns.id === undefined ? find(all, 'id') : byName(all, columns.id);
  const name = columns.name === undefined ? find(all, 'name') : byName(all, columns.name);
  const picked: AssetColumns = { ...columns, ...(name === null ? {} : { name: name.name }) };
  const ids = new FeatureIds(findings);
  const candidates = table.rows.flatMap((row): Candidate[] => {
    const point = pointOf(row, x, y, table.format.decimal);
    if (row.cells.length < table.header.length || point === null) {
      findings.reject(row.line, point === null ? 'COORD_MISSING' : 'COLUMN_COUNT');
      return [];
    }
    const properties = chosen(attributes(table, row, [x.index, y.index], numeric, findings), picked);
    const own = id === null ? undefined : row.cells[id.index]?.trim();
    const featureId = ids.next(own, {}, row.line);
    const geometry: Point = { type: 'Point', coordinates: point };
    return [{ at: row.line, feature: { type: 'Feature', id: featureId, geometry, properties }, box: boxOf(geometry) }];
  });
  return { crs, candidates, total: table.rows.length };
}

function byName(all: readonly Column[], name: string): Column {
  const found = all.find((column) => column.name === name);
  if (found !== undefined) return found;
  const names = excerpt(all.map((column) => column.name).join(', '), 600);
  throw new ToolError('INVALID_ARGUMENT', `There is no column "${excerpt(name)}". The file has: ${names}.`);
}

function find(all: readonly Column[], role: ColumnRole): Column | null {
  const found = all.filter((column) => column.heading.role === role);
  return found.find((column) => !column.heading.weak) ?? found[0] ?? null;
}

function coordinatePair(all: readonly Column[], columns: AssetColumns, crsArg: string | undefined): [Column, Column] {
  if (columns.x !== undefined && columns.y !== undefined) return [byName(all, columns.x), byName(all, columns.y)];
  const lonLat = [find(all, 'lon'), find(all, 'lat')] as const;
  const projected = [find(all, 'easting'), find(all, 'northing')] as const;
  const preferProjected =
    crsArg === undefined
      ? projected.some((column) => column !== null && column.heading.crs !== null)
      : crsInfo(crsArg).kind === 'projected';
  for (const [x, y] of preferProjected ? [projected, lonLat] : [lonLat, projected])
    if (x !== null && y !== null) return [x, y];
  throw new ToolError('INVALID_ARGUMENT', 'No pair of coordinate columns found: name them in columns.x and columns.y.');
}

function statedCrs(table: Table, x: Column, y: Column, crsArg: string | undefined): string {
  const heading = x.heading.crs ?? y.heading.crs;
  const codes = [...new Set(table.notes.flatMap(epsgCodes))];
  const lonLat = x.heading.role === 'lon' && y.heading.role === 'lat' ? 'EPSG:4326' : null;
  const stated = crsArg ?? heading ?? lonLat ?? (codes.length === 1 ? codes[0] : null) ?? null;
  if (stated !== null) return crsInfo(stated).id;
  throw new ToolError(
    'CRS_MISMATCH',
    'The file does not state its coordinate system: give it as crs, for example "EPSG:32632".',
  );
}

function pointOf(row: TableRow, x: Column, y: Column, decimal: '.' | ','): [number, number] | null {
  const [east, north] = [x, y].map((column) => readNumber(row.cells[column.index] ?? '', decimal));
  return east?.kind === 'number' && north?.kind === 'number' ? [east.value, north.value] : null;
}

/** Columns in which every filled cell is a plain number; leading zeros (postcodes, codes) keep a column text. */
function numericColumns(table: Table): ReadonlySet<number> {
  const plain =
    table.format.decimal === ',' ? /^-?(?:0|[1-9]\d{0,14})(?:,\d{1,12})?$/ : /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;
  const numeric = new Set<number>();
  table.header.forEach((_, index) => {
    const filled = table.rows.map((row) => (row.cells[index] ?? '').trim()).filter((cell) => cell !== '');
    if (filled.length > 0 && filled.every((cell) => plain.test(cell))) numeric.add(index);
  });
  return numeric;
}

function attributes(
  table: Table,
  row: TableRow,
  skip: readonly number[],
  numeric: ReadonlySet<number>,
  findings: AssetFindings,
): Properties {
  const pairs: [string, PropertyValue][] = [];
  table.header.forEach((name, index) => {
    if (skip.includes(index) || name === '') return;
    if (name === '__proto__') {
      findings.flag('PROPERTY_DROPPED');
      return;
    }
    const cell = row.cells[index] ?? '';
    const value =
      cell.trim() === ''
        ? null
        : numeric.has(index)
          ? Number(cell.trim().replace(',', '.'))
          : wellFormed(cell, findings);
    pairs.push([name, value]);
  });
  return Object.fromEntries(pairs);
}
