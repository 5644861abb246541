import { fitsCrs } from '../crs/fits.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { transformer } from '../crs/transformer.ts';
import type { ReadRainfallArgs } from './args.ts';
import { decisionFor, type Choice } from './codes.ts';
import type { FileError, Findings } from './report.ts';
import { networkRegion, type Region } from './region.ts';
import type { Row } from './rows.ts';

const LV95 = 'EPSG:2056';
const LV03 = 'EPSG:21781';
const LV_SHIFT = [2_000_000, 1_000_000] as const;
/** Share of rows that must agree before a mistake is one of the file and not of a row. */
const WHOLE_FILE = 0.9;

export interface PositionOutcome {
  readonly fileError: (FileError & { readonly message: string }) | null;
  /** Set when the file's coordinates are in another system than stated. */
  readonly crsActual: string | null;
}

/**
 * Whether positions can be where the file says they are (O-38). A whole file in another system stops the file; single
 * rows that lie outside and would lie among the others with x and y exchanged are refused with the suggestion. Nothing
 * is moved unless `choices` says so.
 */
export function checkPositions(
  rows: readonly Row[],
  crs: string,
  options: { readonly area: ReadRainfallArgs['area']; readonly choices: readonly Choice[] },
  findings: Findings,
): PositionOutcome {
  const live = rows.filter((row) => !row.out);
  const fits = memo((x, y) => fitsCrs(x, y, crs));
  const whole = wholeFile(live, crs, fits, options.choices, findings);
  if (whole.fileError !== null) return whole;
  const inArea = areaTest(crs, options.area);
  const region = networkRegion(live, crs, (x, y) => fits(x, y) && inArea(x, y));
  for (const row of live) checkRow(row, crs, { fits, inArea, region }, options.choices, findings);
  return whole;
}

type Test = (x: number, y: number) => boolean;

