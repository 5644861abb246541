/** Golden files: what the real engine did, one file a case. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Recording } from './types.ts';

const FOLDER = join(import.meta.dirname, '../../golden/engine');
const fileOf = (name: string): string => join(FOLDER, `${name}.json`);

export const readGolden = (name: string): Recording => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recording;

/** Writes the file as `npm run format` would, so that a new recording shows only what has changed. */
export async function writeGolden(name: string, recording: Recording): Promise<void> {
  const filepath = fileOf(name);
  writeFileSync(filepath, await format(JSON.stringify(recording), { ...(await resolveConfig(filepath)), filepath }));
}
