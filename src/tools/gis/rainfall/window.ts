import { ToolError } from '../../../plan/errors.ts';
import type { ReadRainfallArgs } from './args.ts';
import type { Row } from './rows.ts';
import { formatUtc } from './time.ts';

/** Half-open, milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The window that the call asks for: `window`, or the `hours` before the run. */
export function requestedSpan(args: ReadRainfallArgs, now: number): Span | null {
  if (args.window !== undefined) return span(args.window);
  return args.hours === undefined ? null : { from: now - args.hours * HOUR, to: now };
}

export function span(window: { readonly from: string; readonly to: string }): Span {
  return { from: Date.parse(window.from), to: Date.parse(window.to) };
}

export function describeSpan({ from, to }: Span): string {
  return `${formatUtc(from)} to ${formatUtc(to)}`;
}

/** Most common difference between neighbouring times of one station; null when no station has two times. */
export function commonStep(rows: readonly Row[]): number | null {
  const counts = new Map<number, number>();
  for (const group of Map.groupBy(rows, (row) => row.id).values()) {
    const times = group.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
    times.forEach((ms, index) => {
      const step = ms - (times[index - 1] ?? ms);
      if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
    });
  }
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || a - b);
  return sorted[0]?.[0] ?? null;
}

/**
 * The window of a file without times: what `schema.window` states, or what the call asks for by `window`. `hours` alone
 * states nothing about such a file.
 * @throws WINDOW_MISMATCH when nothing states the window asked for, or the statements differ.
 */
export function windowWithoutTimes(args: ReadRainfallArgs, now: number, assumptions: string[]): Span | null {
  const stated = args.schema?.window === undefined ? null : span(args.schema.window);
  const requested = requestedSpan(args, now);
  if (requested === null || stated !== null) {
    if (stated !== null)
      assumptions.push('The file has no times: its values are totals over the window that schema.window states.');
    if (stated !== null && requested !== null) refuseOther(stated, requested);
    return stated;
  }
  if (args.window !== undefined) {
    assumptions.push('The file has no times: its values are taken as totals over the window that the call asks for.');
    return requested;
  }
  throw new ToolError(
    'WINDOW_MISMATCH',
    'The file has no times, so it cannot be told what its values cover: state schema.window {from, to}, or ask for an explicit window.',
  );
}

function refuseOther(stated: Span, requested: Span): void {
  const tolerance = (stated.to - stated.from) / 24;
  const off = Math.max(Math.abs(stated.from - requested.from), Math.abs(stated.to - requested.to));
  if (off <= tolerance) return;
  throw new ToolError(
    'WINDOW_MISMATCH',
    `The file covers ${describeSpan(stated)} (schema.window); asked for is ${describeSpan(requested)}. Ask for the window of the file, or give newer data.`,
  );
}
