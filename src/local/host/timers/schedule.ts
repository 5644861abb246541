import { timeSpanMs } from '../config/hostJson.ts';
import { nextOccurrence, parseCron } from './cron.ts';

/** When a timer function is to run. */
export interface Schedule {
  /** Next time after `after`, both ms since the epoch; undefined when there is none. */
  next(after: number): number | undefined;
  readonly adjustForDst: boolean;
  /** True when it runs more often than once a minute: its state is not monitored then. */
  readonly frequent: boolean;
}

const MINUTE = 60_000;

/**
 * Reads NCRONTAB (five or six fields) or a TimeSpan `hh:mm:ss`.
 * @throws CronError when it is neither
 */
export function parseSchedule(text: string): Schedule {
  const span = timeSpanMs(text.trim());
  if (span !== undefined && Number.isFinite(span) && span > 0) {
    return { next: (after) => after + span, adjustForDst: false, frequent: span < MINUTE };
  }
  const cron = parseCron(text);
  return { next: (after) => nextOccurrence(cron, after), adjustForDst: true, frequent: cron.seconds.size > 1 };
}
