import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Gives each test of a file a journal of its own in TEST_JOURNAL. */
export function withJournal(): void {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'geoagent-journal-'));
    process.env['TEST_JOURNAL'] = join(folder, 'journal.jsonl');
  });
  afterEach(() => {
    delete process.env['TEST_JOURNAL'];
    rmSync(folder, { recursive: true, force: true });
  });
}
