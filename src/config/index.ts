/** The only reader of the environment. */
import { readSettings } from './read.ts';
import type { Settings } from './settings.ts';

let settings: Settings | undefined;

/** Settings of this process, read once; throws `SettingsInvalid` each time until they fit. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}
