import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another host has this store open (Q32). */
export class StoreLockedError extends Error {
  readonly code = 'STORE_LOCKED';
}

/** Who holds the lock, for the message alone: it is not removed at the end and says nothing when the lock is free. */
const holderFile = (path: string): string => `${path}.pid`;

function holder(path: string): string {
  try {
    const pid = readFileSync(holderFile(path), 'utf8').trim();
    return /^\d+$/.test(pid) ? `, process ${pid},` : '';
  } catch {
    return '';
  }
}

/**
 * Takes the one-writer lock of a store: an exclusive SQLite transaction that is never ended. The operating system
 * drops it with the process, also after SIGKILL, so no lock file can go stale.
 * @returns a function that releases it
 * @throws StoreLockedError when another host holds it
 */
export function lockStore(path: string): () => void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) {
      throw new StoreLockedError(
        `Another host${holder(path)} is using the store in ${dirname(path)} (Q32: two hosts would run everything twice). Stop it, or choose another state folder.`,
      );
    }
    throw error;
  }
  writeFileSync(holderFile(path), `${process.pid}\n`);
  return () => database.close();
}
