/**
 * Writes the bundled sample again, always the same: `node src/local/sample/generate.ts`. The files are committed, so that
 * nobody needs the place names of a development package to run the product.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { sampleFiles } from './sampleFiles.ts';

const folder = new URL('./data/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, bytes] of sampleFiles()) {
  writeFileSync(new URL(name, folder), bytes);
  console.log(`${name}: ${bytes.byteLength} bytes`);
}
