import { crsInfo } from '../crs/crsInfo.ts';
import { decisionFor, type Choice } from './codes.ts';
import type { Findings } from './report.ts';
import type { Total } from './totals.ts';

/** Two entries closer than this are one place (metres). */
export const SAME_PLACE_M = 1;
const METRES_PER_DEGREE = 111_320;
/** Values that differ by less are equal: six decimals of a millimetre. */
const SAME_MM = 1e-6;

/**
 * Groups totals that stand at one place (within 1 m), in file order. Places are compared on a grid of 1 m cells, so the
 * cost grows with the number of entries, not with its square.
 */
export function groupByPlace<T extends { readonly x: number; readonly y: number }>(
  entries: readonly T[],
  crs: string,
): T[][] {
  const geographic = crsInfo(crs).kind === 'geographic';
  const groups: { x: number; y: number; members: T[] }[] = [];
  const cells = new Map<number, typeof groups>();
  const cosine = geographic ? Math.cos(((entries[0]?.y ?? 0) * Math.PI) / 180) : 1;
  for (const entry of entries) {
    const x = geographic ? entry.x * METRES_PER_DEGREE * cosine : entry.x;
    const y = geographic ? entry.y * METRES_PER_DEGREE : entry.y;
    const [cx, cy] = [Math.floor(x), Math.floor(y)];
    const near = neighbours(cx, cy)
      .flatMap((key) => cells.get(key) ?? [])
      .find((group) => Math.hypot(group.x - x, group.y - y) <= SAME_PLACE_M);
    if (near !== undefined) {
      near.members.push(entry);
      continue;
    }
    const group = { x, y, members: [entry] };
    groups.push(group);
    const key = cellKey(cx, cy);
    cells.set(key, [...(cells.get(key) ?? []), group]);
  }
  return groups.map((group) => group.members);
}

/** One number for a cell of 1 m; exact, as coordinates on Earth stay below 5 · 10⁷ m. */
function cellKey(cx: number, cy: number): number {
  return cx * 1e8 + cy;
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => cellKey(dx, dy)));

function neighbours(cx: number, cy: number): number[] {
  const middle = cellKey(cx, cy);
  return AROUND.map((step) => middle + step);
}

/**
 * One place, one value: equal values keep the first entry; different ones refuse all until a person chooses. The same
 * station id at different places is a station that moved, treated alike. Averaging is never done.
 * @returns the totals that remain, in file order.
 */
export function resolveDuplicates(
  totals: readonly Total[],
  crs: string,
  choices: readonly Choice[],
  findings: Findings,
): Total[] {
  const stay = resolveMoved(totals, crs, choices, findings);
  const kept = new Set<Total>();
  for (const group of groupByPlace(stay, crs)) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    const differing = others.find((other) => Math.abs(other.mm - first.mm) > SAME_MM);
    if (differing !== undefined) {
      decideGroup(group, 'DUPLICATE_CONFLICT', choices, findings, kept, (total) =>
        total === first ? differing : first,
      );
      continue;
    }
    kept.add(first);
    for (const other of others) refuse(other, 'DUPLICATE_SAME_VALUE', first, findings);
  }
  return stay.filter((total) => kept.has(total));
}

function resolveMoved(totals: readonly Total[], crs: string, choices: readonly Choice[], findings: Findings): Total[] {
  const byId = Map.groupBy(totals, (total) => total.id);
  const kept = new Set<Total>();
  for (const group of byId.values()) {
    const places = groupByPlace(group, crs);
    const [first] = group;
    if (places.length < 2 || first === undefined) {
      for (const total of group) kept.add(total);
      continue;
    }
    const other = places[1]?.[0] ?? first;
    decideGroup(group, 'STATION_MOVED', choices, findings, kept, (total) => (total === first ? other : first));
  }
  return totals.filter((total) => kept.has(total));
}

function decideGroup(
  group: readonly Total[],
  code: 'DUPLICATE_CONFLICT' | 'STATION_MOVED',
  choices: readonly Choice[],
  findings: Findings,
  kept: Set<Total>,
  partner: (total: Total) => Total,
): void {
  const ids = group.map((total) => total.id);
  const decision = decisionFor(choices, code, ids);
  const chosen = decision === 'keepFirst' ? group[0] : decision === 'keepSecond' ? group[1] : undefined;
  if (decision !== null) findings.decided(code, decision, ids[0]);
  if (chosen !== undefined) {
    kept.add(chosen);
    chosen.flags.add(code);
    findings.flag(chosen.line, { ...place(chosen), flag: code, mm: chosen.mm, decision });
  }
  for (const total of group) if (total !== chosen) refuse(total, code, partner(total), findings);
}

function refuse(
  total: Total,
  reason: 'DUPLICATE_SAME_VALUE' | 'DUPLICATE_CONFLICT' | 'STATION_MOVED',
  partner: Total,
  findings: Findings,
): void {
  total.out = true;
  findings.reject(total.line, { ...place(total), reason, value: total.raw, with: partner.id });
}

/** Where a total stands in the file: one line, several, or none when it comes from an observation set. */
function place(total: Total): { station_id: string; line?: number; lines?: string } {
  if (total.rows === 0) return { station_id: total.id };
  return total.rows > 1 ? { station_id: total.id, lines: total.lines } : { line: total.line, station_id: total.id };
}
