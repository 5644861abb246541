import type { Findings } from './report.ts';
import type { Row } from './rows.ts';
import { formatUtc } from './time.ts';
import { lineRange, seriesTotal, type Total } from './totals.ts';
import { round6 } from './values.ts';
import type { Span } from './window.ts';

/** A fall of at most this many millimetres between two readings is noise; a larger one is a reset. */
export const DIP_TOLERANCE_MM = 0.2;
const EPSILON = 1e-9;

interface Reading {
  readonly ms: number;
  readonly mm: number;
}

interface Walk {
  total: number;
  readonly resets: number[];
  readonly dips: number[];
  readonly gaps: number[];
  resetInGap: boolean;
}

/**
 * Rain of one station from its running total. A reset adds the reading after it; a dip within the tolerance adds its
 * (negative) difference, so that the sum is the last reading minus the first; a gap without reset loses nothing. Without a
 * reading at the start or the end, or with a reset inside a gap, only a lower bound is known: refused.
 * @param rows of one station at one place, sorted by time; `mm` null = missing reading.
 * @param stepMs regular distance of readings.
 */
export function counterTotal(rows: readonly Row[], window: Span, stepMs: number, findings: Findings): Total | null {
  const readings = rows.flatMap(({ ms, mm }) => (ms === null || mm === null ? [] : [{ ms, mm }]));
  const start = readings.findLast((reading) => reading.ms <= window.from && reading.ms > window.from - stepMs);
  const last = readings.findLast((reading) => reading.ms <= window.to);
  const hasEnd = last !== undefined && last.ms > window.to - stepMs;
  const used = readings.filter((reading) => reading.ms >= (start?.ms ?? window.from) && reading.ms <= window.to);
  const walk = walkReadings(used, stepMs);
  const reason =
    start === undefined
      ? 'COUNTER_NO_START'
      : !hasEnd
        ? 'COUNTER_NO_END'
        : walk.resetInGap
          ? 'COUNTER_RESET_IN_GAP'
          : null;
  const mm = round6(Math.max(0, walk.total));
  const [first] = rows;
  if (first === undefined) return null;
  if (reason !== null) {
    findings.reject(first.line, { station_id: first.id, lines: lineRange(rows), reason, lower_bound_mm: mm });
    return null;
  }
  const total = seriesTotal(rows, mm);
  if (total !== null) flagWalk(total, walk, used, findings);
  return total;
}

function walkReadings(readings: readonly Reading[], stepMs: number): Walk {
  const walk: Walk = { total: 0, resets: [], dips: [], gaps: [], resetInGap: false };
  readings.forEach((reading, index) => {
    const before = readings[index - 1];
    if (before === undefined) return;
    const rise = reading.mm - before.mm;
    const gap = reading.ms - before.ms > stepMs * 1.5;
    if (rise < -DIP_TOLERANCE_MM - EPSILON) {
      walk.resets.push(reading.ms);
      walk.total += reading.mm;
      walk.resetInGap ||= gap;
    } else {
      walk.total += rise;
      if (rise < -EPSILON) walk.dips.push(reading.ms);
    }
    for (let at = before.ms + stepMs; gap && at < reading.ms - stepMs / 2 && walk.gaps.length < 1000; at += stepMs)
      walk.gaps.push(at);
  });
  return walk;
}

function flagWalk(total: Total, walk: Walk, used: readonly Reading[], findings: Findings): void {
  const at = (times: readonly number[]): string => times.map(formatUtc).join(' ');
  const add = (
    flag: 'COUNTER_RESET' | 'COUNTER_GAP' | 'COUNTER_DIP_IGNORED',
    times: readonly number[],
    extra: object,
  ): void => {
    if (times.length === 0) return;
    total.flags.add(flag);
    findings.flag(total.line, { station_id: total.id, flag, at: at(times), mm: total.mm, ...extra });
  };
  const naive = round6((used.at(-1)?.mm ?? 0) - (used[0]?.mm ?? 0));
  add('COUNTER_RESET', walk.resets, { last_minus_first_mm: naive });
  add('COUNTER_GAP', walk.gaps, {});
  add('COUNTER_DIP_IGNORED', walk.dips, {});
}