/** Stations repeat their position on every row: each place is converted once. */
function memo(test: Test): Test {
  const known = new Map<string, boolean>();
  return (x, y) => {
    const key = `${x} ${y}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = test(x, y);
    known.set(key, result);
    return result;
  };
}

function wholeFile(
  live: readonly Row[],
  crs: string,
  fits: Test,
  choices: readonly Choice[],
  findings: Findings,
): PositionOutcome {
  const none: PositionOutcome = { fileError: null, crsActual: null };
  const projected = crsInfo(crs).kind === 'projected';
  // A few metres from the origin of a projection is a possible place, but for a whole file it means degrees.
  const misfits = live.filter((row) => !fits(row.x, row.y) || (projected && inDegrees(row)));
  if (live.length === 0 || misfits.length < live.length * WHOLE_FILE) return none;
  if (
    misfits.filter((row) => fits(row.y, row.x) && !(projected && inDegrees(row))).length >=
    misfits.length * WHOLE_FILE
  )
    return none;
  const lv03 = memo((x, y) => fitsCrs(x, y, LV03));
  if (crs === LV95 && misfits.filter((row) => lv03(row.x, row.y)).length >= misfits.length * WHOLE_FILE) {
    if (decisionFor(choices, 'CRS_MISMATCH_LV03', []) === 'acceptSuggestion') {
      for (const row of misfits) shift(row);
      findings.decided('CRS_MISMATCH_LV03', 'acceptSuggestion');
      return { fileError: null, crsActual: LV03 };
    }
    return { fileError: lv03Error(misfits.length), crsActual: LV03 };
  }
  return { fileError: otherError(misfits, crs), crsActual: null };
}

function inDegrees({ x, y }: Row): boolean {
  return Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

function shift(row: Row): void {
  row.x += LV_SHIFT[0];
  row.y += LV_SHIFT[1];
}

type PositionError = FileError & { readonly message: string };

function lv03Error(count: number): PositionError {
  return {
    reason: 'CRS_MISMATCH_LV03',
    message:
      `All coordinates (${count} rows) are 2 000 000 m and 1 000 000 m too small for LV95 (${LV95}): they are LV03 (${LV03}). ` +
      'State schema.crs "EPSG:21781", or accept the shift with choices [{"code":"CRS_MISMATCH_LV03","action":"acceptSuggestion"}].',
    suggested_crs: LV03,
    shift_m: LV_SHIFT,
  };
}

function otherError(misfits: readonly Row[], crs: string): PositionError {
  const info = crsInfo(crs);
  const beyond = !misfits.some(inDegrees);
  if (info.kind === 'geographic' && beyond) {
    return {
      reason: 'DEGREES_EXPECTED',
      message: `${info.id} (${info.name}) is in degrees, but the coordinates are larger than any degree: state the projected system in schema.crs.`,
    };
  }
  const degrees = info.kind === 'projected' && misfits.every(inDegrees);
  return {
    reason: 'CRS_MISMATCH',
    message: `The coordinates cannot be in ${info.id} (${info.name}).${degrees ? ' They look like degrees.' : ''} State the right system in schema.crs.`,
    ...(degrees ? { suggested_crs: 'EPSG:4326' } : {}),
  };
}

/** Inside the caller's area (degrees; west > east crosses 180°), always true without one. */
function areaTest(crs: string, area: ReadRainfallArgs['area']): Test {
  if (area === undefined) return () => true;
  const [west, south, east, north] = area;
  const toDegrees = transformer(crs, 'EPSG:4326');
  return memo((x, y) => {
    const [lon, lat] = toDegrees(x, y);
    const across = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
    return across && lat >= south && lat <= north;
  });
}

function checkRow(
  row: Row,
  crs: string,
  tests: { fits: Test; inArea: Test; region: Region | null },
  choices: readonly Choice[],
  findings: Findings,
): void {
  const fine = tests.fits(row.x, row.y);
  const inside = fine && tests.inArea(row.x, row.y) && (tests.region?.contains(row.x, row.y) ?? true);
  if (inside) return;
  const swappedInside =
    tests.fits(row.y, row.x) &&
    tests.inArea(row.y, row.x) &&
    (tests.region?.contains(row.y, row.x) ?? !(fine && tests.inArea(row.x, row.y)));
  if (swappedInside) {
    suspectSwap(row, crs, choices, findings);
    return;
  }
  const geographic = crsInfo(crs).kind === 'geographic';
  const degrees = !fine && geographic && (Math.abs(row.x) > 180 || Math.abs(row.y) > 90);
  // Far from the other gauges, but possible and inside what was asked for: not ours to refuse.
  if (fine && tests.inArea(row.x, row.y)) return;
  const reason = degrees ? 'DEGREES_EXPECTED' : 'OUT_OF_AREA';
  row.out = true;
  findings.reject(row.line, {
    line: row.line,
    station_id: row.id,
    reason,
    ...named(geographic, '', row.x, row.y),
    mm: row.mm,
  });
}

function suspectSwap(row: Row, crs: string, choices: readonly Choice[], findings: Findings): void {
  const geographic = crsInfo(crs).kind === 'geographic';
  const detail = {
    line: row.line,
    station_id: row.id,
    ...named(geographic, '', row.x, row.y),
    ...named(geographic, 'suggested_', row.y, row.x),
    mm: row.mm,
  };
  const decision = decisionFor(choices, 'COORD_SWAP_SUSPECTED', [row.id]);
  if (decision !== null) findings.decided('COORD_SWAP_SUSPECTED', decision, row.id);
  if (decision === 'acceptSuggestion') {
    const { line, station_id, ...rest } = detail;
    findings.flag(row.line, { line, station_id, flag: 'COORD_SWAP_SUSPECTED', ...rest, decision });
    [row.x, row.y] = [row.y, row.x];
    row.flags.add('COORD_SWAP_SUSPECTED');
    return;
  }
  const { line, station_id, ...rest } = detail;
  row.out = true;
  findings.reject(row.line, { line, station_id, reason: 'COORD_SWAP_SUSPECTED', ...rest });
}

function named(geographic: boolean, prefix: string, x: number, y: number): Record<string, number> {
  return geographic ? { [`${prefix}lon`]: x, [`${prefix}lat`]: y } : { [`${prefix}x`]: x, [`${prefix}y`]: y };
}
