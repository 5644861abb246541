/** The only reader of the environment in the product. */
import { readSettings } from './read.ts';
import type { Settings } from './settings.ts';

let settings: Settings | undefined;

/** Settings of this process, read once. Throws `SettingsInvalid`. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/**
 * When the janitor passes (NCRONTAB). Read alone, because triggers are registered before the settings as a whole are
 * looked at: a bad setting elsewhere must not keep the app from saying so.
 */
export function janitorSchedule(): string {
  const given = process.env['GEOAGENT_JANITOR_SCHEDULE']?.trim() ?? '';
  return given === '' ? '0 */5 * * * *' : given;
}
