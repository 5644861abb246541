import { ToolError } from '../../../plan/errors.ts';
import { epsgCodes, readHeading, type Heading, type RainUnit } from '../../upload/headers.ts';
import { excerpt } from '../../upload/limits.ts';
import type { Table } from '../../upload/table.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import type { RainSchema } from './args.ts';
import { statedUnit } from './units.ts';

/** Index of each column and what is known about it. */
export interface RainColumns {
  readonly id: number | null;
  readonly name: number | null;
  readonly x: number;
  readonly y: number;
  readonly geographic: boolean;
  readonly altitude: number | null;
  readonly rain: number;
  /** One column, or a date and a clock column. */
  readonly time: readonly number[];
  readonly timeUtc: boolean;
  readonly quality: number | null;
  readonly crs: string;
  readonly unit: RainUnit;
  readonly valueKind: 'interval' | 'rate' | 'counter';
}

export interface ResolvedColumns {
  readonly columns: RainColumns;
  /** For the report: role → heading as written. */
  readonly named: Readonly<Record<string, string>>;
  readonly assumptions: readonly string[];
}

interface Column {
  readonly index: number;
  readonly name: string;
  readonly heading: Heading;
}

/**
 * Decides which column holds what: `schema` first, then the headings. Unit and CRS must be stated by the schema, a
 * heading, a comment or the format; size of numbers never decides.
 * @throws INVALID_ARGUMENT for columns that are missing or ambiguous, UNIT_MISMATCH / CRS_MISMATCH for what nobody states.
 */
export function resolveColumns(table: Table, schema: RainSchema): ResolvedColumns {
  const all = table.header.map((name, index): Column => ({ index, name, heading: readHeading(name) }));
  const assumptions: string[] = [];
  const rain = schema.value === undefined ? pickRain(all, schema, assumptions) : byName(all, schema.value, 'value');
  const [x, y] = pickPair(all, schema);
  const pick = (wanted: string | undefined, role: Heading['role'], arg: string): Column | null =>
    wanted === undefined ? first(all, role, [rain, x, y]) : byName(all, wanted, arg);
  const id = pick(schema.id, 'id', 'id');
  const name = pick(schema.name, 'name', 'name');
  const altitude = pick(schema.elevation, 'altitude', 'elevation');
  const wantedQuality = typeof schema.quality === 'string' ? schema.quality : schema.quality?.column;
  const quality = pick(wantedQuality, 'quality', 'quality');
  const times = pickTimes(all, schema);
  const crs = statedCrs(table, schema, x, y);
  const geographic = crsInfo(crs).kind === 'geographic';
  if (id === null) assumptions.push('No column names the stations: they are named row-<line>.');
  const named: Record<string, string> = {};
  const note = (role: string, column: Column | null): void => {
    if (column !== null) named[role] = excerpt(column.name);
  };
  note('id', id);
  note('name', name);
  note(geographic ? 'lon' : 'easting', x);
  note(geographic ? 'lat' : 'northing', y);
  note('altitude', altitude);
  note('rain', rain);
  times.forEach((column, n) => note(n === 0 ? 'time' : 'clock', column));
  note('quality', quality);
  return {
    named,
    assumptions,
    columns: {
      id: id?.index ?? null,
      name: name?.index ?? null,
      x: x.index,
      y: y.index,
      geographic,
      altitude: altitude?.index ?? null,
      rain: rain.index,
      time: times.map((column) => column.index),
      timeUtc: times.some((column) => column.heading.utc),
      quality: quality?.index ?? null,
      crs,
      unit: statedUnit(table, schema, rain.heading, rain.name),
      valueKind: schema.valueKind ?? rain.heading.kind ?? 'interval',
    },
  };
}

function byName(all: readonly Column[], name: string, arg: string): Column {
  const exact = all.filter((column) => column.name === name);
  const found = exact.length > 0 ? exact : all.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  const [only] = found;
  if (only === undefined || found.length > 1) {
    const what = only === undefined ? 'does not exist' : 'exists more than once';
    throw new ToolError(
      'INVALID_ARGUMENT',
      `schema.${arg} names the column "${excerpt(name)}", which ${what}. ${listing(all)}`,
    );
  }
  return only;
}

