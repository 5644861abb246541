import { ToolError } from '../../../plan/errors.ts';
import type { ReadRainfallArgs } from './args.ts';
import { counterTotal } from './counter.ts';
import { groupByPlace } from './duplicates.ts';
import { intervalStart, intervalTotal, inWindow, type IntervalRule } from './intervals.ts';
import type { Findings } from './report.ts';
import type { Row } from './rows.ts';
import { rowTotals, type Total } from './totals.ts';
import { commonStep, DAY, describeSpan, requestedSpan, span, type Span } from './window.ts';

export interface SeriesResult {
  readonly totals: readonly Total[];
  readonly window: Span | null;
  readonly outside: number;
}

interface SeriesInput {
  readonly rows: readonly Row[];
  readonly args: ReadRainfallArgs;
  readonly kind: 'interval' | 'rate' | 'counter';
  readonly label: 'start' | 'end' | undefined;
  readonly crs: string;
  readonly now: number;
}

/**
 * Totals of a file with times, over the window asked for, or over what the file covers.
 * @throws WINDOW_MISMATCH when the file has nothing in the window, or its steps are too coarse for it.
 */
export function seriesTotals(input: SeriesInput, findings: Findings, assumptions: string[]): SeriesResult {
  // Refused rows still show the grid of times: a missing value must not make two hours look like one step.
  const dated = input.rows.filter((row) => row.ms !== null);
  const timed = dated.filter((row) => !row.out);
  const step = commonStep(dated);
  const requested =
    requestedSpan(input.args, input.now) ?? (input.args.schema?.window ? span(input.args.schema.window) : null);
  if (input.kind === 'counter') return counters(input, timed, step, requested, findings, assumptions);
  const daily = dated.every((row) => row.dateOnly);
  const stepMs = step ?? (daily ? DAY : null);
  if (stepMs === null) return singleTimes(input, timed, requested, assumptions);
  const label = input.label ?? (daily ? 'start' : 'end');
  if (input.label === undefined) {
    assumptions.push(
      `A time is taken as the ${label} of the interval it sums (state schema.timeLabel to change that).`,
    );
  }
  const covered = extent(dated, { stepMs, label });
  const window = requested === null ? covered : lastComplete(requested, input.args, covered.from, stepMs, assumptions);
  if (requested === null)
    assumptions.push(`No window was asked for: the whole file is summed, ${describeSpan(window)}.`);
  const rule: IntervalRule = { window, stepMs, label, kind: input.kind };
  checkGrid(rule, covered.from, assumptions);
  const inside = timed.filter((row) => inWindow(row, rule));
  if (inside.length === 0) refuseWindow(window, covered);
  const totals = stations(timed, input.crs).flatMap((rows) => {
    const within = rows.filter((row) => inWindow(row, rule));
    const total = intervalTotal(within, rule, findings);
    if (within.length === 0) rejectEmpty(rows, findings);
    return total ?? [];
  });
  return { totals, window, outside: timed.length - inside.length };
}

/** Rows of each station at each of its places, sorted by time. Several places of one id are told apart later. */
function stations(rows: readonly Row[], crs: string): Row[][] {
  const byId = Map.groupBy(rows, (row) => row.id);
  return [...byId.values()]
    .flatMap((group) => groupByPlace(group, crs))
    .map((group) => group.toSorted((a, b) => (a.ms ?? 0) - (b.ms ?? 0) || a.line - b.line));
}

function rejectEmpty(rows: readonly Row[], findings: Findings): void {
  const [first] = rows;
  if (first === undefined) return;
  findings.reject(first.line, { station_id: first.id, line: first.line, reason: 'INCOMPLETE_WINDOW', intervals: 0 });
}

function extent(rows: readonly Row[], rule: Pick<IntervalRule, 'stepMs' | 'label'>): Span {
  let [from, to] = [Infinity, -Infinity];
  for (const { ms } of rows) {
    if (ms === null) continue;
    const start = intervalStart(ms, rule);
    [from, to] = [Math.min(from, start), Math.max(to, start + rule.stepMs)];
  }
  return { from, to };
}

/**
 * "The last n hours" end with the last interval that is over: an hour under way has no value yet. The window moves back by
 * less than a step and keeps its length; a window given by its ends stays as it is.
 */
