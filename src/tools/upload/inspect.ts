import { ToolError } from '../../plan/errors.ts';
import { CRS_DEFINITIONS } from '../gis/crs/definitions.ts';
import { fitsCrs } from '../gis/crs/fits.ts';
import { readGeoTiff } from '../gis/raster/geoTiffReader.ts';
import { readAsciiGrid } from '../gis/terrain/asciiGrid.ts';
import { epsgCodes, readHeading, type Heading } from './headers.ts';
import { isRecord, parseUntrustedJson } from './jsonGuard.ts';
import { legacyCrs } from './jsonTable.ts';
import { excerpt } from './limits.ts';
import { readNumber } from './numbers.ts';
import { readTable } from './readTable.ts';
import { uploadInvalid } from './refuse.ts';
import { sniffFormat, type FileFormat } from './sniff.ts';
import type { Table, TableFormat } from './table.ts';

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** `stated`: the file says so; `possible`: the numbers would fit. A candidate is a hint for a person, never a decision. */
export interface Candidate {
  readonly value: string;
  readonly basis: 'stated' | 'possible';
}

/** What `GET /uploads/{sha256}/inspect` answers. Cells and names are data and are cut for display. */
export interface Inspection {
  readonly format: FileFormat;
  readonly mediaType: string;
  readonly table?: TableFormat;
  readonly columns: readonly { readonly name: string; readonly role: string | null; readonly unit?: string }[];
  readonly crs: readonly Candidate[];
  readonly unit: readonly Candidate[];
  readonly rows?: number;
  /** At most ten rows, by column name. */
  readonly sampleRows: readonly (readonly (readonly [string, string])[])[];
  readonly geometry?: Readonly<Record<string, number>>;
  readonly raster?: {
    readonly width: number;
    readonly height: number;
    readonly cellSize: number;
    readonly bands: number;
  };
  readonly problems: readonly Problem[];
}

const SAMPLE_ROWS = 10;
const SAMPLE_COLUMNS = 60;

/**
 * Looks into an untrusted file without using it. Run it through the tool pool: it is capped there.
 * @throws UPLOAD_INVALID for refused types and files that cannot be read at all.
 */
export async function inspectUpload(bytes: Uint8Array, name: string): Promise<Inspection> {
  const { format, mediaType } = sniffFormat(bytes.subarray(0, 4096), name);
  if (format === 'geotiff' || format === 'asciiGrid')
    return { format, mediaType, ...(await inspectRaster(bytes, format)) };
  if (format === 'geojson') return { format, mediaType, ...inspectGeojson(bytes) };
  return { format, mediaType, ...inspectTable(readTable(bytes, name)) };
}

type Found = Omit<Inspection, 'format' | 'mediaType'>;

async function inspectRaster(bytes: Uint8Array, format: 'geotiff' | 'asciiGrid'): Promise<Found> {
  const none = { columns: [], unit: [], sampleRows: [] };
  if (format === 'asciiGrid') {
    const { width, height, cellSize } = readAsciiGrid(bytes);
    const problems = [{ code: 'CRS_UNSTATED', message: 'An ASCII grid never names its coordinate system: state crs.' }];
    return { ...none, crs: [], raster: { width, height, cellSize, bands: 1 }, problems };
  }
  const tiff = await readGeoTiff(bytes);
  const { width, height, cellSize } = tiff;
  return {
    ...none,
    crs: tiff.crs === null ? [] : [{ value: tiff.crs, basis: 'stated' }],
    raster: { width, height, cellSize, bands: tiff.bands.length },
    problems:
      tiff.crs === null
        ? [{ code: 'CRS_UNSTATED', message: 'The file names no coordinate system that is known here.' }]
        : [],
  };
}

function inspectGeojson(bytes: Uint8Array): Found {
  const root = parseUntrustedJson(bytes);
  if (!isRecord(root)) throw uploadInvalid('The file is not GeoJSON: it is no object with a type.');
  const features = (Array.isArray(root['features']) ? (root['features'] as unknown[]) : [root]).filter(isRecord);
  const geometry = new Map<string, number>();
  const names = new Set<string>();
  for (const feature of features) {
    const shape = isRecord(feature['geometry']) ? String(feature['geometry']['type']).slice(0, 40) : 'none';
    geometry.set(shape, (geometry.get(shape) ?? 0) + 1);
    const properties = isRecord(feature['properties']) ? feature['properties'] : {};
    for (const key of Object.keys(properties)) if (names.size < 500) names.add(key);
  }
  const columns = [...names];
  const crs = legacyCrs(root);
  const stated = root['crs'] !== undefined && root['crs'] !== null;
  const problems: Problem[] = stated
    ? [
        {
          code: 'LEGACY_CRS',
          message:
            'The file has a crs member, which GeoJSON no longer knows; it is respected where the system is known.',
        },
      ]
    : [];
  const empty = geometry.get('none') ?? 0;
  if (empty > 0)
    problems.push({ code: 'NULL_GEOMETRY', message: `${empty} features have no geometry and will be left out.` });
  return {
    columns: columns.map((name) => ({ name: excerpt(name), role: readHeading(name).role })),
    crs: [{ value: crs ?? 'EPSG:4326', basis: 'stated' }],
    unit: [],
    rows: features.length,
    sampleRows: features.slice(0, SAMPLE_ROWS).map((feature) => {
      const properties = isRecord(feature['properties']) ? feature['properties'] : {};
      return columns
        .slice(0, SAMPLE_COLUMNS)
        .map((name) => [excerpt(name), excerpt(display(properties[name]))] as const);
    }),
    geometry: Object.fromEntries([...geometry].sort(([a], [b]) => (a < b ? -1 : 1))),
    problems,
  };
}

