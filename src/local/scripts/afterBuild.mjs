// What tsc does not do: files that are data, and the viewer page.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
for (const folder of ['ledger/sqlite/migrations', 'local/sample/data']) {
  const from = join(root, 'src', folder);
  if (!existsSync(from)) continue;
  mkdirSync(join(root, 'dist', folder), { recursive: true });
  cpSync(from, join(root, 'dist', folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });
}
const { bundleAll } = await import('./bundleViewer.mjs');
await bundleAll(join(root, 'dist', 'viewer'));
