import { DatabaseSync } from 'node:sqlite';

/** Another host has this store open (Q32). */
export class StoreLockedError extends Error {
  readonly code = 'STORE_LOCKED';
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
      throw new StoreLockedError(`Another host is using the store ${path}: stop it, or choose another state folder.`);
    }
    throw error;
  }
  return () => database.close();
}