function lastComplete(asked: Span, args: ReadRainfallArgs, base: number, stepMs: number, assumptions: string[]): Span {
  const coarse = stepMs > (asked.to - asked.from) / 6;
  if (args.hours === undefined || coarse || !Number.isFinite(base)) return asked;
  const under = (((asked.to - base) % stepMs) + stepMs) % stepMs;
  if (under === 0) return asked;
  const window = { from: asked.from - under, to: asked.to - under };
  assumptions.push(`The last ${args.hours} h end with the last complete interval: ${describeSpan(window)}.`);
  return window;
}

function refuseWindow(window: Span, covered: Span): never {
  const has = Number.isFinite(covered.from)
    ? ` The file covers ${describeSpan(covered)}.`
    : ' No row has a usable time.';
  throw new ToolError('WINDOW_MISMATCH', `The file has no values in ${describeSpan(window)}.${has}`);
}

/** Window edges that fall between the data's steps are rounded to them; refused where that would shift a coarse window. */
function checkGrid(rule: IntervalRule, base: number, assumptions: string[]): void {
  const { window, stepMs } = rule;
  if (!Number.isFinite(base)) return;
  const rest = (((window.from - base) % stepMs) + stepMs) % stepMs;
  const shift = Math.min(rest, stepMs - rest);
  const length = window.to - window.from;
  if (stepMs > length * 1.01 || (shift > length * 0.05 && stepMs > length / 6)) {
    throw new ToolError(
      'WINDOW_MISMATCH',
      `The values are sums over ${stepMs / 60_000} minutes whose edges do not meet the window ${describeSpan(window)}: ask for a window on those edges.`,
    );
  }
  if (shift > 0)
    assumptions.push(`The window's edges are rounded to the data's steps (by ${Math.round(shift / 60_000)} min).`);
}

function counters(
  input: SeriesInput,
  timed: readonly Row[],
  step: number | null,
  requested: Span | null,
  findings: Findings,
  assumptions: string[],
): SeriesResult {
  if (step === null)
    throw new ToolError(
      'INVALID_ARGUMENT',
      'A running total needs at least two readings of a station at different times.',
    );
  const times = timed.flatMap((row) => row.ms ?? []);
  const covered = times.reduce((all, ms) => ({ from: Math.min(all.from, ms), to: Math.max(all.to, ms) }), {
    from: Infinity,
    to: -Infinity,
  });
  const window = requested ?? covered;
  if (requested === null)
    assumptions.push(`No window was asked for: first to last reading of the file, ${describeSpan(window)}.`);
  if (window.to <= covered.from || window.from >= covered.to) refuseWindow(window, covered);
  const within = (row: Row): boolean => (row.ms ?? 0) > window.from - step && (row.ms ?? 0) <= window.to;
  const totals = stations(timed, input.crs).flatMap((rows) => {
    const inside = rows.filter(within);
    if (inside.length === 0) rejectEmpty(rows, findings);
    return counterTotal(inside, window, step, findings) ?? [];
  });
  return { totals, window, outside: timed.filter((row) => !within(row)).length };
}

/** One time per station and no step: the interval is unknown unless the schema states it. */
function singleTimes(
  input: SeriesInput,
  timed: readonly Row[],
  requested: Span | null,
  assumptions: string[],
): SeriesResult {
  const stated = input.args.schema?.window === undefined ? null : span(input.args.schema.window);
  if (requested !== null && stated === null) {
    throw new ToolError(
      'WINDOW_MISMATCH',
      'Each station has one time, which does not say over which interval its value was summed: state schema.window {from, to}.',
    );
  }
  if (stated !== null && requested !== null && (stated.from !== requested.from || stated.to !== requested.to))
    refuseWindow(requested, stated);
  assumptions.push(
    stated === null
      ? 'Each station has one time: the interval its value covers is unknown.'
      : 'Each station has one time: its value is taken as the total over schema.window.',
  );
  const inside = timed.filter((row) => stated === null || ((row.ms ?? 0) >= stated.from && (row.ms ?? 0) <= stated.to));
  if (inside.length === 0 && stated !== null) refuseWindow(stated, { from: Infinity, to: -Infinity });
  return { totals: rowTotals(inside), window: stated, outside: timed.length - inside.length };
}