function listing(all: readonly Column[]): string {
  return `The file has the columns: ${excerpt(all.map((column) => column.name).join(', '), 600)}.`;
}

function first(all: readonly Column[], role: Heading['role'], taken: readonly Column[] = []): Column | null {
  const free = all.filter((column) => column.heading.role === role && !taken.includes(column));
  return free.find((column) => !column.heading.weak) ?? free[0] ?? null;
}

function pickRain(all: readonly Column[], schema: RainSchema, assumptions: string[]): Column {
  const found = all.filter((column) => column.heading.role === 'rain');
  const strong = found.filter((column) => !column.heading.weak);
  const candidates = strong.length > 0 ? strong : found;
  const preferred = candidates.filter((column) => column.heading.unit === (schema.unit ?? 'mm'));
  const choice = candidates.length === 1 ? candidates : preferred;
  const [only] = choice;
  if (only !== undefined && choice.length === 1) {
    if (candidates.length > 1) {
      const others = candidates.filter((column) => column !== only).map((column) => `"${excerpt(column.name)}"`);
      assumptions.push(`Rain is read from "${excerpt(only.name)}"; not used: ${others.join(', ')}.`);
    }
    return only;
  }
  const why = candidates.length === 0 ? 'No column is recognisable as rain' : 'Several columns could be the rain';
  throw new ToolError('INVALID_ARGUMENT', `${why}: name it in schema.value. ${listing(all)}`);
}

function pickPair(all: readonly Column[], schema: RainSchema): [Column, Column] {
  if (schema.x !== undefined && schema.y !== undefined) return [byName(all, schema.x, 'x'), byName(all, schema.y, 'y')];
  const lonLat = [first(all, 'lon'), first(all, 'lat')] as const;
  const projected = [first(all, 'easting'), first(all, 'northing')] as const;
  const geographic = schema.crs !== undefined && crsInfo(schema.crs).kind === 'geographic';
  const stated = schema.crs !== undefined || projected.some((column) => column !== null && column.heading.crs !== null);
  const order =
    geographic || (!stated && lonLat[0] !== null && lonLat[1] !== null) ? [lonLat, projected] : [projected, lonLat];
  for (const [x, y] of order) if (x !== null && y !== null) return [x, y];
  throw new ToolError(
    'INVALID_ARGUMENT',
    `No pair of coordinate columns found: name them in schema.x and schema.y. ${listing(all)}`,
  );
}

function pickTimes(all: readonly Column[], schema: RainSchema): Column[] {
  if (schema.time !== undefined) return [byName(all, schema.time, 'time')];
  const found = all.filter((column) => column.heading.role === 'time');
  const date = found.find((column) => column.heading.part === 'date');
  const clock = found.find((column) => column.heading.part === 'clock');
  if (found.length === 2 && date !== undefined && clock !== undefined) return [date, clock];
  const [only] = found;
  return only === undefined ? [] : [only];
}

/** CRS by schema, heading of the pair, format, `EPSG:n` in preamble or comments, or headings `lon`/`lat`; in this order. */
function statedCrs(table: Table, schema: RainSchema, x: Column, y: Column): string {
  if (schema.crs !== undefined) return crsInfo(schema.crs).id;
  const heading = x.heading.crs ?? y.heading.crs;
  if (heading !== null) return crsInfo(heading).id;
  if (x.heading.role === 'lon' && y.heading.role === 'lat') return table.fixed.crs ?? 'EPSG:4326';
  if (table.fixed.crs !== undefined) return crsInfo(table.fixed.crs).id;
  const codes = new Set(table.notes.flatMap((line) => epsgCodes(line)));
  const [only] = codes;
  if (only !== undefined && codes.size === 1) return crsInfo(only).id;
  const why =
    codes.size > 1
      ? `The file names several coordinate systems (${[...codes].join(', ')})`
      : 'The file does not state its coordinate system';
  throw new ToolError(
    'CRS_MISMATCH',
    `${why}: state it in schema.crs, for example "EPSG:32632". Size of the numbers does not decide it.`,
  );
}
