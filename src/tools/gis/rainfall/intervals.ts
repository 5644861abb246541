import type { Findings } from './report.ts';
import type { Row } from './rows.ts';
import { lineRange, seriesTotal, type Total } from './totals.ts';
import { absurdAbove, round6 } from './values.ts';
import { HOUR, type Span } from './window.ts';

export interface IntervalRule {
  readonly window: Span;
  readonly stepMs: number;
  /** Which end of its interval a time names. */
  readonly label: 'start' | 'end';
  readonly kind: 'interval' | 'rate';
}

/** Start of the interval that a row sums. */
export function intervalStart(ms: number, rule: Pick<IntervalRule, 'stepMs' | 'label'>): number {
  return rule.label === 'end' ? ms - rule.stepMs : ms;
}

/** A row belongs to the window when the middle of its interval does. */
export function inWindow(row: Row, rule: IntervalRule): boolean {
  if (row.ms === null) return false;
  const middle = intervalStart(row.ms, rule) + rule.stepMs / 2;
  return middle >= rule.window.from && middle < rule.window.to;
}

/**
 * Rain of one station as the sum of its intervals in the window. A missing interval is not zero (O-37): a station that does
 * not cover the whole window is refused with its coverage and the sum as a lower bound.
 * @param rows of one station at one place, sorted by time, all inside the window.
 */
export function intervalTotal(rows: readonly Row[], rule: IntervalRule, findings: Findings): Total | null {
  const [first] = rows;
  if (first === undefined) return null;
  const hours = rule.stepMs / HOUR;
  const amount = (row: Row): number => (row.mm ?? 0) * (rule.kind === 'rate' ? hours : 1);
  for (const row of rows) {
    if (row.out || row.mm === null || amount(row) <= absurdAbove(hours)) continue;
    row.out = true;
    findings.reject(row.line, { line: row.line, station_id: row.id, reason: 'ABSURD_VALUE', value: row.raw });
  }
  const usable = oneATime(
    rows.filter((row) => !row.out && row.mm !== null),
    findings,
  );
  const expected = Math.max(1, Math.round((rule.window.to - rule.window.from) / rule.stepMs));
  const mm = round6(usable.reduce((sum, row) => sum + amount(row), 0));
  if (usable.length < expected) {
    findings.reject(first.line, {
      station_id: first.id,
      lines: lineRange(rows),
      reason: 'INCOMPLETE_WINDOW',
      intervals: usable.length,
      expected,
      lower_bound_mm: mm,
    });
    return null;
  }
  return seriesTotal(usable, mm);
}

/** One row a time. In the hour that the end of summer time repeats, the second row is the later one. */
function oneATime(rows: readonly Row[], findings: Findings): Row[] {
  const byTime = new Map<number, Row>();
  const conflicts = new Set<number>();
  for (const row of rows) {
    if (row.ms === null) continue;
    const before = byTime.get(row.ms);
    if (before === undefined) byTime.set(row.ms, row);
    else if (row.altMs !== null && !byTime.has(row.altMs)) byTime.set(row.altMs, row);
    else {
      const same = before.mm === row.mm;
      row.out = true;
      const reason = same ? 'DUPLICATE_SAME_VALUE' : 'DUPLICATE_CONFLICT';
      findings.reject(row.line, {
        line: row.line,
        station_id: row.id,
        reason,
        value: row.raw,
        with: `line ${before.line}`,
      });
      if (!same) conflicts.add(row.ms);
    }
  }
  for (const ms of conflicts) {
    const row = byTime.get(ms);
    if (row === undefined) continue;
    row.out = true;
    findings.reject(row.line, {
      line: row.line,
      station_id: row.id,
      reason: 'DUPLICATE_CONFLICT',
      value: row.raw,
      with: row.id,
    });
    byTime.delete(ms);
  }
  return [...byTime.values()];
}
