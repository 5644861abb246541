/** The only reader of the environment in the product. */
import { readSettings } from './read.ts';
import { DEFAULT_SCHEDULE, scheduleFrom } from './schedule.ts';
import type { Settings } from './settings.ts';

let settings: Settings | undefined;

/** Settings of this process, read once. Throws `SettingsInvalid`. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/**
 * When the janitor passes (NCRONTAB). Read alone, because triggers are registered before the settings as a whole are
 * looked at: a bad setting must not keep the app from saying so. A schedule that cannot be used is told by
 * `currentSettings`, and no pass gets beyond that.
 */
export function janitorSchedule(): string {
  return scheduleFrom(process.env['GEOAGENT_JANITOR_SCHEDULE'] ?? null) ?? DEFAULT_SCHEDULE;
}
