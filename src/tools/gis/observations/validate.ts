import { ToolError } from '../../../plan/errors.ts';
import type { ObservationSet, Station } from '../formats.ts';
import { decisionFor, type Choice } from '../rainfall/codes.ts';
import { resolveDuplicates, SAME_PLACE_M } from '../rainfall/duplicates.ts';
import { acceptedPart, Findings, type ObservationReport } from '../rainfall/report.ts';
import type { FlagCode } from '../rainfall/codes.ts';
import type { Total } from '../rainfall/totals.ts';
import { networkMarks } from './network.ts';

export interface Validation {
  readonly set: ObservationSet;
  readonly report: ObservationReport;
}

/**
 * Rules that need the whole network: one value a place, isolated values, stuck gauges, spread, number. Values are marked or
 * refused, never changed, and nothing missing is filled in (O-37).
 * @throws TOO_FEW_STATIONS below `minStations`; CRS_MISMATCH when the file was stopped on reading.
 */
export function validateObservations(set: ObservationSet, minStations: number, choices: readonly Choice[]): Validation {
  if (set.stopped !== undefined) throw new ToolError('CRS_MISMATCH', `${set.stopped.code}: ${set.stopped.message}`);
  const findings = new Findings();
  const merged = onePlaceEach(set, choices, findings);
  const stations = markNetwork(merged, set.crs, choices, findings);
  if (stations.length < minStations) {
    throw new ToolError(
      'TOO_FEW_STATIONS',
      `${stations.length} of ${set.stations.length} stations are usable, at least ${minStations} are needed. The report of gis.readRainfall says why rows were refused.`,
    );
  }
  return { set: { ...set, validated: true, stations }, report: reportOf(set, stations, findings) };
}

function onePlaceEach(set: ObservationSet, choices: readonly Choice[], findings: Findings): Station[] {
  const byTotal = new Map<Total, Station>();
  set.stations.forEach((station, index) => {
    const { id, x, y, mm } = station;
    const flags = new Set((station.flags ?? []) as FlagCode[]);
    const entry: Total = {
      id,
      name: station.name,
      x,
      y,
      elevationM: station.elevationM,
      mm,
      raw: String(mm),
      line: index,
      lines: '',
      rows: 0,
      flags,
      out: false,
    };
    byTotal.set(entry, station);
  });
  return resolveDuplicates([...byTotal.keys()], set.crs, choices, findings).flatMap((total) => {
    const station = byTotal.get(total);
    return station === undefined ? [] : [withFlags(station, total.flags)];
  });
}

function withFlags(station: Station, flags: ReadonlySet<string>): Station {
  return flags.size === 0 ? station : { ...station, flags: [...flags].sort() };
}

function markNetwork(
  stations: readonly Station[],
  crs: string,
  choices: readonly Choice[],
  findings: Findings,
): Station[] {
  const marks = networkMarks(stations, crs);
  for (const mark of marks) if (mark.station === null) findings.flag(-1, { flag: mark.flag, ...mark.detail });
  const byStation = new Map(marks.map((mark) => [mark.station, mark]));
  return stations.flatMap((station, index) => {
    const mark = byStation.get(index);
    if (mark === undefined) return [station];
    const { flag, detail } = mark;
    const decision = decisionFor(choices, flag, [station.id]);
    if (decision !== null) findings.decided(flag, decision, station.id);
    if (decision === 'drop') {
      findings.reject(index, { station_id: station.id, reason: flag, ...detail });
      return [];
    }
    findings.flag(index, { station_id: station.id, flag, ...detail });
    return [withFlags(station, new Set([...(station.flags ?? []), flag]))];
  });
}

function reportOf(set: ObservationSet, stations: readonly Station[], findings: Findings): ObservationReport {
  const total = set.stations.length;
  return {
    version: 1,
    stage: 'validate',
    crs: set.crs,
    unit: set.unit,
    period_utc: set.window === null ? null : [set.window.from, set.window.to],
    same_place_tolerance_m: SAME_PLACE_M,
    assumptions: [],
    rows_total: total,
    rows_accepted: stations.length,
    rows_rejected: total - stations.length,
    stations_total: total,
    stations_accepted: stations.length,
    stations_rejected: total - stations.length,
    ...findings.lists(),
    ...acceptedPart(stations),
  };
}
