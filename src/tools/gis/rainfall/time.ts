/** An instant read from a cell. */
export interface ReadTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** A day without a clock time. */
  readonly dateOnly: boolean;
  /** The second instant with the same local label, in the hour that the end of summer time repeats. */
  readonly altMs: number | null;
  /** The text itself carries an offset or `Z`. */
  readonly explicit: boolean;
}

export type DayOrder = 'dmy' | 'mdy';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})?(\d{2})?)?(Z)?$/;
const LOCAL = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T](\d{1,2})[:.](\d{2})(?::(\d{2}))?)?\s*(Z|UTC)?$/i;
const UNIX = /^\d{9,10}$/;

/**
 * Reads ISO 8601, `YYYYMMDDHHmm`, `dd.mm.yyyy HH:MM`, `mm/dd/yyyy` (by `order`) and Unix seconds. Labels without offset are
 * local to `zone` (IANA name, `UTC` or `+01:00`). Null when it is none of these or no such day exists.
 */
export function readTime(cell: string, zone: string, order: DayOrder): ReadTime | null {
  const text = cell.trim();
  if (text.length > 40) return null;
  if (UNIX.test(text)) return { ms: Number(text) * 1000, dateOnly: false, altMs: null, explicit: true };
  const iso = ISO.exec(text) ?? COMPACT.exec(text);
  if (iso !== null) return assemble([iso[1], iso[2], iso[3]], [iso[4], iso[5], iso[6]], iso[7], zone);
  const local = LOCAL.exec(text);
  if (local === null) return null;
  const [day, month] = order === 'dmy' ? [local[1], local[2]] : [local[2], local[1]];
  return assemble([local[3], month, day], [local[4], local[5], local[6]], local[7], zone);
}

type Part = string | undefined;

function assemble(date: readonly Part[], clock: readonly Part[], offset: Part, zone: string): ReadTime | null {
  const [year, month, day] = date.map(Number);
  const [hour, minute, second] = clock.map((part) => Number(part ?? 0));
  const label = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  const check = new Date(label - (hour === 24 ? 86_400_000 : 0));
  const valid =
    check.getUTCMonth() + 1 === month && check.getUTCDate() === day && (hour ?? 0) <= 24 && (minute ?? 0) < 60;
  if (!valid || Number.isNaN(label)) return null;
  const dateOnly = clock[0] === undefined;
  if (offset !== undefined) return { ms: label - fixedOffset(offset) * 60_000, dateOnly, altMs: null, explicit: true };
  const [ms, altMs] = fromLocal(label, zone);
  return { ms, dateOnly, altMs, explicit: false };
}

/** Minutes east of UTC of `Z`, `UTC`, `+01:00`, `+0100`. */
function fixedOffset(text: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(text);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** Instants of a local label: one, or two in the repeated hour. A label that summer time skips moves forward. */
function fromLocal(label: number, zone: string): [number, number | null] {
  if (zone === 'UTC' || /^[+-]/.test(zone)) return [label - fixedOffset(zone) * 60_000, null];
  const candidates = new Set<number>();
  for (const around of [label - 86_400_000, label + 86_400_000]) {
    const ms = label - zoneOffset(around, zone) * 60_000;
    if (ms + zoneOffset(ms, zone) * 60_000 === label) candidates.add(ms);
  }
  const [one, two] = [...candidates].sort((a, b) => a - b);
  if (one === undefined) return [label - zoneOffset(label - 86_400_000, zone) * 60_000, null];
  return [one, two ?? null];
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC in a zone at an instant. @throws RangeError for a zone that does not exist. */
export function zoneOffset(ms: number, zone: string): number {
  if (zone === 'UTC' || /^[+-]\d/.test(zone)) return fixedOffset(zone);
  let format = formatters.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, format);
  }
  const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return fixedOffset(name.replace('GMT', '') || '+00:00');
}

/** True when clocks change in the zone between two instants. */
export function clocksChange(from: number, to: number, zone: string): boolean {
  const before = zoneOffset(from, zone);
  for (let at = from + 3_600_000; at < to; at += 6 * 3_600_000) if (zoneOffset(at, zone) !== before) return true;
  return zoneOffset(to, zone) !== before;
}

/** Day order that the cells prove; null when all of them could be read either way. */
export function provenDayOrder(cells: Iterable<string>): DayOrder | null {
  for (const cell of cells) {
    const match = LOCAL.exec(cell.trim());
    if (match === null) continue;
    if (cell.includes('.') || Number(match[1]) > 12) return 'dmy';
    if (Number(match[2]) > 12) return 'mdy';
  }
  return null;
}

/** RFC 3339 in UTC with seconds, milliseconds only where there are any. */
export function formatUtc(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
