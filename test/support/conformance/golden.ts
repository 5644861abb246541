/** Golden files: what the real engine did, one file a case. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './types.ts';

const FOLDER = join(import.meta.dirname, '../../golden/engine');

export const readGolden = (name: string): Recording =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Recording;

export function writeGolden(name: string, recording: Recording): void {
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(recording, null, 2)}\n`);
}
