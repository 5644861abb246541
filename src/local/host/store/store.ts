import { randomBytes } from 'node:crypto';
import { ActivityTable } from './activityTable.ts';
import { Database } from './database.ts';
import { GroupCommit } from './groupCommit.ts';
import { InboxTable } from './inboxTable.ts';
import { InstanceTable } from './instanceTable.ts';
import { MonitorTable } from './monitorTable.ts';

/** Everything the host keeps across a crash. */
export interface Store {
  readonly instances: InstanceTable;
  readonly inbox: InboxTable;
  readonly activities: ActivityTable;
  readonly monitors: MonitorTable;
  /** One transaction: all of `work` or nothing, flushed before it returns. */
  transaction<T>(work: () => T): T;
  /** The same, flushed together with what others commit in this turn of the event loop. */
  commit<T>(work: () => T): Promise<T>;
  /** A secret of this store, made once: access keys survive a restart. */
  secret(name: string): string;
  close(): void;
}

/**
 * Opens the store in `directory`, which is made when missing.
 * @throws StoreLockedError when another host has it open
 */
export function openStore(directory: string): Store {
  const db = new Database(directory);
  const group = new GroupCommit(db);
  return {
    instances: new InstanceTable(db),
    inbox: new InboxTable(db),
    activities: new ActivityTable(db),
    monitors: new MonitorTable(db),
    transaction: (work) => db.transaction(work),
    commit: (work) => group.run(work),
    secret(name) {
      db.run('INSERT OR IGNORE INTO host (key, value) VALUES (?, ?)', name, randomBytes(30).toString('base64url'));
      return String(db.get('SELECT value FROM host WHERE key = ?', name)?.['value']);
    },
    close: () => {
      group.flush();
      db.close();
    },
  };
}
