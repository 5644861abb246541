/** Numbered migrations, each once, with its checksum: a file that changed after it ran is refused. */
import { createHash } from 'node:crypto';
import { StateInvalid } from '../port.ts';
import type { Database } from './database.ts';
import { m0001Core } from './migrations/m0001Core.ts';
import { m0002Children } from './migrations/m0002Children.ts';
import { m0003Lookups } from './migrations/m0003Lookups.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'core', sql: m0001Core },
  { version: 2, name: 'children', sql: m0002Children },
  { version: 3, name: 'lookups', sql: m0003Lookups },
];

interface Applied {
  readonly version: number;
  readonly checksum: string;
}

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Applies what is missing, in order, in one transaction, so that several processes may start at once.
 * Throws `StateInvalid` when an applied migration has another checksum or the file comes from a newer release.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await database.write((sql) => {
    sql.run(
      'CREATE TABLE IF NOT EXISTS SchemaMigrations (Version INTEGER PRIMARY KEY, Name TEXT NOT NULL, Checksum TEXT NOT NULL) STRICT',
    );
    const rows = sql.all('SELECT Version AS version, Checksum AS checksum FROM SchemaMigrations') as Applied[];
    const applied = new Map(rows.map((row) => [row.version, row.checksum]));
    const newest = Math.max(0, ...migrations.map((migration) => migration.version));
    for (const version of applied.keys()) {
      if (version > newest) throw new StateInvalid(`The ledger has schema ${version}, written by a newer release.`);
    }
    for (const migration of migrations) {
      const wanted = checksum(migration.sql);
      const found = applied.get(migration.version);
      if (found === undefined) {
        database.script(migration.sql);
        sql.run('INSERT INTO SchemaMigrations VALUES (?, ?, ?)', migration.version, migration.name, wanted);
      } else if (found !== wanted) {
        throw new StateInvalid(
          `Migration ${migration.version} (${migration.name}) changed after it was applied; add a new one instead.`,
        );
      }
    }
  });
}
