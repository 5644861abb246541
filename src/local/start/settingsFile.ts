import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `Values` of `local.settings.json` that the environment does not set already, as Core Tools does it. */
export function withLocalSettings(root: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const merged: Record<string, string> = {};
  const file = join(root, 'local.settings.json');
  if (existsSync(file)) {
    const { Values: values } = JSON.parse(readFileSync(file, 'utf8')) as { Values?: Record<string, string> };
    for (const [name, value] of Object.entries(values ?? {})) if (value !== '') merged[name] = value;
  }
  for (const [name, value] of Object.entries(env)) if (value !== undefined) merged[name] = value;
  return merged;
}
