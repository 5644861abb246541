import { readRainfallArgs } from '../../../src/tools/gis/rainfall/args.ts';
import { readRainfall, type RainfallReading } from '../../../src/tools/gis/rainfall/readRainfall.ts';

export const NOW = Date.parse('2026-05-10T12:00:00Z');

/** Reads a text or JSON value as an uploaded file, with arguments as a plan would give them. */
export function read(file: string | object, args: Record<string, unknown> = {}, now = NOW, name = ''): RainfallReading {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return readRainfall(new TextEncoder().encode(text), name, readRainfallArgs.parse({ source: 'sample', ...args }), now);
}

/** A table of gauges around Lugano with these rain cells, one row each. */
export function gauges(cells: readonly string[], header = 'station_id,lon,lat,rain_mm'): string {
  const rows = cells.map((cell, n) => `s${n + 1},${(8.9 + n * 0.01).toFixed(2)},${(46 + n * 0.01).toFixed(2)},${cell}`);
  return [header, ...rows, ''].join('\n');
}

/** Codes of refused rows and stations, in report order. */
export function reasons(reading: RainfallReading): string[] {
  return reading.report.rejected.map((entry) => entry.reason);
}

export function flags(reading: RainfallReading): string[] {
  return reading.report.flagged.map((entry) => entry.flag);
}

/** Totals by station. */
export function totals(reading: RainfallReading): Record<string, number> {
  return { ...reading.report.accepted_mm };
}

/** Code of the ToolError that the work throws. */
export function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'nothing thrown';
}

/** Message of the error that the work throws. */
export function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