function display(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function inspectTable(table: Table): Found {
  const headings = table.header.map((name) => readHeading(name));
  const problems: Problem[] = [];
  const ragged = table.rows.filter((row) => row.cells.length !== table.header.length).length;
  if (ragged > 0)
    problems.push({ code: 'COLUMN_COUNT', message: `${ragged} rows have another number of columns than the header.` });
  if (table.mixedLines.length > 0)
    problems.push({ code: 'MIXED_ENCODING', message: `${table.mixedLines.length} lines are not UTF-8.` });
  if (table.rows.length === 0) problems.push({ code: 'EMPTY', message: 'The file has a header and no rows.' });
  const crs = crsCandidates(table, headings);
  if (!crs.some((candidate) => candidate.basis === 'stated'))
    problems.push({
      code: 'CRS_UNSTATED',
      message: 'The file does not state its coordinate system: state schema.crs.',
    });
  const unit = unitCandidates(table, headings);
  if (headings.some((heading) => heading.role === 'rain') && unit.length === 0) {
    problems.push({ code: 'UNIT_UNSTATED', message: 'The rain column states no unit: state schema.unit.' });
  }
  return {
    table: table.format,
    columns: table.header.map((name, index) => {
      const heading = headings[index];
      const stated = heading?.unit ?? null;
      return { name: excerpt(name), role: heading?.role ?? null, ...(stated === null ? {} : { unit: stated }) };
    }),
    crs,
    unit,
    rows: table.rows.length,
    sampleRows: table.rows
      .slice(0, SAMPLE_ROWS)
      .map((row) =>
        table.header
          .slice(0, SAMPLE_COLUMNS)
          .map((name, index) => [excerpt(name), excerpt(row.cells[index] ?? '')] as const),
      ),
    problems,
  };
}

function crsCandidates(table: Table, headings: readonly Heading[]): Candidate[] {
  const stated = new Set([
    ...(table.fixed.crs === undefined ? [] : [table.fixed.crs]),
    ...headings.flatMap((heading) => heading.crs ?? []),
    ...table.notes.flatMap((line) => epsgCodes(line)),
    ...(['lon', 'lat'].every((role) => headings.some((heading) => heading.role === role)) ? ['EPSG:4326'] : []),
  ]);
  const pair = (['easting', 'northing'] as const).map((role) => headings.findIndex((heading) => heading.role === role));
  const possible = stated.size > 0 || pair.includes(-1) ? [] : fitting(table, pair);
  return [
    ...[...stated].map((value): Candidate => ({ value, basis: 'stated' })),
    ...possible.map((value): Candidate => ({ value, basis: 'possible' })),
  ];
}

const MAX_CANDIDATES = 12;

/** Systems in which the first positions would lie inside the area of use. */
function fitting(table: Table, pair: readonly number[]): string[] {
  const points = table.rows.slice(0, 20).flatMap((row) => {
    const [x, y] = pair.map((index) => readNumber(row.cells[index] ?? '', table.format.decimal));
    return x?.kind === 'number' && y?.kind === 'number' ? [[x.value, y.value] as const] : [];
  });
  if (points.length === 0) return [];
  const fits = (code: number): boolean => {
    try {
      return points.every(([x, y]) => fitsCrs(x, y, `EPSG:${code}`));
    } catch (error) {
      if (error instanceof ToolError) return false;
      throw error;
    }
  };
  return [...CRS_DEFINITIONS.keys()]
    .filter(fits)
    .slice(0, MAX_CANDIDATES)
    .map((code) => `EPSG:${code}`);
}

function unitCandidates(table: Table, headings: readonly Heading[]): Candidate[] {
  const fixed = table.fixed.unit;
  const units = new Set([
    ...(fixed === undefined ? [] : [fixed]),
    ...headings.flatMap((heading) => heading.unit ?? []),
  ]);
  return [...units].map((value) => ({ value, basis: 'stated' }));
}
