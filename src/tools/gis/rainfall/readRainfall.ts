import { ToolError } from '../../../plan/errors.ts';
import { readTable } from '../../upload/readTable.ts';
import type { Table } from '../../upload/table.ts';
import type { Station } from '../formats.ts';
import type { ReadRainfallArgs } from './args.ts';
import { resolveColumns, type RainColumns, type ResolvedColumns } from './columns.ts';
import { DIP_TOLERANCE_MM } from './counter.ts';
import { resolveDuplicates, SAME_PLACE_M } from './duplicates.ts';
import { checkPositions, type PositionOutcome } from './positions.ts';
import { acceptedPart, Findings, type ObservationReport } from './report.ts';
import { readRows, type Row } from './rows.ts';
import { seriesTotals, type SeriesResult } from './series.ts';
import { clocksChange, formatUtc, provenDayOrder, zoneOffset } from './time.ts';
import { rowTotals, type Total } from './totals.ts';
import { MM_PER } from './units.ts';
import { suspectUnit } from './unitSuspect.ts';
import { absurdAbove, round6 } from './values.ts';
import { HOUR, windowWithoutTimes, type Span } from './window.ts';

export interface RainfallReading {
  readonly stations: readonly Station[];
  readonly crs: string;
  readonly window: Span | null;
  readonly report: ObservationReport;
}

/**
 * Reads gauge totals from an untrusted file by the row rules; see the report for everything that was refused, marked or
 * assumed.
 * @param now milliseconds since the epoch, the time of the run.
 * @throws UPLOAD_INVALID, INVALID_ARGUMENT, UNIT_MISMATCH, CRS_MISMATCH, WINDOW_MISMATCH where the file as a whole cannot be
 * understood.
 */
export function readRainfall(bytes: Uint8Array, name: string, args: ReadRainfallArgs, now: number): RainfallReading {
  const schema = args.schema ?? {};
  const expected = [schema.id, schema.name, schema.x, schema.y, schema.value, schema.time].filter(
    (column) => column !== undefined,
  );
  const table = readTable(bytes, name, expected);
  const resolved = resolveColumns(table, schema);
  const { columns } = resolved;
  const assumptions = [...(table.fixed.remarks ?? []), ...resolved.assumptions];
  const findings = new Findings();
  const choices = args.choices ?? [];
  const zone = zoneOf(args, columns, assumptions);
  const order = dayOrder(table, columns, assumptions);
  const acceptQuality = typeof schema.quality === 'object' ? schema.quality.accept : null;
  const rows = readRows(table, columns, { zone, order, acceptQuality, now, choices }, findings);
  const positions = checkPositions(rows, columns.crs, { area: args.area, choices }, findings);
  const base = { table, resolved, positions, assumptions, rows };
  if (positions.fileError !== null) return stopped(base, positions.fileError);
  const label = schema.timeLabel ?? table.fixed.timeLabel;
  const series =
    columns.time.length === 0
      ? withoutTimes(rows, columns, args, now, assumptions)
      : seriesTotals({ rows, args, kind: columns.valueKind, label, crs: columns.crs, now }, findings, assumptions);
  const believable = refuseAbsurd(series, columns.time.length === 0, findings);
  const totals = resolveDuplicates(believable, columns.crs, choices, findings);
  fileMarks(table, columns, zone, series.window, totals, findings);
  return finished(base, series, totals, findings);
}

interface Base {
  readonly table: Table;
  readonly resolved: ResolvedColumns;
  readonly positions: PositionOutcome;
  readonly assumptions: readonly string[];
  readonly rows: readonly Row[];
}

function zoneOf(args: ReadRainfallArgs, columns: RainColumns, assumptions: string[]): string {
  const zone = args.schema?.timeZone;
  if (zone === undefined) {
    if (columns.time.length > 0 && !columns.timeUtc)
      assumptions.push('Times without an offset are taken as UTC (state schema.timeZone to change that).');
    return 'UTC';
  }
  try {
    zoneOffset(0, zone);
  } catch {
    throw new ToolError(
      'INVALID_ARGUMENT',
      `schema.timeZone "${zone}" is neither an IANA zone, UTC, nor an offset such as +01:00.`,
    );
  }
  return zone;
}

function dayOrder(table: Table, columns: RainColumns, assumptions: string[]): 'dmy' | 'mdy' {
  const [time] = columns.time;
  if (time === undefined) return 'dmy';
  const cells = table.rows.map((row) => row.cells[time] ?? '');
  const proven = provenDayOrder(cells);
  if (proven === null && cells.some((cell) => /^\s*\d{1,2}\/\d{1,2}\/\d{4}/.test(cell))) {
    assumptions.push('Dates such as 03/04/2026 are read as day/month/year: no row shows which it is.');
  }
  return proven ?? 'dmy';
}

