/** The only reader of the environment in the product. */
import { readSettings } from './read.ts';
import type { Settings } from './settings.ts';

let settings: Settings | undefined;

/** Settings of this process, read once. Throws `SettingsInvalid`. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}
