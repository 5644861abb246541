/**
 * Logs: numbered, named events with JSON fields over the invocation's own sink (`context.log` and friends), redacted,
 * silent while an orchestrator replays (O-40). What has to be proven stands in the audit log, not here.
 */
import { sanitize } from '../net/sanitize.ts';
import { EVENTS, type EventName } from './events.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Field = string | number | boolean | null | undefined;
export type Fields = Readonly<Record<string, Field>>;

/** `InvocationContext` of the Functions SDK has this shape; so has `console`. */
export type LogSink = Readonly<Record<LogLevel, (line: string) => void>>;

/** One function per event of `EVENTS`. */
export type Logger = { readonly [Name in EventName]: (fields?: Fields) => void } & {
  /** A logger whose lines all carry these fields. */
  readonly with: (fields: Fields) => Logger;
};

export interface LoggerOptions {
  readonly level?: LogLevel;
  /** Fields of every line, such as `runId`. */
  readonly fields?: Fields;
  /** True while the orchestrator replays: nothing is written, so that each message appears once. */
  readonly isReplaying?: () => boolean;
}

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** UTF-16 units of one field; of the names of fields. */
const MAX_VALUE = 2_000;
const MAX_NAME = 64;
/** Fields that are secret whatever they hold. */
const SECRET_NAME =
  /(?:^|[-_.]|[a-z](?=[A-Z]))(?:authorization|cookie|token|secret|password|sig|apikey|accountkey|connectionstring)$/i;

export function createLogger(sink: LogSink, options: LoggerOptions = {}): Logger {
  const least = RANK[options.level ?? 'info'];
  const common = options.fields ?? {};

  const entries = Object.entries(EVENTS).map(([name, event]) => {
    const write = (fields: Fields = {}): void => {
      if (RANK[event.level] < least || options.isReplaying?.() === true) return;
      const line = { event: event.id, name, ...redacted({ ...common, ...fields }) };
      sink[event.level](JSON.stringify(line));
    };
    return [name, write] as const;
  });
  const events = Object.fromEntries(entries) as { readonly [Name in EventName]: (fields?: Fields) => void };
  return { ...events, with: (fields) => createLogger(sink, { ...options, fields: { ...common, ...fields } }) };
}

function redacted(fields: Fields): Record<string, Field> {
  const clean: [string, Field][] = Object.entries(fields).map(([name, value]) => {
    const key = sanitize(name, 'log', MAX_NAME);
    // Our own two members cannot be forged.
    const free = key === 'event' || key === 'name' ? `${key}_` : key;
    if (typeof value !== 'string') return [free, value];
    return [free, SECRET_NAME.test(name) ? '***' : sanitize(value, 'log', MAX_VALUE)];
  });
  return Object.fromEntries(clean);
}
