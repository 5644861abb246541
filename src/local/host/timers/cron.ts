/** A schedule in NCRONTAB form; every field is the set of values that match. */
export interface CronSchedule {
  readonly seconds: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** 1–12. */
  readonly months: ReadonlySet<number>;
  /** 0 = Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

/** A schedule text that is not NCRONTAB; the message names the field. */
export class CronError extends Error {}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** Value of the first name. */
  readonly nameBase?: number;
}
const FIELDS: readonly Field[] = [
  { label: 'second', min: 0, max: 59 },
  { label: 'minute', min: 0, max: 59 },
  { label: 'hour', min: 0, max: 23 },
  { label: 'day', min: 1, max: 31 },
  { label: 'month', min: 1, max: 12, names: MONTHS, nameBase: 1 },
  { label: 'weekday', min: 0, max: 6, names: WEEKDAYS, nameBase: 0 },
];

function parseValue(field: Field, text: string): number {
  const named = field.names?.findIndex((name) => text.toLowerCase().startsWith(name)) ?? -1;
  if (named >= 0) return named + (field.nameBase ?? 0);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < field.min || value > field.max) {
    throw new CronError(`'${text}' is no ${field.label} (${field.min} to ${field.max})`);
  }
  return value;
}

function parseField(field: Field, text: string): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    if (stepText !== undefined && (!/^\d+$/.test(stepText) || step < 1))
      throw new CronError(`'${part}' has a bad step for the ${field.label}`);
    let from = field.min;
    let to = field.max;
    if (range !== '*') {
      const [low = '', high] = range.split('-');
      from = parseValue(field, low);
      to = high !== undefined ? parseValue(field, high) : stepText === undefined ? from : field.max;
    }
    if (to < from) throw new CronError(`'${part}' ends before it begins`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

/**
 * Parses NCRONTAB: six fields with seconds first, or five.
 * @throws CronError naming the bad field
 */
export function parseCron(text: string): CronSchedule {
  const parts = text.trim().split(/\s+/);
  if (parts.length === 5) parts.unshift('0');
  if (parts.length !== 6) throw new CronError(`'${text}' has ${parts.length} fields; five or six are needed`);
  const [seconds, minutes, hours, days, months, weekdays] = FIELDS.map((field, i) => parseField(field, parts[i] ?? ''));
  const none = new Set<number>();
  return {
    seconds: seconds ?? none,
    minutes: minutes ?? none,
    hours: hours ?? none,
    days: days ?? none,
    months: months ?? none,
    weekdays: weekdays ?? none,
  };
}

const YEARS_AHEAD = 8;

/** Next matching wall-clock time after `wall`, both as UTC fields of a "naive" date; undefined when there is none for years. */
function nextWall(schedule: CronSchedule, wall: number): number | undefined {
  const at = new Date(wall + 1000 - (wall % 1000));
  const end = at.getUTCFullYear() + YEARS_AHEAD;
  while (at.getUTCFullYear() <= end) {
    if (!schedule.months.has(at.getUTCMonth() + 1)) {
      at.setUTCMonth(at.getUTCMonth() + 1, 1);
      at.setUTCHours(0, 0, 0);
    } else if (!schedule.days.has(at.getUTCDate()) || !schedule.weekdays.has(at.getUTCDay())) {
      at.setUTCDate(at.getUTCDate() + 1);
      at.setUTCHours(0, 0, 0);
    } else if (!schedule.hours.has(at.getUTCHours())) {
      at.setUTCHours(at.getUTCHours() + 1, 0, 0);
    } else if (!schedule.minutes.has(at.getUTCMinutes())) {
      at.setUTCMinutes(at.getUTCMinutes() + 1, 0);
    } else if (!schedule.seconds.has(at.getUTCSeconds())) {
      at.setUTCSeconds(at.getUTCSeconds() + 1);
    } else {
      return at.getTime();
    }
  }
  return undefined;
}

const toWall = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * 60_000;

function fromWall(wall: number): number {
  const d = new Date(wall);
  return new Date(
    d.getUTCFullYear(),
    d.getUTCMonth(),
    d.getUTCDate(),
    d.getUTCHours(),
    d.getUTCMinutes(),
    d.getUTCSeconds(),
  ).getTime();
}

/**
 * The next occurrence after `after` (ms since the epoch), in local time. A time that the change to summer time skips
 * happens an hour later; one that exists twice happens once.
 */
export function nextOccurrence(schedule: CronSchedule, after: number): number | undefined {
  for (let wall = nextWall(schedule, toWall(after)); wall !== undefined; wall = nextWall(schedule, wall)) {
    const at = fromWall(wall);
    if (at > after) return at;
  }
  return undefined;
}