function withoutTimes(
  rows: readonly Row[],
  columns: RainColumns,
  args: ReadRainfallArgs,
  now: number,
  assumptions: string[],
): SeriesResult {
  if (columns.valueKind === 'counter') {
    throw new ToolError('INVALID_ARGUMENT', 'A running total needs times: name the time column in schema.time.');
  }
  const window = windowWithoutTimes(args, now, assumptions);
  const totals = rowTotals(rows);
  if (columns.valueKind === 'interval') return { totals, window, outside: 0 };
  if (window === null)
    throw new ToolError(
      'WINDOW_MISMATCH',
      'Rates (mm/h) without times become totals only over a stated window: state schema.window.',
    );
  const hours = (window.to - window.from) / HOUR;
  return { totals: totals.map((total) => ({ ...total, mm: round6(total.mm * hours) })), window, outside: 0 };
}

function refuseAbsurd(series: SeriesResult, rowsAreTotals: boolean, findings: Findings): Total[] {
  const hours = series.window === null ? null : (series.window.to - series.window.from) / HOUR;
  const limit = absurdAbove(hours);
  return series.totals.filter((total) => {
    if (total.mm <= limit) return true;
    const place = rowsAreTotals ? { line: total.line } : { lines: total.lines };
    findings.reject(total.line, {
      ...place,
      station_id: total.id,
      reason: 'ABSURD_VALUE',
      value: total.raw,
      limit_mm: limit,
    });
    return false;
  });
}

function fileMarks(
  table: Table,
  columns: RainColumns,
  zone: string,
  window: Span | null,
  totals: readonly Total[],
  findings: Findings,
): void {
  const line = table.format.header_line;
  const at = line === null ? {} : { line };
  const factor = MM_PER[columns.unit];
  if (factor !== 1) findings.flag(0, { ...at, flag: 'UNIT_CONVERTED', from: columns.unit, to: 'mm', factor });
  const suspect = suspectUnit(
    totals.map((total) => total.mm),
    columns.unit,
  );
  if (suspect !== null) findings.flag(0, { ...at, flag: 'UNIT_SUSPECT', ...suspect });
  if (window !== null && clocksChange(window.from, window.to, zone)) findings.flag(0, { flag: 'DST_DAY', zone });
}

function reportBase({
  table,
  resolved,
  positions,
}: Base): Pick<ObservationReport, 'version' | 'stage' | 'format' | 'columns' | 'crs' | 'unit'> {
  const { unit, crs, valueKind } = resolved.columns;
  const factor = MM_PER[unit];
  const common = {
    version: 1,
    stage: 'read',
    format: table.format,
    columns: resolved.named,
    crs,
    unit,
    value_kind: valueKind,
  } as const;
  return {
    ...common,
    ...(positions.crsActual === null ? {} : { crs_actual: positions.crsActual }),
    ...(factor === 1 ? {} : { unit_factor_to_mm: factor }),
    same_place_tolerance_m: SAME_PLACE_M,
    ...(valueKind === 'counter' ? { dip_tolerance_mm: DIP_TOLERANCE_MM } : {}),
  } as Pick<ObservationReport, 'version' | 'stage' | 'format' | 'columns' | 'crs' | 'unit'>;
}

/** A stopped file: every row refused, none listed. */
function stopped(base: Base, fileError: NonNullable<PositionOutcome['fileError']>): RainfallReading {
  const stations = new Set(base.rows.map((row) => row.id)).size;
  const { message, ...error } = fileError;
  return {
    stations: [],
    crs: base.resolved.columns.crs,
    window: null,
    report: {
      ...reportBase(base),
      period_utc: null,
      assumptions: base.assumptions,
      rows_total: base.rows.length,
      rows_accepted: 0,
      rows_rejected: base.rows.length,
      stations_total: stations,
      stations_accepted: 0,
      stations_rejected: stations,
      ...new Findings().lists(),
      file_error: error,
      file_error_message: message,
      ...acceptedPart([]),
    },
  };
}

function finished(base: Base, series: SeriesResult, totals: readonly Total[], findings: Findings): RainfallReading {
  const stations = totals.map(toStation).sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const total = new Set(base.rows.map((row) => row.id)).size;
  const accepted = totals.reduce((sum, { rows }) => sum + rows, 0);
  const { window } = series;
  return {
    stations,
    crs: base.resolved.columns.crs,
    window,
    report: {
      ...reportBase(base),
      period_utc: window === null ? null : [formatUtc(window.from), formatUtc(window.to)],
      assumptions: base.assumptions,
      rows_total: base.rows.length,
      rows_accepted: accepted,
      rows_rejected: base.rows.length - accepted - series.outside,
      ...(series.outside > 0 ? { rows_outside_window: series.outside } : {}),
      stations_total: total,
      stations_accepted: totals.length,
      stations_rejected: Math.max(0, total - totals.length),
      ...findings.lists(),
      ...acceptedPart(totals),
    },
  };
}

function toStation(total: Total): Station {
  const flags = [...total.flags].sort();
  return {
    id: total.id,
    x: total.x,
    y: total.y,
    mm: total.mm,
    ...(total.name === undefined ? {} : { name: total.name }),
    ...(total.elevationM === undefined ? {} : { elevationM: total.elevationM }),
    ...(flags.length === 0 ? {} : { flags }),
  };
}
